// How often which value occurs, as columns.

import { h, s } from '../dom.js';
import { short, t } from '../i18n.js';

const COLUMNS = 24;
const WIDTH = 480;
const HEIGHT = 110;

export class Histogram {
  constructor() {
    this.svg = s('svg', { class: 'graph chart', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img' });
    this.low = h('span', {});
    this.high = h('span', {});
    this.title = h('span', {});
    this.element = h('div', { class: 'histogram' }, this.svg, h('div', { class: 'histogram-axis hint-text' }, this.low, this.title, this.high));
  }

  /**
   * @param {number[]} values
   * @param {string} title
   */
  show(values, title) {
    this.element.hidden = values.length < 2;
    if (values.length < 2) return;
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const counts = Array(COLUMNS).fill(0);
    for (const value of values) counts[Math.min(COLUMNS - 1, Math.floor(((value - low) / (high - low || 1)) * COLUMNS))] += 1;
    const most = Math.max(...counts);
    const width = WIDTH / COLUMNS;
    this.svg.replaceChildren(
      ...counts.map((count, i) => s('rect', { class: 'histogram-column', x: i * width + 1, y: HEIGHT - (count / most) * (HEIGHT - 6), width: width - 2, height: (count / most) * (HEIGHT - 6) })),
    );
    this.svg.setAttribute('aria-label', t('histogramOf', { title, low: short(low), high: short(high) }));
    this.low.textContent = short(low);
    this.high.textContent = short(high);
    this.title.textContent = title;
  }
}
