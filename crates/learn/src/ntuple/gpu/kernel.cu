// Tens of thousands of games of 2048 at once, eight lanes per game: lane i looks at the board through symmetry i.
//
// The host writes a prelude in front of this file: TUPLES, STAGES, MAX_STAGES, POOL, where the pools of each kind begin
// (DOUBLED_POOLS, GIVEN_POOLS; NO_POOL is behind all of them), the tile sums at which the second stage begins and so on to the
// sum at which the last one ends (stage_ends), CEILING (the sum from which on tiles are lowered), CEILING_TILE (the exponent of
// the largest tile below it), LOWERED (the stage that begins there) and, for each tuple, where its weights begin (offset_of) and
// its index (index_of). The first NARROW_STAGES stages with weights have NARROW_WEIGHTS each, those of the first COMMON tuples;
// the others have WIDE_WEIGHTS, those of all.
//
// A network without late stages ends at its ceiling: LOWERED is STAGES, and games that come there are over. Otherwise LOWERED
// is a stage without weights of its own, in which nothing is learned, and the late stages follow. Games that come to the end
// without the tile that it stands for are lost: tiles that do not merge make up the sum too.
//
// `reference.rs` says the same in Rust, to the last bit for a single game; keep the two alike.

typedef unsigned long long u64;
typedef unsigned int u32;

#define ALL_LANES 0xffffffffu
#define ROW_STARTS 0x0001000100010001ull
#define ONES 0x1111111111111111ull

// ---- The board: sixteen nibbles, as in the crate twenty48. ----

__device__ __forceinline__ u64 transpose(u64 x) {
    u64 within = (x ^ (x >> 12)) & 0x0000f0f00000f0f0ull;
    x ^= within ^ (within << 12);
    u64 blocks = (x ^ (x >> 24)) & 0x00000000ff00ff00ull;
    return x ^ blocks ^ (blocks << 24);
}

__device__ __forceinline__ u64 mirror(u64 x) {
    x = ((x & 0x00ff00ff00ff00ffull) << 8) | ((x >> 8) & 0x00ff00ff00ff00ffull);
    return ((x & 0x0f0f0f0f0f0f0f0full) << 4) | ((x >> 4) & 0x0f0f0f0f0f0f0f0full);
}

__device__ __forceinline__ u64 flip(u64 x) {
    x = (x << 32) | (x >> 32);
    return ((x & 0x0000ffff0000ffffull) << 16) | ((x >> 16) & 0x0000ffff0000ffffull);
}

__device__ __forceinline__ u64 image(u64 x, u32 symmetry) {
    if (symmetry & 4) x = transpose(x);
    if (symmetry & 1) x = mirror(x);
    if (symmetry & 2) x = flip(x);
    return x;
}

// One bit at the start of every empty nibble.
__device__ __forceinline__ u64 empty_mask(u64 x) {
    x |= x >> 2;
    x |= x >> 1;
    return ~x & ONES;
}

// Closes the gaps of all rows towards the low nibble: from the third nibble down to the first, an empty one is filled
// by shifting the rest of its row.
__device__ __forceinline__ u64 close_gaps(u64 x) {
#pragma unroll
    for (int place = 2; place >= 0; place--) {
        u64 empty = empty_mask(x) & (ROW_STARTS << (4 * place));
        u64 rest = (empty << (16 - 4 * place)) - empty;
        x = (x & ~rest) | ((x & rest) >> 4);
    }
    return x;
}

// Slides all rows towards the low nibble. Two tiles of 32768 do not merge here: 65536 does not fit into a nibble.
__device__ __forceinline__ u64 slide_rows(u64 x, u32* reward) {
    x = close_gaps(x);
#pragma unroll
    for (int place = 0; place < 3; place++) {
        u64 different = x ^ (x >> 4);
        u64 full = x & (x >> 1);
        full &= full >> 2;
        u64 merged = empty_mask(different) & ~empty_mask(x) & ~full & (ROW_STARTS << (4 * place));
        x += merged;
        x &= ~((merged << 4) * 15);
        while (merged) {
            int bit = __ffsll((long long)merged) - 1;
            *reward += 1u << (u32)((x >> bit) & 15);
            merged &= merged - 1;
        }
    }
    return close_gaps(x);
}

// Directions as in the crate twenty48: 0 up, 1 right, 2 down, 3 left. Left slides rows; the others are made left.
__device__ __forceinline__ u64 slide(u64 board, u32 direction, u32* reward) {
    u64 x = board;
    if ((direction & 1) == 0) x = transpose(x);
    bool backward = direction == 1 || direction == 2;
    if (backward) x = mirror(x);
    x = slide_rows(x, reward);
    if (backward) x = mirror(x);
    if ((direction & 1) == 0) x = transpose(x);
    return x;
}

__device__ __forceinline__ u32 tile_sum(u64 x) {
    u32 sum = 0;
    for (int cell = 0; cell < 16; cell++) sum += (1u << (u32)((x >> (4 * cell)) & 15)) & ~1u;
    return sum;
}

// The stage of a board; STAGES behind the last one.
__device__ __forceinline__ u32 stage_of(u32 sum) {
    u32 stage = 0;
#pragma unroll
    for (int next = 0; next < STAGES; next++) stage += stage_ends[next] <= sum;
    return stage;
}

// Whether the tiles from CEILING_TILE on are those that a game should have made at its end: two of 32768 stand for 65536.
__device__ __forceinline__ bool is_whole(u64 board) {
    u32 made = 0;
    for (int cell = 0; cell < 16; cell++) {
        u32 exponent = (u32)((board >> (4 * cell)) & 15);
        if (exponent >= CEILING_TILE) made += 1u << (exponent - CEILING_TILE);
    }
    return made >= stage_ends[STAGES - 1] >> CEILING_TILE;
}

// The board with every tile doubled; none of them may be 32768.
__device__ __forceinline__ u64 doubled(u64 board) { return board + (ONES ^ empty_mask(board)); }

// The late stage that a game would enter if its board were doubled, where the tile that just appeared brought it there; 0 where
// it would not.
__device__ __forceinline__ u32 entered_doubled(u32 before, u32 sum) {
    if (sum >> CEILING_TILE) return 0;
    u32 stage = stage_of(2 * sum);
    return stage > LOWERED && stage < STAGES && stage != stage_of(2 * before) ? stage : 0;
}

// How many of the largest tiles are lowered on boards with this sum, and what that takes from the sum.
__device__ __forceinline__ u32 lowered_tiles(u32 sum, u32* less) {
    u32 count = 0;
    u32 above = CEILING;
    u32 half = (1u << CEILING_TILE) / 2;
    *less = 0;
    while (half > 1 && sum >= above) {
        count++;
        *less += half;
        above += half;
        half /= 2;
    }
    return count;
}

__device__ __forceinline__ u64 lower(u64 board, u32 count) {
    u64 lowered = board;
    for (u32 i = 0; i < count; i++) lowered -= empty_mask(board ^ ((CEILING_TILE - i) * ONES));
    return lowered;
}

// ---- Dice: xoshiro256++, as in the crate game. ----

struct Dice {
    u64 a, b, c, d;
};

__device__ __forceinline__ u64 rotate(u64 x, int by) { return (x << by) | (x >> (64 - by)); }

__device__ __forceinline__ u64 roll(Dice& dice) {
    u64 result = rotate(dice.a + dice.d, 23) + dice.a;
    u64 t = dice.b << 17;
    dice.c ^= dice.a;
    dice.d ^= dice.b;
    dice.b ^= dice.c;
    dice.a ^= dice.d;
    dice.c ^= t;
    dice.d = rotate(dice.d, 45);
    return result;
}

__device__ __forceinline__ u32 below(Dice& dice, u32 bound) { return (u32)__umul64hi(roll(dice), (u64)bound); }

// The number of 32-bit rolls that stand for a four: a tenth of them.
#define FOUR_ROLLS 429496730u

// One roll for both: the upper half chooses the cell, the lower half the tile. A full board stays as it is.
__device__ __forceinline__ u64 spawn(u64 board, Dice& dice) {
    u64 mask = empty_mask(board);
    u64 bits = roll(dice);
    u32 nth = (u32)(((bits >> 32) * (u64)__popcll(mask)) >> 32);
    for (; nth > 0; nth--) mask &= mask - 1;
    u64 place = mask & (0 - mask);
    return board | ((u32)bits < FOUR_ROLLS ? place << 1 : place);
}

__device__ __forceinline__ u64 new_game(Dice& dice) { return spawn(spawn(0, dice), dice); }

// ---- Where games start. ----

struct Settings {
    u32 games;
    // Whether a game ends where it enters the next stage: then each stage gets the share of games it was given.
    u32 segments;
    // The rate, and whether it is multiplied by the coherence of the weight.
    float alpha;
    u32 coherent;
    // What is kept of the coherence sums at each correction.
    float fade;
    // Chances that a game starts in a stage, in units of 2^-32, cumulated; room for as many stages as a design may have.
    u32 starts[MAX_STAGES];
    // What entering a stage is worth (the one after the last stands for the end); negative: what the weights say.
    float bridge[MAX_STAGES + 1];
    // What entering a stage earns on top of what its weights say.
    float bonus[MAX_STAGES + 1];
    // By what the rate is multiplied in a stage.
    float rates[MAX_STAGES];
    // How often a position within a stage is remembered to start from, in units of 2^-32 per move.
    u32 capture;
    // How often a game that starts in a stage starts from a board that was given, and from a doubled one, in units of 2^-32.
    u32 given;
    u32 doubled;
};

// All arrays have one entry per game unless said otherwise.
struct Games {
    u64* board;
    // The afterstate that waits for its correction, and its stage; 0 while there is none.
    u64* before;
    u32* before_stage;
    // The afterstate that is corrected in this step, for the second kernel.
    u64* corrected;
    u32* corrected_stage;
    u64* dice;
    u32* sum;
    // Per stage POOL positions in which it was entered, and how many ever were; then the same for doubled boards, and for those
    // that were given.
    u64* pool;
    u32* pooled;
    // Per stage: games started there, left for the next stage, lost there.
    u64* events;
};

// Which of its pools a game starts from that starts in a stage.
__device__ __forceinline__ u32 pool_for(const Settings& settings, const Games& games, Dice& dice, u32 stage) {
    bool has_met = games.pooled[stage];
    bool has_doubled = settings.doubled && games.pooled[DOUBLED_POOLS + stage];
    bool has_given = settings.given && games.pooled[GIVEN_POOLS + stage];
    u32 draw = has_doubled || has_given ? (u32)(roll(dice) >> 32) : 0;
    if (has_given && (draw < settings.given || (!has_met && !has_doubled))) return GIVEN_POOLS + stage;
    if (has_given) draw -= settings.given;
    if (has_doubled && (draw < settings.doubled || !has_met)) return DOUBLED_POOLS + stage;
    return has_met ? stage : NO_POOL;
}

__device__ __forceinline__ void remember(const Games& games, u32 pool, u64 board) {
    games.pool[(size_t)pool * POOL + atomicAdd(games.pooled + pool, 1u) % POOL] = board;
}

__device__ __forceinline__ u64 start_position(const Settings& settings, const Games& games, Dice& dice, u32* stage) {
    *stage = 0;
    if (settings.starts[0] != 0xffffffffu) {
        u32 draw = (u32)(roll(dice) >> 32);
        u32 wanted = 0;
        while (wanted < STAGES - 1 && draw > settings.starts[wanted]) wanted++;
        // Where no position of a stage is known yet, the stage before it may lead there.
        u32 pool = NO_POOL;
        for (; wanted; wanted--) {
            pool = pool_for(settings, games, dice, wanted);
            if (pool != NO_POOL) break;
        }
        if (wanted) {
            *stage = wanted;
            return games.pool[(size_t)pool * POOL + below(dice, min(games.pooled[pool], (u32)POOL))];
        }
    }
    return new_game(dice);
}

// ---- The network. ----

__device__ __forceinline__ float over_lanes(float x) {
    x += __shfl_xor_sync(ALL_LANES, x, 1);
    x += __shfl_xor_sync(ALL_LANES, x, 2);
    x += __shfl_xor_sync(ALL_LANES, x, 4);
    return x;
}

// The weights of one stage: where they begin, and whether it has all tuples.
struct Table {
    size_t begin;
    bool wide;
};

__device__ __forceinline__ Table table_of(u32 weights) {
    size_t narrow = min(weights, NARROW_STAGES);
    return {narrow * NARROW_WEIGHTS + (weights - narrow) * WIDE_WEIGHTS, weights >= NARROW_STAGES};
}

__device__ __forceinline__ bool has(Table table, int tuple) { return tuple < COMMON || table.wide; }

// This lane's share of the value of a board, already seen through the lane's symmetry.
__device__ __forceinline__ float lane_value(const float* values, Table table, u64 seen, bool wanted) {
    const float* weights = values + table.begin;
    float features[TUPLES];
#pragma unroll
    for (int tuple = 0; tuple < TUPLES; tuple++)
        features[tuple] = wanted && has(table, tuple) ? __ldg(weights + offset_of(tuple) + index_of(tuple, seen)) : 0.0f;
    float sum = 0.0f;
#pragma unroll
    for (int tuple = 0; tuple < TUPLES; tuple++) sum += features[tuple];
    return sum;
}

// Which weights belong to a stage that has some.
__device__ __forceinline__ u32 weights_of(u32 stage) { return stage - (stage > LOWERED); }

// Which weights judge boards with this sum, and how many of their largest tiles are lowered for that.
__device__ __forceinline__ u32 judged_by(u32 sum, u32* lowered) {
    u32 stage = stage_of(sum);
    *lowered = 0;
    if (stage != LOWERED) return weights_of(min(stage, STAGES - 1u));
    u32 less;
    *lowered = lowered_tiles(sum, &less);
    return min(stage_of(sum - less), LOWERED - 1u);
}

struct Choice {
    u64 afterstate;
    float total;
    u32 reward;
    bool over;
};

// The best move; the first of equal ones. The lanes slide one direction each and then judge all of them together.
__device__ __forceinline__ Choice choose(const float* values, u64 board, u32 sum, u32 lane, u32* visits) {
    u32 lowered;
    Table table = table_of(judged_by(sum, &lowered));
    u32 reward = 0;
    u64 slid = slide(board, lane & 3, &reward);
    Choice best = {0, 0.0f, 0, true};
#pragma unroll
    for (int direction = 0; direction < 4; direction++) {
        u64 afterstate = __shfl_sync(ALL_LANES, slid, direction, 8);
        u32 points = __shfl_sync(ALL_LANES, reward, direction, 8);
        bool legal = afterstate != board;
        u64 seen = image(lowered ? lower(afterstate, lowered) : afterstate, lane);
        float total = (float)points + over_lanes(lane_value(values, table, seen, legal));
        if (visits && legal) {
#pragma unroll
            for (int tuple = 0; tuple < TUPLES; tuple++)
                if (has(table, tuple)) atomicAdd(visits + table.begin + offset_of(tuple) + index_of(tuple, seen), 1u);
        }
        if (legal && (best.over || total > best.total)) best = {afterstate, total, points, false};
    }
    return best;
}

// ---- Learning. ----

// Per weight: the sum of errors, the sum of their sizes, and the errors and visits of the present step.
__device__ __forceinline__ void accumulate(float4* place, float error) {
#if __CUDA_ARCH__ >= 900
    asm volatile("red.relaxed.gpu.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(place), "f"(error), "f"(fabsf(error)),
                 "f"(error), "f"(1.0f)
                 : "memory");
#else
    atomicAdd(&place->x, error);
    atomicAdd(&place->y, fabsf(error));
    atomicAdd(&place->z, error);
    atomicAdd(&place->w, 1.0f);
#endif
}

extern "C" __global__ void begin(Games games, u32 count, const u64* seeds) {
    u32 game = blockIdx.x * blockDim.x + threadIdx.x;
    if (game >= count) return;
    Dice dice = {seeds[4 * game], seeds[4 * game + 1], seeds[4 * game + 2], seeds[4 * game + 3]};
    u64 board = new_game(dice);
    games.board[game] = board;
    games.sum[game] = tile_sum(board);
    games.before[game] = 0;
    games.corrected[game] = 0;
    games.dice[4 * game] = dice.a;
    games.dice[4 * game + 1] = dice.b;
    games.dice[4 * game + 2] = dice.c;
    games.dice[4 * game + 3] = dice.d;
}

// Every game makes one move, and what it shows about the move before is accumulated.
extern "C" __global__ void __launch_bounds__(256) step(Settings settings, Games games, const float* values, float4* sums) {
    u32 game = (blockIdx.x * blockDim.x + threadIdx.x) >> 3;
    u32 lane = threadIdx.x & 7;
    if (game >= settings.games) return;
    u64 board = games.board[game];
    u64 before = games.before[game];
    u32 before_stage = games.before_stage[game];
    u32 sum = games.sum[game];
    Dice dice = {games.dice[4 * game], games.dice[4 * game + 1], games.dice[4 * game + 2], games.dice[4 * game + 3]};
    u32 stage = stage_of(sum);
    bool entered = before != 0 && stage != before_stage;
    bool beyond = stage == STAGES;
    bool failed = beyond && !is_whole(board);
    Choice choice = choose(values, board, sum, lane, 0);

    bool learns = before != 0 && before_stage != LOWERED;
    Table table = table_of(weights_of(before_stage));
    u64 seen = image(before, lane);
    float value = over_lanes(lane_value(values, table, seen, learns));
    if (learns) {
        float target = choice.over || failed ? 0.0f : choice.total;
        if (entered && !failed) target = settings.bridge[stage] >= 0.0f ? settings.bridge[stage] : target + settings.bonus[stage];
        float error = target - value;
        float4* place = sums + table.begin;
#pragma unroll
        for (int tuple = 0; tuple < TUPLES; tuple++)
            if (has(table, tuple)) accumulate(place + offset_of(tuple) + index_of(tuple, seen), error);
    }

    bool left = entered && (settings.segments || beyond);
    bool captured = settings.capture && (u32)(roll(dice) >> 32) < settings.capture;
    u64 next = 0;
    u32 twice = 0;
    if (choice.over || left) {
        u32 start = 0;
        board = start_position(settings, games, dice, &start);
        sum = tile_sum(board);
        if (lane == 0) {
            if (failed || (choice.over && !beyond)) atomicAdd(games.events + 3 * min(stage, STAGES - 1u) + 2, 1ull);
            atomicAdd(games.events + 3 * start, 1ull);
        }
    } else {
        next = choice.afterstate;
        board = spawn(next, dice);
        u32 tile = ((board ^ next) & ONES) ? 2 : 4;
        if (settings.doubled) twice = entered_doubled(sum, sum + tile);
        sum += tile;
    }
    if (lane != 0) return;
    if (entered && !failed) atomicAdd(games.events + 3 * before_stage + 1, 1ull);
    // The position in which the stage was entered, not the one after the next move.
    if ((entered || captured) && !beyond) remember(games, stage, games.board[game]);
    if (twice) remember(games, DOUBLED_POOLS + twice, doubled(board));
    games.corrected[game] = learns ? before : 0;
    games.corrected_stage[game] = before_stage;
    games.before[game] = next;
    games.before_stage[game] = stage;
    games.board[game] = board;
    games.sum[game] = sum;
    games.dice[4 * game] = dice.a;
    games.dice[4 * game + 1] = dice.b;
    games.dice[4 * game + 2] = dice.c;
    games.dice[4 * game + 3] = dice.d;
}

// The sum of sizes that marks a weight which does not learn any more: no error changes a number of this size.
#define FROZEN -3.0e38f

// Every weight that was visited in this step moves towards the mean of its errors. Whoever takes the visits owns it.
extern "C" __global__ void __launch_bounds__(256) apply(Settings settings, Games games, float* values, float4* sums) {
    u32 game = (blockIdx.x * blockDim.x + threadIdx.x) >> 3;
    u32 lane = threadIdx.x & 7;
    if (game >= settings.games) return;
    u64 board = games.corrected[game];
    if (board == 0) return;
    u64 seen = image(board, lane);
    u32 stage = games.corrected_stage[game];
    Table table = table_of(weights_of(stage));
    float features = (float)(8 * (table.wide ? TUPLES : COMMON));
    float alpha = settings.alpha * settings.rates[stage];
#pragma unroll
    for (int tuple = 0; tuple < TUPLES; tuple++) {
        if (!has(table, tuple)) continue;
        size_t place = table.begin + offset_of(tuple) + index_of(tuple, seen);
        float4 sum = sums[place];
        if (sum.w == 0.0f) continue;
        float visits = atomicExch(&sums[place].w, 0.0f);
        if (visits == 0.0f) continue;
        if (sum.y < 0.0f) {
            sums[place].z = 0.0f;
            continue;
        }
        float share = alpha * visits;
        if (settings.coherent) share *= sum.y > 0.0f ? fabsf(sum.x) / sum.y : 1.0f;
        values[place] += fminf(share, 1.0f) * (sum.z / visits) / features;
        sums[place].z = 0.0f;
        if (settings.fade < 1.0f) {
            sums[place].x = sum.x * settings.fade;
            sums[place].y = sum.y * settings.fade;
        }
    }
}

// Moves `mean` towards the present weights.
extern "C" __global__ void average(float* mean, const float* values, u64 count, float share) {
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x)
        mean[i] += (values[i] - mean[i]) * share;
}

extern "C" __global__ void fill(float* values, u64 begin, u64 end, float value) {
    for (u64 i = begin + blockIdx.x * (u64)blockDim.x + threadIdx.x; i < end; i += (u64)gridDim.x * blockDim.x)
        values[i] = value;
}

// Gives weights the values at which they stay from now on; what is not a number stays free.
extern "C" __global__ void freeze(float* values, float4* sums, u64 begin, u64 count, const float* fixed) {
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x) {
        float value = fixed[i];
        if (value != value) continue;
        values[begin + i] = value;
        sums[begin + i].y = FROZEN;
    }
}

// Gives the weights of one tuple the values that another stage has for the same tiles, each tile replaced by what
// `lowered` says: nibble e of it stands for the tile with exponent e.
extern "C" __global__ void promote(float* values, u64 to, u64 from, u64 count, u64 lowered) {
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x) {
        u64 source = 0;
        for (int cell = 0; cell < 8; cell++) source |= ((lowered >> (4 * ((i >> (4 * cell)) & 15))) & 15) << (4 * cell);
        values[to + i] = values[from + source];
    }
}

// Games with frozen weights to their end: whole ones or, where `starts` are given, from a board each. `visits`, where given, counts
// how often each weight was looked up.
extern "C" __global__ void __launch_bounds__(256) play(u32 count, const u64* seeds, const u64* starts, const float* values,
                                                       u64* ends, u32* scores, u32* moves, u32* visits) {
    u32 game = (blockIdx.x * blockDim.x + threadIdx.x) >> 3;
    u32 lane = threadIdx.x & 7;
    bool alive = game < count;
    Dice dice = {1, 2, 3, 4};
    if (alive) dice = {seeds[4 * game], seeds[4 * game + 1], seeds[4 * game + 2], seeds[4 * game + 3]};
    u64 board = starts && alive ? starts[game] : new_game(dice);
    u32 sum = tile_sum(board), score = 0, made = 0;
    while (__any_sync(ALL_LANES, alive)) {
        Choice choice = choose(values, board, sum, lane, alive ? visits : 0);
        alive = alive && !choice.over;
        if (alive) {
            score += choice.reward;
            made++;
            board = spawn(choice.afterstate, dice);
            sum += ((board ^ choice.afterstate) & ONES) ? 2 : 4;
        }
    }
    if (game < count && lane == 0) {
        ends[game] = board;
        scores[game] = score;
        moves[game] = made;
    }
}
