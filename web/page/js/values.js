// What an agent thinks of the moves, as bars.

import { h, icon } from './dom.js';
import { number, short, t, worth } from './i18n.js';

/** @typedef {import('./stream.js').Decision} Decision */
/** @typedef {import('./stream.js').MoveReport} MoveReport */

/**
 * The length of a bar from 0 to 1: the best move fills it, the worst keeps a stub.
 * @param {MoveReport} move
 * @param {MoveReport[]} moves
 */
export function share(move, moves) {
  const values = moves.flatMap(({ value }) => (value === null ? [] : [value]));
  if (move.value === null || values.length === 0) return 0;
  const [worst, best] = [Math.min(...values), Math.max(...values)];
  return best === worst ? 1 : 0.06 + (0.94 * (move.value - worst)) / (best - worst);
}

/**
 * A move's value: the best one's as it is, the others' as what they give away. A bound is no value and is told as it is.
 * @param {MoveReport} move
 * @param {MoveReport} [best]
 */
export function valueText({ value, bound }, best) {
  if (value === null) return '\u2013';
  const sign = bound === 'upper' ? '\u2264\u2009' : bound === 'lower' ? '\u2265\u2009' : '';
  if (sign !== '' || best === undefined || best.value === null || best.value === value) return sign + worth(value);
  return `\u2212${worth(best.value - value)}`.replace('\u2212-', '+');
}

/** @param {Decision} decision */
export function bestOf(decision) {
  return decision.moves.find(({ move }) => move === decision.best);
}

/** Four bars, one for each direction of 2048. */
export class DirectionBars {
  /** @param {(direction: import('./twenty48/model.js').Direction) => void} chosen */
  constructor(chosen) {
    const directions = /** @type {const} */ (['up', 'right', 'down', 'left']);
    this.bars = new Map(
      directions.map((direction) => {
        const fill = h('span', { class: 'bar-fill' });
        const value = h('span', { class: 'bar-value' });
        const row = h(
          'button',
          { type: 'button', class: 'bar', onclick: () => chosen(direction) },
          icon(direction),
          h('span', { class: 'bar-name' }, t(direction)),
          h('span', { class: 'bar-track' }, fill),
          value,
        );
        return [direction, { row, fill, value }];
      }),
    );
    this.element = h('div', { class: 'bars' }, ...[...this.bars.values()].map(({ row }) => row));
  }

  /** @param {Decision | null} decision */
  show(decision) {
    for (const [direction, { row, fill, value }] of this.bars) {
      const move = decision?.moves.find((known) => known.move === direction);
      const isBest = decision !== null && decision.best === direction;
      row.classList.toggle('is-best', isBest);
      row.disabled = decision !== null && move === undefined;
      fill.style.width = `${100 * (move === undefined || decision === null ? 0 : share(move, decision.moves))}%`;
      value.textContent = move === undefined || decision === null ? '\u2013' : isBest && move.value === null ? t('best') : valueText(move, isBest ? undefined : bestOf(decision));
      row.setAttribute('aria-label', `${t(direction)}: ${value.textContent}${isBest ? `, ${t('best')}` : ''}`);
    }
  }
}

/** @param {number} seconds */
function duration(seconds) {
  if (seconds < 0.1) return `${number(seconds * 1000, seconds < 0.001 ? 2 : 0)}\u2009ms`;
  return `${number(seconds, seconds < 10 ? 1 : 0)}\u2009s`;
}

/**
 * Depth, nodes and speed in one line.
 * @param {Decision} decision
 */
export function effortText(decision) {
  const parts = [];
  if (decision.depth > 0) parts.push(t('depthIs', { depth: decision.depth }));
  if (decision.nodes > 0) parts.push(t('nodesAre', { nodes: short(decision.nodes) }));
  if (decision.iterations > 0) parts.push(t('iterationsAre', { iterations: short(decision.iterations) }));
  if (decision.nodes > 0 && decision.seconds > 0.001) {
    parts.push(t('nodesPerSecond', { nodes: short(decision.nodes / decision.seconds) }));
  }
  parts.push(duration(decision.seconds));
  return parts.join(' \u00b7 ');
}
