// Two lines that grow: the scores of two agents over their moves.

import { h, s } from '../dom.js';
import { t } from '../i18n.js';

const WIDTH = 600;
const HEIGHT = 110;
/** Points kept; beyond, every second one goes. */
const MOST = 600;

export class ScoreChart {
  constructor() {
    this.lines = [0, 1].map((i) => s('polyline', { class: `chart-line chart-line-${i}` }));
    this.svg = s('svg', { class: 'graph chart', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': t('scoresOverMoves') }, ...this.lines);
    this.element = h('div', { class: 'chart-box' }, this.svg);
    this.clear();
  }

  /** @type {number[][]} */
  points = [];
  /** Every so manieth point is kept. */
  stride = 1;
  count = 0;

  clear() {
    this.points = [];
    this.stride = 1;
    this.count = 0;
    this.draw();
  }

  /** Shows what another chart shows. @param {ScoreChart} other */
  take({ points, stride, count }) {
    this.points = [...points];
    this.stride = stride;
    this.count = count;
    this.draw();
  }

  /** @param {number[]} values */
  add(values) {
    if (this.count++ % this.stride !== 0) return;
    this.points.push(values);
    if (this.points.length > MOST) {
      this.points = this.points.filter((_, i) => i % 2 === 0);
      this.stride *= 2;
    }
    this.draw();
  }

  draw() {
    const highest = Math.max(1, ...this.points.flat());
    const last = Math.max(1, this.points.length - 1);
    this.lines.forEach((line, side) => {
      const points = this.points.map((values, i) => `${((i / last) * WIDTH).toFixed(1)},${(HEIGHT - 4 - ((HEIGHT - 8) * values[side]) / highest).toFixed(1)}`);
      line.setAttribute('points', points.join(' '));
    });
    this.element.hidden = this.points.length < 2;
  }
}
