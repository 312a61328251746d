// Choosing a move on the hexagonal board: marbles by click, a direction by handle, target cell, drag or key.

import { s } from '../dom.js';
import { announce } from '../announce.js';
import { t, tCount } from '../i18n.js';
import { DIRECTIONS, cellNamed, neighbour, towards, vector } from './geometry.js';
import { UNIT } from './board.js';

/** @typedef {import('./board.js').LegalMove} LegalMove */
/** @typedef {import('./geometry.js').Direction} Direction */

/** Physical keys around S, lying as the six directions do. @type {Record<string, Direction>} */
const KEYS = { KeyW: 'nw', KeyE: 'ne', KeyA: 'w', KeyD: 'e', KeyZ: 'sw', KeyX: 'se' };

/** A drag shorter than this part of a cell is a click. */
const SHORTEST_DRAG = 0.35;

export class Picking {
  /**
   * @param {import('./board.js').HexBoard} board
   * @param {(move: LegalMove) => void} played
   */
  constructor(board, played) {
    this.board = board;
    this.played = played;
    /** @type {string[]} */
    this.chosen = [];
    /** @type {{ cell: string, x: number, y: number, move: LegalMove | null, isDrag: boolean } | null} */
    this.drag = null;
    board.svg.addEventListener('pointerdown', (event) => this.press(event));
    board.svg.addEventListener('pointermove', (event) => this.pull(event));
    board.svg.addEventListener('pointerup', (event) => this.release(event));
    board.svg.addEventListener('pointercancel', () => this.letGo());
    board.svg.addEventListener('keydown', (event) => this.key(event));
  }

  clear() {
    this.letGo();
    this.choose([]);
  }

  /** @param {string[]} cells */
  choose(cells) {
    this.chosen = cells;
    for (const [name, marble] of this.board.marbles) marble.classList.toggle('is-chosen', cells.includes(name));
    this.drawHandles();
  }

  /** The legal moves of exactly the chosen marbles. */
  exact() {
    return this.board.legal.filter(
      ({ marbles }) => marbles.length === this.chosen.length && marbles.every((name) => this.chosen.includes(name)),
    );
  }

  /** @param {string} cell */
  own(cell) {
    return this.board.position.marbles.get(cell) === this.board.position.turn;
  }

  /**
   * Adds a marble to the selection or takes it out; a marble that does not fit begins a new one.
   * @param {string} cell
   */
  toggle(cell) {
    if (this.chosen.includes(cell)) {
      const rest = this.chosen.filter((name) => name !== cell);
      this.choose(this.fits(rest) ? rest : [cell]);
    } else {
      const more = [...this.chosen, cell];
      this.choose(this.fits(more) ? more : [cell]);
    }
    const moves = this.exact().length;
    announce(tCount('chosen', moves, { cells: this.chosen.join(', ').toUpperCase(), moves }));
  }

  /**
   * Whether the cells are part of the marbles of some legal move, in one piece.
   * @param {string[]} cells
   */
  fits(cells) {
    const [first, second] = cells;
    if (cells.length === 2 && !DIRECTIONS.some((direction) => neighbour(first, direction) === second)) {
      // The marble between two ends comes with them.
      const between = DIRECTIONS.map((direction) => neighbour(first, direction)).find(
        (middle) => middle !== null && this.own(middle) && DIRECTIONS.some((d) => neighbour(first, d) === middle && neighbour(middle, d) === second),
      );
      if (between === null || between === undefined) return false;
      cells.splice(1, 0, between);
    }
    return this.board.legal.some(({ marbles }) => cells.every((name) => marbles.includes(name)));
  }

  /** @param {LegalMove} move */
  play(move) {
    this.clear();
    this.played(move);
  }

  /**
   * A click on a cell: a marble to choose, or a place to go.
   * @param {string} cell
   */
  click(cell) {
    if (this.board.legal.length === 0) return;
    if (this.own(cell)) {
      this.toggle(cell);
      return;
    }
    const moves = this.exact().filter((move) => targets(move).includes(cell));
    const move = moves.length > 1 ? this.nearest(moves, cell) : moves[0];
    if (move !== undefined) this.play(move);
    else if (this.chosen.length > 0 && moves.length === 0) this.choose([]);
  }

  /**
   * Of two broadside moves to the same cell the one that points there; none if it lies right between.
   * @param {LegalMove[]} moves
   * @param {string} cell
   */
  nearest(moves, cell) {
    const to = this.board.place(cellNamed(cell));
    const sign = this.board.flipped ? -1 : 1;
    const fit = (/** @type {LegalMove} */ move) => {
      const { middle } = this.board.span(move);
      const step = vector(move.direction);
      return sign * (step.x * (to.x - middle.x) + step.y * (to.y - middle.y));
    };
    const [best, next] = [...moves].sort((a, b) => fit(b) - fit(a));
    return fit(best) - fit(next) > 1 ? best : undefined;
  }

  drawHandles() {
    const handles = this.exact().map((move) => {
      const { to, middle, along } = this.board.span(move);
      const sign = this.board.flipped ? -1 : 1;
      const step = vector(move.direction);
      // Handles of broadside moves stand nearer, so that the two on one side do not touch.
      const at = along ? to : { x: middle.x + sign * step.x * UNIT * 0.92, y: middle.y + sign * step.y * UNIT * 0.92 };
      const angle = (Math.atan2(sign * step.y, sign * step.x) * 180) / Math.PI;
      const handle = s(
        'g',
        { class: `handle${move.pushed.length > 0 ? ' handle-push' : ''}`, 'data-direction': move.direction, transform: `translate(${at.x} ${at.y})` },
        // What a finger meets is larger than what is seen.
        s('circle', { class: 'handle-reach', r: 26 }),
        s('circle', { r: 15 }),
        s('path', { d: 'M-5 -7L4 0L-5 7', transform: `rotate(${angle})` }),
      );
      handle.addEventListener('pointerdown', (event) => event.stopPropagation());
      handle.addEventListener('click', () => this.play(move));
      return handle;
    });
    this.board.handleLayer.replaceChildren(...handles);
  }

  /**
   * The cell under a pointer, by distance: marbles do not catch the pointer themselves.
   * @param {PointerEvent} event
   */
  at(event) {
    const matrix = this.board.svg.getScreenCTM();
    if (matrix === null) return null;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    for (const name of this.board.cells.keys()) {
      const { x, y } = this.board.place(cellNamed(name));
      if (Math.hypot(point.x - x, point.y - y) < UNIT / 2) return { cell: name, x: point.x, y: point.y };
    }
    return { cell: null, x: point.x, y: point.y };
  }

  /** @param {PointerEvent} event */
  press(event) {
    const at = this.at(event);
    if (!event.isPrimary || at === null || at.cell === null) return;
    this.drag = { cell: at.cell, x: at.x, y: at.y, move: null, isDrag: false };
    if (this.own(at.cell)) this.board.svg.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  pull(event) {
    const drag = this.drag;
    const at = this.at(event);
    if (drag === null || at === null || !this.own(drag.cell) || this.board.legal.length === 0) return;
    const sign = this.board.flipped ? -1 : 1;
    const [x, y] = [(sign * (at.x - drag.x)) / UNIT, (sign * (at.y - drag.y)) / UNIT];
    if (!drag.isDrag && Math.hypot(x, y) < SHORTEST_DRAG / 2) return;
    drag.isDrag = true;
    const direction = towards(x, y);
    const move = this.dragged(drag.cell, direction);
    if (move !== drag.move) this.shift(drag.move, 0);
    drag.move = move;
    const along = vector(direction).x * x + vector(direction).y * y;
    this.shift(move, Math.max(0, Math.min(1, along)));
  }

  /**
   * The move that a drag of a marble means: the selection's, if it is part of one, else that of the line before it.
   * @param {string} cell
   * @param {Direction} direction
   */
  dragged(cell, direction) {
    const exact = this.chosen.includes(cell) ? this.exact() : [];
    const chosen = exact.find((move) => move.direction === direction);
    if (chosen !== undefined) return chosen;
    const pushes = this.board.legal.filter((move) => move.direction === direction && move.marbles[0] === cell);
    return pushes.find((move) => this.board.span(move).along) ?? null;
  }

  /**
   * Shows a move as a part of its way.
   * @param {LegalMove | null} move
   * @param {number} part
   */
  shift(move, part) {
    if (move === null) return;
    const sign = this.board.flipped ? -1 : 1;
    const step = vector(move.direction);
    for (const name of [...move.marbles, ...move.pushed]) {
      const marble = this.board.marbles.get(name);
      const { x, y } = this.board.place(cellNamed(name));
      marble?.classList.toggle('is-held', part > 0);
      if (marble !== undefined) this.board.moveTo(marble, { x: x + sign * step.x * UNIT * part, y: y + sign * step.y * UNIT * part });
    }
    if (this.drag !== null) this.drag.isDrag = true;
    this.part = part;
  }

  part = 0;

  /** @param {PointerEvent} event */
  release(event) {
    const drag = this.drag;
    if (drag === null) return;
    const at = this.at(event);
    const { move, isDrag } = drag;
    const far = this.part >= SHORTEST_DRAG;
    this.letGo();
    if (isDrag) {
      if (move !== null && far) this.play(move);
    } else if (at?.cell === drag.cell) {
      this.focus(drag.cell);
      this.click(drag.cell);
    }
  }

  letGo() {
    if (this.drag === null) return;
    const { move } = this.drag;
    this.drag = null;
    this.shift(move, 0);
  }

  /** @param {string} cell */
  focus(cell) {
    for (const [name, element] of this.board.cells) element.setAttribute('tabindex', name === cell ? '0' : '-1');
    this.board.cells.get(cell)?.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const cell = event.target instanceof Element ? event.target.getAttribute('data-cell') : null;
    if (cell === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = this.step(cell, event.key);
    const direction = KEYS[event.code];
    if (next !== null) this.focus(next);
    else if (event.key === ' ' || event.key === 'Enter') this.click(cell);
    else if (event.key === 'Escape') this.choose([]);
    else if (direction !== undefined && this.chosen.length > 0) {
      const meant = this.board.flipped ? DIRECTIONS[(DIRECTIONS.indexOf(direction) + 3) % 6] : direction;
      const move = this.exact().find((candidate) => candidate.direction === meant);
      if (move === undefined) announce(t('noSuchMove'));
      else this.play(move);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * The cell that an arrow key leads to: along the row, or to the nearest cell of the next one.
   * @param {string} cell
   * @param {string} key
   */
  step(cell, key) {
    const up = this.board.flipped ? 'se' : 'nw';
    const upElse = this.board.flipped ? 'sw' : 'ne';
    const down = this.board.flipped ? 'ne' : 'sw';
    const downElse = this.board.flipped ? 'nw' : 'se';
    const [left, right] = this.board.flipped ? /** @type {const} */ (['e', 'w']) : /** @type {const} */ (['w', 'e']);
    switch (key) {
      case 'ArrowUp': return neighbour(cell, up) ?? neighbour(cell, upElse);
      case 'ArrowDown': return neighbour(cell, downElse) ?? neighbour(cell, down);
      case 'ArrowLeft': return neighbour(cell, left);
      case 'ArrowRight': return neighbour(cell, right);
      default: return null;
    }
  }
}

/**
 * The cells that a click may name for a move: the cell in front of a line, or all that a broadside lands on.
 * @param {LegalMove} move
 */
function targets(move) {
  const landed = move.marbles.map((name) => neighbour(name, move.direction));
  return landed.filter((name) => name !== null && !move.marbles.includes(name));
}
