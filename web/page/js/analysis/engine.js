// One agent at work on the present position: its choice, its line, its values, growing as it searches.

import { button, h, iconButton, select } from '../dom.js';
import { agentPicker } from '../agents.js';
import { catalogue } from '../api.js';
import { short, t } from '../i18n.js';
import { recall, remember } from '../prefs.js';
import { stream } from '../stream.js';
import { bestOf, effortText, share, valueText } from '../values.js';
import { deepened } from './deepen.js';

/** @typedef {import('../stream.js').Decision} Decision */
/** @typedef {import('../stream.js').Question} Question */
/** @typedef {import('../api.js').Game} Game */

/** Limits on offer; the first leaves the agent to its own settings. */
const TIMES = ['', '2s', '10s', '60s'];
const ROWS = 6;
const LONGEST_LINE = 14;

export class Engine {
  /**
   * @param {Game} game
   * @param {number} number
   * @param {{ decided: (decision: Decision | null) => void, step: (moves: string[]) => void, removed: (() => void) | null }} tell
   */
  constructor(game, number, tell) {
    this.game = game;
    this.number = number;
    this.tell = tell;
    /** @type {boolean} */
    this.isOn = number === 0 || recall(`analysis.on.${number}`, true);
    this.time = recall(`analysis.time.${game}`, '10s');
    /** @type {Question | null} */
    this.question = null;
    /** @type {Decision | null} */
    this.decision = null;
    this.showsAll = false;
    this.end = () => {};
    /** @type {import('../agents.js').Picker | null} */
    this.picker = null;
    this.pickerBox = h('div', { class: 'engine-picker' });
    this.headline = h('p', { class: 'engine-value' }, '\u2013');
    this.effort = h('p', { class: 'hint-text' });
    this.line = h('p', { class: 'engine-line', 'aria-label': t('bestLine') });
    this.rows = h('div', { class: 'engine-moves' });
    this.more = button(null, t('showAll'), () => this.toggleRows(), { class: 'button button-small', hidden: true });
    this.toggle = iconButton('pause', t('pause'), () => this.switch(!this.isOn));
    const times = select(TIMES.map((time) => [time, time === '' ? t('ownLimits') : t('upTo', { time })]), this.time, (time) => {
      this.time = time;
      remember(`analysis.time.${game}`, time);
      this.restart();
    }, { 'aria-label': t('limit') });
    this.element = h(
      'section',
      { class: `panel engine engine-${number}`, 'aria-label': t('agentNumber', { number: number + 1 }) },
      h('div', { class: 'engine-head' }, this.headline, this.toggle, tell.removed && iconButton('close', t('remove'), tell.removed)),
      this.effort,
      this.line,
      this.rows,
      this.more,
      h('div', { class: 'engine-settings' }, this.pickerBox, times),
    );
  }

  async open() {
    const label = t('agentNumber', { number: this.number + 1 });
    this.picker = await agentPicker(this.game, `analysis.${this.number}`, () => this.restart(), {
      label,
      // Another agent is another one: each is a level below the one before.
      preferred: ({ levels, adviser }) => levels[levels.length - 1 - this.number]?.spec ?? adviser,
    });
    this.pickerBox.replaceChildren(this.picker.element);
    this.known = await catalogue(this.game);
    this.switch(this.isOn);
  }

  close() {
    this.end();
  }

  /** @param {boolean} on */
  switch(on) {
    this.isOn = on;
    remember(`analysis.on.${this.number}`, on);
    const label = t(on ? 'pause' : 'goOnThinking');
    this.toggle.replaceWith((this.toggle = iconButton(on ? 'pause' : 'play', label, () => this.switch(!this.isOn))));
    if (on) this.restart();
    else this.end();
  }

  /** Searches a position, or nothing. @param {Question | null} question */
  ask(question) {
    this.question = question;
    this.restart();
  }

  restart() {
    this.end();
    this.show(null);
    const { question, picker, known } = this;
    if (!this.isOn || question === null || picker === null || known === undefined) return;
    const limits = this.time === '' ? {} : { time: this.time };
    const agent = this.time === '' ? picker.spec() : deepened(picker.spec(), known);
    this.effort.textContent = t('thinking');
    this.end = stream.analyse(this.game, { ...question, ...limits, agent, role: `analysis ${this.number}` }, {
      loading: () => (this.effort.textContent = t('loading')),
      decision: (decision) => this.show(decision),
      done: (decision) => this.show(decision),
      error: (message) => (this.effort.textContent = message),
    });
  }

  toggleRows() {
    this.showsAll = !this.showsAll;
    this.show(this.decision);
  }

  /** @param {Decision | null} decision */
  show(decision) {
    this.decision = decision;
    this.tell.decided(decision);
    if (decision === null) {
      this.headline.textContent = '\u2013';
      this.effort.textContent = '';
      this.line.replaceChildren();
      this.rows.replaceChildren();
      this.more.hidden = true;
      return;
    }
    const best = bestOf(decision);
    this.headline.textContent = best === undefined ? '\u2013' : valueText(best);
    this.effort.textContent = effortText(decision);
    fit(this.line, decision.line.slice(0, LONGEST_LINE).length, (i) => this.lineButton(i));
    decision.line.slice(0, LONGEST_LINE).forEach((move, i) => (this.line.children[i].textContent = this.nameOf(move)));
    const shown = this.showsAll ? decision.moves : decision.moves.slice(0, ROWS);
    fit(this.rows, shown.length, (i) => this.row(i));
    shown.forEach((move, i) => this.fillRow(/** @type {HTMLElement} */ (this.rows.children[i]), move, decision));
    this.more.hidden = decision.moves.length <= ROWS;
    this.more.textContent = t(this.showsAll ? 'showFew' : 'showAll');
  }

  /** @param {string} move */
  nameOf(move) {
    return this.game === '2048' ? t(/** @type {'up'} */ (move)) : move;
  }

  /** A move of the best line, whatever it is at the time of the click. @param {number} index */
  lineButton(index) {
    const follow = () => this.decision !== null && this.tell.step(this.decision.line.slice(0, index + 1));
    return h('button', { type: 'button', class: 'line-move', onclick: follow });
  }

  /** @param {number} index */
  row(index) {
    const play = () => {
      const move = this.decision?.moves[index];
      if (move !== undefined) this.tell.step([move.move]);
    };
    return h(
      'button',
      { type: 'button', class: 'bar engine-row', onclick: play },
      h('span', { class: 'bar-name' }),
      h('span', { class: 'bar-track' }, h('span', { class: 'bar-fill' })),
      h('span', { class: 'bar-value' }),
    );
  }

  /**
   * @param {HTMLElement} row
   * @param {import('../stream.js').MoveReport} move
   * @param {Decision} decision
   */
  fillRow(row, move, decision) {
    const isBest = move.move === decision.best;
    const [name, track, value] = row.children;
    row.classList.toggle('is-best', isBest);
    row.title = move.visits === undefined ? '' : t('visitsAre', { visits: short(move.visits) });
    name.textContent = this.nameOf(move.move);
    /** @type {HTMLElement} */ (track.firstElementChild).style.width = `${100 * share(move, decision.moves)}%`;
    value.textContent = valueText(move, isBest ? undefined : bestOf(decision));
  }
}

/**
 * Gives an element so many children. Those that are there stay: a decision comes twenty times a second, and a button that
 * is replaced between press and release is never clicked.
 * @param {HTMLElement} element
 * @param {number} count
 * @param {(index: number) => HTMLElement} make
 */
function fit(element, count, make) {
  while (element.children.length > count) element.lastElementChild?.remove();
  while (element.children.length < count) element.append(make(element.children.length));
}
