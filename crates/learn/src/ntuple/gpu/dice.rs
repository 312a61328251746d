//! The state of seeded dice, which the kernels need as four words.

/// The four words of `Dice::seeded(seed)`: xoshiro256++ is seeded from successive numbers of `SplitMix64`.
pub(super) fn dice_state(seed: u64) -> [u64; 4] {
    let mut counter = seed;
    std::array::from_fn(|_| {
        counter = counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = counter;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    })
}

#[cfg(test)]
mod tests {
    use afterstate_game::Dice;

    use super::*;

    #[test]
    fn the_words_are_the_state_of_the_dice() {
        for seed in [0, 1, 2048, u64::MAX] {
            let [mut a, mut b, mut c, mut d] = dice_state(seed);
            let mut dice = Dice::seeded(seed);
            for _ in 0..100 {
                assert_eq!(a.wrapping_add(d).rotate_left(23).wrapping_add(a), dice.bits());
                let t = b << 17;
                c ^= a;
                d ^= b;
                b ^= c;
                a ^= d;
                c ^= t;
                d = d.rotate_left(45);
            }
        }
    }
}
