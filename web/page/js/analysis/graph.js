// The value of a game over its moves, with the mistakes marked.

import { h, s } from '../dom.js';
import { t, tOr } from '../i18n.js';
import { arePoints, mistakes, valueOf } from './review.js';

/** @typedef {import('./tree.js').Node} Node */
/** @typedef {import('./tree.js').GameTree} GameTree */

const WIDTH = 600;
const HEIGHT = 140;
const EDGE = 6;

export class Graph {
  /** @param {(node: Node) => void} chosen */
  constructor(chosen) {
    this.chosen = chosen;
    this.svg = s('svg', { class: 'graph', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': t('valueGraph') });
    this.marks = h('div', { class: 'graph-marks' });
    this.element = h('div', { class: 'graph-box' }, h('div', { class: 'graph-frame' }, this.svg, this.marks));
    /** @type {Node[]} */
    this.line = [];
    this.svg.addEventListener('click', (event) => {
      const box = this.svg.getBoundingClientRect();
      const index = Math.round(((event.clientX - box.left) / box.width) * (this.line.length - 1));
      const node = this.line[index];
      if (node !== undefined) this.chosen(node);
    });
  }

  /** @param {GameTree} tree */
  show(tree) {
    this.line = tree.mainLine();
    const last = Math.max(1, this.line.length - 1);
    const x = (/** @type {Node} */ node) => (node.ply / last) * WIDTH;
    const y = scale(tree, this.line);
    const points = this.line.flatMap((node) => {
      const value = valueOf(tree, node);
      return value === null ? [] : [{ node, x: x(node), y: y(value) }];
    });
    const path = points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
    const ground = tree.game === '2048' ? HEIGHT : HEIGHT / 2;
    this.svg.replaceChildren(
      s('line', { class: 'graph-zero', x1: 0, x2: WIDTH, y1: ground, y2: ground }),
      s('polygon', { class: 'graph-area', points: points.length < 2 ? '' : `${points[0].x},${ground} ${path} ${points[points.length - 1].x},${ground}` }),
      s('polyline', { class: 'graph-line', points: path }),
      s('line', { class: 'graph-now', x1: x(tree.current), x2: x(tree.current), y1: 0, y2: HEIGHT }),
    );
    this.showMarks(tree, x, y);
    this.element.classList.toggle('is-empty', points.length < 2);
  }

  /**
   * Marks lie above the drawing, because its scales differ and would squeeze a circle.
   * @param {GameTree} tree
   * @param {(node: Node) => number} x
   * @param {(value: number) => number} y
   */
  showMarks(tree, x, y) {
    const found = mistakes(tree).filter(({ mark }) => mark !== '?!' || this.line.length < 120);
    this.marks.replaceChildren(
      ...found.map(({ node, mark, best }) => {
        const value = valueOf(tree, node) ?? (node.parent === null ? null : valueOf(tree, node.parent));
        const label = t('mistakeIs', { number: node.ply, move: tOr(node.played?.move ?? ''), mark, best: tOr(best) });
        const dot = h('button', { type: 'button', class: `graph-mark ${MARKS[mark]}`, title: label, 'aria-label': label, onclick: () => this.chosen(node) });
        dot.style.left = `${(100 * x(node)) / WIDTH}%`;
        dot.style.top = `${(100 * (value === null ? HEIGHT / 2 : y(value))) / HEIGHT}%`;
        return dot;
      }),
    );
  }
}

const MARKS = { '?!': 'is-slip', '?': 'is-mistake', '??': 'is-blunder' };

/**
 * From a value to a height. Between two sides the middle is even and far advantages are pressed together.
 * @param {GameTree} tree
 * @param {Node[]} line
 */
function scale(tree, line) {
  const values = line.flatMap((node) => valueOf(tree, node) ?? []);
  if (tree.game !== '2048') {
    const unit = arePoints(values) ? 1500 : 0.5;
    return (/** @type {number} */ value) => HEIGHT / 2 - (HEIGHT / 2 - EDGE) * Math.tanh(value / unit);
  }
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const span = high > low ? high - low : 1;
  return (/** @type {number} */ value) => HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (value - low)) / span;
}
