// A game of 2048 in progress: what was played, what can be taken back, and what is saved so that a reload loses nothing.

import { post, get } from '../api.js';
import { recall, remember } from '../prefs.js';
import { format, parse, slide } from './model.js';

/** @typedef {import('./model.js').Direction} Direction */
/** @typedef {import('./model.js').Slide} Slide */
/** @typedef {{ cells: number[], score: number, move: Direction | null }} Moment */
/** @typedef {{ seed: number, ply: number, past: Moment[], cells: number[], score: number }} Saved */
/** @typedef {{ move: Direction, afterstate: string, reward: number, position: string }} Ply */
/** @typedef {{ position: string, outcome: string | null, plies: Ply[] }} Played */

/** How many moves survive a reload for taking back. */
const REMEMBERED = 500;

export class Game2048 {
  /** @param {Saved} saved */
  constructor(saved) {
    this.seed = saved.seed;
    this.ply = saved.ply;
    this.cells = saved.cells;
    this.score = saved.score;
    /** @type {Moment[]} Every moment before this one, with the move played in it. */
    this.past = saved.past;
  }

  /**
   * A new game whose chance is fixed by the seed.
   * @param {number} seed
   */
  static async start(seed) {
    const { position } = await get('2048/start', { seed });
    return Game2048.from(parse(position) ?? Array(16).fill(0), seed);
  }

  /**
   * A game from a given board.
   * @param {number[]} cells
   * @param {number} seed
   * @param {number} [score]
   * @param {number} [ply]
   */
  static from(cells, seed, score = 0, ply = 0) {
    return new Game2048({ seed, ply, past: [], cells, score });
  }

  /** The game of this tab, or the last one of any tab. */
  static saved() {
    const nothing = /** @type {Saved | null} */ (null);
    const saved = recall('2048', nothing, sessionStorage) ?? recall('2048', nothing);
    const sound = saved !== null && Array.isArray(saved.cells) && saved.cells.length === 16 && Array.isArray(saved.past);
    return sound ? new Game2048(saved) : null;
  }

  save() {
    const { seed, ply, cells, score } = this;
    const saved = { seed, ply, cells, score, past: this.past.slice(-REMEMBERED) };
    remember('2048', saved, sessionStorage);
    remember('2048', saved);
  }

  get position() {
    return format(this.cells);
  }

  /**
   * Plays a move: shows the slide at once and the new tile when the server has drawn it.
   * @param {Direction} move
   * @param {{ slid: (slide: Slide) => void, spawned: (cells: number[]) => void }} show
   * @returns {Promise<boolean>} whether the move was possible
   */
  async play(move, show) {
    const slid = slide(this.cells, move);
    if (!slid.changed) return false;
    show.slid(slid);
    /** @type {Played} */
    const played = await post('2048/play', { position: this.position, moves: [move], seed: this.seed, ply: this.ply });
    const [{ afterstate, reward }] = played.plies;
    if (afterstate !== format(slid.cells)) throw new Error(`the page slid to ${format(slid.cells)}, the server to ${afterstate}`);
    this.past.push({ cells: this.cells, score: this.score, move });
    this.cells = parse(played.position) ?? slid.cells;
    this.score += reward;
    this.ply += 1;
    show.spawned(this.cells);
    this.save();
    return true;
  }

  /** Takes the last move back; the same move would bring the same tile again. */
  undo() {
    const last = this.past.pop();
    if (last === undefined) return false;
    this.cells = last.cells;
    this.score = last.score;
    this.ply -= 1;
    this.save();
    return true;
  }

  /** An address that shows this position. */
  link() {
    const query = new URLSearchParams({
      position: this.position,
      seed: String(this.seed),
      score: String(this.score),
      ply: String(this.ply),
    });
    return `${location.origin}/2048?${query}`;
  }
}

/** A seed that nobody has chosen. */
export function randomSeed() {
  return crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000_000;
}
