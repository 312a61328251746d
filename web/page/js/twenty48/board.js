// Tiles that slide, merge and appear. The markup is that of the original game, so that programs which read it can read
// this board too.

import { h } from '../dom.js';
import { t } from '../i18n.js';

/** @typedef {import('./model.js').Slide} Slide */
/** @typedef {import('./model.js').Direction} Direction */

export class TileBoard {
  constructor() {
    this.tiles = h('div', { class: 'tile-container', 'aria-hidden': 'true' });
    this.rows = [0, 1, 2, 3].map(() => [0, 1, 2, 3].map(() => h('td', {})));
    this.arrow = h('div', { class: 'board-arrow', 'aria-hidden': 'true' });
    this.element = h(
      'div',
      { class: 'board2048' },
      h('div', { class: 'board-cells', 'aria-hidden': 'true' }, ...Array.from({ length: 16 }, () => h('i', {}))),
      this.tiles,
      this.arrow,
      h(
        'table',
        { class: 'visually-hidden', 'aria-label': t('board') },
        h('tbody', {}, ...this.rows.map((row) => h('tr', {}, ...row))),
      ),
    );
    /** @type {(HTMLElement | null)[]} The tile on each cell. */
    this.onCell = Array(16).fill(null);
    /** @type {HTMLElement[]} Tiles that have merged into others and are about to go. */
    this.gone = [];
  }

  /**
   * @param {number} cell
   * @param {number} value
   * @param {string} [entrance]
   */
  place(cell, value, entrance = '') {
    const tile = h('div', {}, h('div', { class: 'tile-inner' }, value));
    tile.dataset.digits = String(String(value).length);
    name(tile, value, cell, entrance);
    this.tiles.append(tile);
    this.onCell[cell] = tile;
  }

  /**
   * Shows a board without any movement.
   * @param {number[]} cells
   */
  show(cells) {
    this.tiles.replaceChildren();
    this.gone = [];
    this.onCell = Array(16).fill(null);
    cells.forEach((value, cell) => value > 0 && this.place(cell, value));
    this.describe(cells);
  }

  /** Ends the movements of the last move at once: the next one has begun. */
  settle() {
    for (const tile of this.gone) tile.remove();
    this.gone = [];
  }

  /** @param {Slide} slide */
  slide(slide) {
    this.settle();
    const before = this.onCell;
    this.onCell = Array(16).fill(null);
    for (const { from, to, merges } of slide.paths) {
      const tile = before[from];
      if (tile === null) continue;
      name(tile, Number(tile.dataset.value), to, '');
      const other = this.onCell[to];
      if (merges && other !== null) {
        this.gone.push(tile, other);
        this.place(to, slide.cells[to], 'tile-merged');
      } else {
        this.onCell[to] = tile;
      }
    }
    this.describe(slide.cells);
  }

  /**
   * Shows the tiles that came in addition.
   * @param {number[]} cells
   */
  spawn(cells) {
    cells.forEach((value, cell) => {
      if (value > 0 && this.onCell[cell] === null) this.place(cell, value, 'tile-new');
    });
    this.describe(cells);
  }

  /**
   * Keeps the table for screen readers true.
   * @param {number[]} cells
   */
  describe(cells) {
    cells.forEach((value, cell) => {
      this.rows[cell >> 2][cell & 3].textContent = value === 0 ? t('empty') : String(value);
    });
  }

  /**
   * Points in a direction, or nowhere.
   * @param {Direction | null} direction
   */
  point(direction) {
    this.arrow.className = direction === null ? 'board-arrow' : `board-arrow points-${direction}`;
  }

  /** Shakes the board: this move is not possible. */
  refuse() {
    this.element.classList.remove('refuses');
    void this.element.offsetWidth;
    this.element.classList.add('refuses');
  }
}

/**
 * @param {HTMLElement} tile
 * @param {number} value
 * @param {number} cell
 * @param {string} entrance
 */
function name(tile, value, cell, entrance) {
  tile.dataset.value = String(value);
  tile.className = `tile tile-${value} tile-position-${(cell & 3) + 1}-${(cell >> 2) + 1} ${entrance}`.trim();
}

/**
 * Reports swipes on an element.
 * @param {HTMLElement} element
 * @param {(direction: Direction) => void} swiped
 */
export function onSwipe(element, swiped) {
  const SHORTEST = 24;
  /** @type {{ x: number, y: number } | null} */
  let start = null;
  element.addEventListener('pointerdown', (event) => {
    if (event.isPrimary) start = { x: event.clientX, y: event.clientY };
  });
  const end = (/** @type {PointerEvent} */ event) => {
    if (start === null || !event.isPrimary) return;
    const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
    if (Math.max(Math.abs(dx), Math.abs(dy)) < SHORTEST) return;
    start = null;
    if (Math.abs(dx) > Math.abs(dy)) swiped(dx > 0 ? 'right' : 'left');
    else swiped(dy > 0 ? 'down' : 'up');
  };
  element.addEventListener('pointermove', end);
  element.addEventListener('pointerup', () => (start = null));
  element.addEventListener('pointercancel', () => (start = null));
}
