// The hexagonal board: marbles that roll, a selection, and handles for the moves that the server allows.

import { h, s } from '../dom.js';
import { t } from '../i18n.js';
import { CELLS, cellNamed, centre, parse, stepFrom, vector } from './geometry.js';
import { Picking } from './picking.js';

/** @typedef {import('./geometry.js').Colour} Colour */
/** @typedef {import('./geometry.js').Direction} Direction */
/**
 * @typedef {{
 *   move: string, afterstate: string, marbles: string[], direction: Direction, pushed: string[], ejects: boolean
 * }} LegalMove
 */
/** @typedef {{ move: LegalMove, strength: number }} Arrow */

/** Pixels of the drawing per cell. */
export const UNIT = 60;
const RADIUS = 25;
const LEAVING_MS = 450;

export class HexBoard {
  /** @param {(move: LegalMove) => void} played */
  constructor(played) {
    this.flipped = false;
    this.marbleLayer = s('g', { class: 'marbles' });
    this.arrowLayer = s('g', { class: 'arrows', 'aria-hidden': 'true' });
    this.handleLayer = s('g', { class: 'handles' });
    this.cellLayer = s('g', { class: 'cells' });
    this.lastLayer = s('g', { class: 'last-move', 'aria-hidden': 'true' });
    this.nameLayer = s('g', { class: 'cell-names', 'aria-hidden': 'true' });
    this.svg = s(
      'svg',
      { viewBox: '-325 -290 650 580', class: 'hexboard', role: 'application', 'aria-label': t('abaloneBoard') },
      gradients(),
      s('polygon', { class: 'hex-plate', points: hexagon(312) }),
      s('polygon', { class: 'hex-field', points: hexagon(276) }),
      this.cellLayer,
      this.nameLayer,
      this.lastLayer,
      this.marbleLayer,
      this.arrowLayer,
      this.handleLayer,
    );
    this.element = h('div', { class: 'hexboard-box' }, this.svg);
    /** @type {Map<string, SVGGElement>} */
    this.marbles = new Map();
    /** @type {Map<string, SVGGElement>} */
    this.cells = new Map();
    this.position = parse('5/6/7/8/9/8/7/6/5 b 0 0');
    /** @type {LegalMove[]} */
    this.legal = [];
    this.drawCells();
    this.picking = new Picking(this, played);
  }

  /**
   * Where a cell lies in the drawing.
   * @param {{ row: number, column: number }} cell
   */
  place(cell) {
    const { x, y } = centre(cell);
    const sign = this.flipped ? -1 : 1;
    return { x: sign * x * UNIT, y: sign * y * UNIT };
  }

  drawCells() {
    this.cellLayer.replaceChildren();
    this.nameLayer.replaceChildren();
    for (const cell of CELLS) {
      const { x, y } = this.place(cell);
      const dimple = s(
        'g',
        { class: 'cell', 'data-cell': cell.name, tabindex: -1, role: 'button' },
        s('circle', { class: 'dimple', cx: x, cy: y, r: RADIUS + 1 }),
      );
      this.cells.set(cell.name, dimple);
      this.cellLayer.append(dimple);
    }
    this.cells.get('e5')?.setAttribute('tabindex', '0');
    this.drawNames();
  }

  /** Row letters at the left, column numbers at the lower right, as on printed boards. */
  drawNames() {
    for (let i = 0; i < 9; i++) {
      const left = this.place({ row: i, column: Math.max(0, i - 4) - 0.86 });
      this.nameLayer.append(s('text', { x: left.x, y: left.y + 5 }, String.fromCharCode(65 + i)));
      const bottom = this.place({ row: Math.max(0, i - 4) - 0.86, column: i });
      this.nameLayer.append(s('text', { x: bottom.x, y: bottom.y + 5 }, i + 1));
    }
  }

  /** @param {boolean} flipped */
  setFlipped(flipped) {
    if (flipped === this.flipped) return;
    this.flipped = flipped;
    this.drawCells();
    this.showPosition(this.position);
  }

  /**
   * Shows a position without movement.
   * @param {string} text
   */
  show(text) {
    this.showPosition(parse(text));
  }

  /** @param {import('./geometry.js').Position} position */
  showPosition(position) {
    this.position = position;
    this.marbleLayer.replaceChildren();
    this.marbles.clear();
    for (const [name, colour] of position.marbles) {
      const marble = s('g', { class: `marble marble-${colour}` }, ...marbleShapes());
      this.moveTo(marble, this.place(cellNamed(name)));
      this.marbles.set(name, marble);
      this.marbleLayer.append(marble);
    }
    this.describe();
    this.point([]);
    this.picking.clear();
  }

  /**
   * @param {SVGGElement} marble
   * @param {{ x: number, y: number }} place
   */
  moveTo(marble, { x, y }) {
    marble.style.transform = `translate(${x}px, ${y}px)`;
  }

  /**
   * Rolls the marbles of a move and shows the position it leads to.
   * @param {LegalMove} move
   */
  async roll(move) {
    this.picking.clear();
    this.point([]);
    const rolling = [...move.marbles, ...move.pushed].map((name) => ({ name, marble: this.marbles.get(name) }));
    for (const { name } of rolling) this.marbles.delete(name);
    const leaving = move.ejects ? move.pushed[move.pushed.length - 1] : null;
    for (const { name, marble } of rolling) {
      if (marble === undefined) continue;
      const to = stepFrom(cellNamed(name), move.direction);
      this.moveTo(marble, this.place(to));
      if (name === leaving) {
        marble.classList.add('is-leaving');
        setTimeout(() => marble.remove(), LEAVING_MS);
      } else {
        this.marbles.set(CELLS.find(({ row, column }) => row === to.row && column === to.column)?.name ?? '', marble);
      }
    }
    this.position = parse(move.afterstate);
    this.markLast(move);
    this.describe();
    await new Promise((resolve) => setTimeout(resolve, leaving === null ? 180 : LEAVING_MS));
  }

  /**
   * Marks where the last move came from.
   * @param {LegalMove | null} move
   */
  markLast(move) {
    this.lastLayer.replaceChildren();
    if (move === null) return;
    for (const name of [...move.marbles, ...move.pushed]) {
      const from = this.place(cellNamed(name));
      this.lastLayer.append(s('circle', { cx: from.x, cy: from.y, r: RADIUS + 2 }));
    }
  }

  /**
   * Lets the moves be played; none makes the board a picture.
   * @param {LegalMove[]} legal
   */
  allow(legal) {
    this.legal = legal;
    this.svg.classList.toggle('is-open', legal.length > 0);
    this.picking.clear();
  }

  /** Keeps the labels of the cells true. */
  describe() {
    for (const [name, cell] of this.cells) {
      const colour = this.position.marbles.get(name);
      const what = colour === undefined ? t('empty') : t(colour === 'b' ? 'black' : 'white');
      cell.setAttribute('aria-label', `${name.toUpperCase()}: ${what}`);
    }
  }

  /**
   * Draws arrows for moves, the strongest boldest.
   * @param {Arrow[]} arrows
   */
  point(arrows) {
    const drawn = arrows.map(({ move, strength }) => {
      const { from, to } = this.span(move);
      const [dx, dy] = [to.x - from.x, to.y - from.y];
      const length = Math.hypot(dx, dy);
      const angle = (Math.atan2(dy, dx) * 180) / Math.PI;
      const width = 5 + 7 * strength;
      const head = width * 2.1;
      const body = Math.max(length - head, 4);
      const path = `M0 ${-width / 2}H${body}V${-head * 0.75}L${length} 0L${body} ${head * 0.75}V${width / 2}H0Z`;
      const opacity = 0.35 + 0.5 * strength;
      return s('path', { d: path, transform: `translate(${from.x} ${from.y}) rotate(${angle})`, opacity });
    });
    // The strongest lies on top.
    this.arrowLayer.replaceChildren(...drawn.reverse());
  }

  /**
   * From where to where a move goes: from the rearmost marble to just beyond the foremost, or from the middle of the
   * line to the middle of where it lands.
   * @param {LegalMove} move
   */
  span(move) {
    const places = move.marbles.map((name) => this.place(cellNamed(name)));
    const sign = this.flipped ? -1 : 1;
    const step = vector(move.direction);
    const isInline = stepFrom(cellNamed(move.marbles[0]), move.direction);
    const second = move.marbles[1];
    const along = second === undefined || (cellNamed(second).row === isInline.row && cellNamed(second).column === isInline.column);
    const middle = {
      x: places.reduce((sum, { x }) => sum + x, 0) / places.length,
      y: places.reduce((sum, { y }) => sum + y, 0) / places.length,
    };
    const from = along ? places[0] : middle;
    const front = along ? places[places.length - 1] : middle;
    return { from, to: { x: front.x + sign * step.x * UNIT, y: front.y + sign * step.y * UNIT }, middle, along };
  }
}

/** @param {number} radius */
function hexagon(radius) {
  return [0, 60, 120, 180, 240, 300]
    .map((degrees) => {
      const angle = (degrees * Math.PI) / 180;
      return `${(radius * Math.cos(angle)).toFixed(1)},${(radius * Math.sin(angle)).toFixed(1)}`;
    })
    .join(' ');
}

function marbleShapes() {
  return [
    s('circle', { class: 'marble-shadow', cx: 1.5, cy: 3.5, r: RADIUS }),
    s('circle', { class: 'marble-body', r: RADIUS }),
    s('ellipse', { class: 'marble-shine', cx: -8, cy: -11, rx: 8.5, ry: 5.5, transform: 'rotate(-32 -8 -11)' }),
  ];
}

function gradients() {
  const ball = (/** @type {string} */ id, /** @type {string[]} */ classes) =>
    s(
      'radialGradient',
      { id, cx: '38%', cy: '32%', r: '75%' },
      ...classes.map((name, i) => s('stop', { offset: `${[0, 55, 100][i]}%`, class: name })),
    );
  return s('defs', {}, ball('ball-b', ['b-0', 'b-1', 'b-2']), ball('ball-w', ['w-0', 'w-1', 'w-2']), ball('dimple', ['d-0', 'd-1', 'd-2']));
}
