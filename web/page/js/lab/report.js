// An experiment's report while it runs: the tables and figures that `afterstate report` would write now.

import { h } from '../dom.js';
import { get } from '../api.js';
import { number, t, tCount } from '../i18n.js';

/** @typedef {{ title: string, columns: string[], rows: string[][], notes: string[] }} Table */
/** @typedef {{ title: string, about: string, complete: boolean, games: number, origin: string, tables: Table[], figures: string[] }} Report */

export class ReportView {
  constructor() {
    this.element = h('section', { class: 'panel report', 'aria-label': t('report'), hidden: true });
    this.shown = '';
  }

  /**
   * Shows a report anew if there are more games than before.
   * @param {string} name
   * @param {number} games
   */
  async show(name, games) {
    const wanted = `${name} ${games}`;
    if (wanted === this.shown) return;
    this.shown = wanted;
    /** @type {Report | null} Not every file of results can be reported: then its series speak for themselves. */
    const report = await get(`lab/${encodeURIComponent(name)}/report`).catch(() => null);
    if (wanted !== this.shown) return;
    this.element.hidden = report === null;
    if (report === null) return;
    this.element.replaceChildren(
      h('h2', { class: 'report-title' }, report.title),
      h('p', { class: 'hint-text', role: 'status' }, reportState(report)),
      h('p', {}, report.about.trim()),
      ...report.tables.map(table),
      h('div', { class: 'report-figures' }, ...report.figures.map((title, i) => h('img', { src: `/api/lab/${encodeURIComponent(name)}/figures/${i}?games=${games}`, alt: title, loading: 'lazy' }))),
      h('p', { class: 'hint-text report-origin' }, report.origin),
    );
  }
}

/** @param {Report} report */
function reportState({ complete, games }) {
  const values = { games: number(games) };
  return complete ? t('reportComplete', values) : tCount('reportRunning', games, values);
}

/**
 * A figure with its interval under it: beside it, tables grow wider than pages.
 * @param {string} cell
 * @returns {import('../dom.js').Child[]}
 */
function figure(cell) {
  const [, value, interval] = /^(\S.*) (\(.+ to .+\))$/.exec(cell) ?? [cell, cell, ''];
  return interval === '' ? [value] : [value, ' ', h('small', {}, interval.slice(1, -1))];
}

/** @param {Table} table */
function table({ title, columns, rows, notes }) {
  const head = h('tr', {}, ...columns.map((name) => h('th', { scope: 'col' }, name)));
  const body = rows.map(([first, ...others]) => h('tr', {}, h('th', { scope: 'row' }, first), ...others.map((cell) => h('td', {}, ...figure(cell)))));
  return h(
    'div',
    { class: 'report-table' },
    h('h3', {}, title),
    h(
      'div',
      { class: 'report-scroll', tabindex: 0, role: 'group', 'aria-label': title },
      h('table', { class: 'table', 'aria-label': title }, h('thead', {}, head), h('tbody', {}, ...body)),
    ),
    ...notes.map((note) => h('p', { class: 'hint-text' }, note)),
  );
}
