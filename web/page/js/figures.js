// The laboratory's figures in a table.

import { h } from './dom.js';
import { number } from './i18n.js';

/** @typedef {{ value: number | null, interval: { low: number | null, high: number | null } | null }} Estimate */

/**
 * A value with its interval.
 * @param {Estimate | null} estimated
 * @param {number} [digits]
 */
export function estimate(estimated, digits = 0) {
  if (estimated === null || estimated.value === null) return '\u2013';
  const { low, high } = estimated.interval ?? { low: null, high: null };
  const value = number(estimated.value, digits);
  return low === null || high === null ? value : `${value} (${number(low, digits)} \u2026 ${number(high, digits)})`;
}

/**
 * A row of a table under its name.
 * @param {string} name
 * @param {...(string | number)} cells
 */
export function row(name, ...cells) {
  return h('tr', {}, h('th', { scope: 'row' }, name), ...cells.map((cell) => h('td', {}, cell)));
}
