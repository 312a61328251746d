// A game of Abalone in progress: the moves from its start, and what the server says about where they lead.

import { get, post } from '../api.js';
import { recall, remember } from '../prefs.js';

/** @typedef {import('./board.js').LegalMove} LegalMove */
/** @typedef {LegalMove & { position: string }} Ply */
/** @typedef {{ position: string, side: 'first' | 'second', outcome: string | null, moves: LegalMove[], plies: Ply[] }} Played */
/** @typedef {import('./geometry.js').Colour} Colour */
/** @typedef {{ minutes: number, increment: number }} ClockSettings */
/**
 * Who plays a colour: a person, or an agent by its spec.
 * @typedef {{ start: string, moves: string[], players: Record<Colour, string>, clock: ClockSettings | null, left: Record<Colour, number>, result: string | null }} Saved
 */

export const PERSON = 'human';

export class AbaloneGame {
  /** @param {Saved} saved */
  constructor(saved) {
    this.start = saved.start;
    this.moves = saved.moves;
    this.players = saved.players;
    this.clock = saved.clock;
    this.left = saved.left;
    /** How the game ended other than on the board: `resigned b`, `drawn`, `time w`; `ended b`, `ended drawn` if nobody knows why. */
    this.result = saved.result;
    /** @type {Played} */
    this.state = { position: saved.start, side: 'first', outcome: null, moves: [], plies: [] };
  }

  /**
   * @param {string | null} layout a layout's name, or nothing for the usual one
   * @param {Record<Colour, string>} players
   * @param {ClockSettings | null} clock
   * @param {string} [position] a start of one's own
   */
  static async begin(layout, players, clock, position) {
    const start = position ?? (await get('abalone/start', { layout: layout ?? undefined })).position;
    const left = { b: (clock?.minutes ?? 0) * 60_000, w: (clock?.minutes ?? 0) * 60_000 };
    const game = new AbaloneGame({ start, moves: [], players, clock, left, result: null });
    await game.refresh();
    return game;
  }

  /** The game of this tab, or the last one of any tab. */
  static async saved() {
    const nothing = /** @type {Saved | null} */ (null);
    const saved = recall('abalone', nothing, sessionStorage) ?? recall('abalone', nothing);
    if (saved === null || typeof saved.start !== 'string' || !Array.isArray(saved.moves) || !saved.players) return null;
    const game = new AbaloneGame(saved);
    try {
      await game.refresh();
      return game;
    } catch {
      return null;
    }
  }

  save() {
    const { start, moves, players, clock, left, result } = this;
    const saved = { start, moves, players, clock, left, result };
    remember('abalone', saved, sessionStorage);
    remember('abalone', saved);
  }

  /** Asks the server where the moves lead. */
  async refresh() {
    this.state = await post('abalone/play', { position: this.start, moves: this.moves });
  }

  /** @returns {Colour} */
  get turn() {
    return this.state.side === 'second' ? 'w' : 'b';
  }

  /** How the game ended: `first`, `second`, `drawn` or `null`. */
  get outcome() {
    if (this.state.outcome !== null || this.result === null) return this.state.outcome;
    if (this.result.endsWith('drawn')) return 'drawn';
    return this.result.endsWith('b') ? 'second' : 'first';
  }

  /** @param {string} move */
  async play(move) {
    this.moves = [...this.moves, move];
    try {
      await this.refresh();
    } catch (error) {
      this.moves = this.moves.slice(0, -1);
      throw error;
    }
    this.save();
  }

  /** @param {number} count */
  async takeBack(count) {
    const { moves, result } = this;
    this.moves = moves.slice(0, Math.max(0, moves.length - count));
    this.result = null;
    try {
      await this.refresh();
    } catch (error) {
      this.moves = moves;
      this.result = result;
      throw error;
    }
    this.save();
  }

  /** An address that shows this game. */
  link() {
    const query = new URLSearchParams({ position: this.start, moves: this.moves.join(' ') });
    return `${location.origin}/abalone?${query}`;
  }

  /** The position after the n-th move. @param {number} n */
  positionAt(n) {
    return n === 0 ? this.start : this.state.plies[n - 1].position;
  }
}
