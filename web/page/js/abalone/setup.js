// A board on which marbles are put and taken away.

import { HexBoard } from './board.js';

/** @typedef {import('./geometry.js').Colour} Colour */

/** What a click makes of a cell. */
const NEXT = /** @type {const} */ ({ none: 'b', b: 'w', w: 'none' });

export class SetupBoard {
  /**
   * @param {Map<string, Colour>} marbles
   * @param {() => void} changed
   */
  constructor(marbles, changed) {
    this.marbles = new Map(marbles);
    this.changed = changed;
    this.board = new HexBoard(() => {});
    this.element = this.board.element;
    // Before the board itself hears of it: here a click changes marbles instead of choosing them.
    this.board.svg.addEventListener('pointerdown', (event) => {
      event.stopImmediatePropagation();
      const at = this.board.picking.at(event);
      if (at !== null && at.cell !== null) this.turn(at.cell);
    }, { capture: true });
    this.board.svg.addEventListener('keydown', (event) => {
      const cell = event.target instanceof Element ? event.target.getAttribute('data-cell') : null;
      if (cell === null || (event.key !== ' ' && event.key !== 'Enter')) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      this.turn(cell);
    }, { capture: true });
    this.show();
  }

  /** @param {string} cell */
  turn(cell) {
    const next = NEXT[this.marbles.get(cell) ?? 'none'];
    if (next === 'none') this.marbles.delete(cell);
    else this.marbles.set(cell, next);
    this.show();
    this.changed();
  }

  clear() {
    this.set(new Map());
    this.changed();
  }

  /** @param {Map<string, Colour>} marbles */
  set(marbles) {
    this.marbles = new Map(marbles);
    this.show();
  }

  show() {
    this.board.showPosition({ marbles: this.marbles, turn: 'b', lost: { b: 0, w: 0 } });
  }
}
