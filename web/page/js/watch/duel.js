// One agent against the other at Abalone, move by move.

import { field, h, select } from '../dom.js';
import { toast } from '../announce.js';
import { catalogue, reason } from '../api.js';
import { t } from '../i18n.js';
import { stream } from '../stream.js';
import { HexBoard } from '../abalone/board.js';
import { AbaloneGame } from '../abalone/game.js';
import { parse } from '../abalone/geometry.js';
import { bestOf, effortText, valueText } from '../values.js';
import { Pace } from './pace.js';

export class DuelView {
  /** @param {() => [string, string]} specs */
  constructor(specs) {
    this.specs = specs;
    this.board = new HexBoard(() => {});
    this.status = h('p', { class: 'game-status', role: 'status' });
    this.thoughts = [0, 1].map((side) => h('p', { class: `hint-text thought thought-${side}` }));
    this.layoutBox = h('div', {});
    this.layout = '';
    /** @type {AbaloneGame | null} */
    this.game = null;
    /** What each side thought last. @type {(import('../stream.js').Decision | null)[]} */
    this.decisions = [null, null];
    /** @type {DuelView | null} The view whose game goes on here. */
    this.before = null;
    this.ended = new AbortController();
    this.pace = new Pace(() => this.step(), () => this.restart(), () => this.game !== null && this.game.outcome !== null);
    this.element = h(
      'section',
      { class: 'panel watch-view', 'aria-label': t('oneGame') },
      h('div', { class: 'row watch-head' }, h('h2', {}, t('oneGame')), this.layoutBox),
      this.board.element,
      this.status,
      ...this.thoughts,
      this.pace.element,
    );
  }

  /** @param {DuelView | null} before */
  async open(before) {
    this.before = before;
    const { layouts } = await catalogue('abalone');
    this.layout = before?.layout ?? layouts[0] ?? '';
    const list = select(layouts.map((name) => [name, name]), this.layout, (layout) => {
      this.layout = layout;
      void this.restart();
    });
    this.layoutBox.replaceChildren(field(t('layout'), list));
    if (before === null) {
      await this.restart();
      return;
    }
    this.take(before);
    await this.pace.succeed(before.pace, () => this.take(before));
  }

  /** @param {DuelView} other */
  take(other) {
    this.game = other.game;
    this.decisions = other.decisions;
    if (this.game === null) return;
    this.board.show(this.game.state.position);
    this.board.markLast(this.game.state.plies.at(-1) ?? null);
    this.show();
  }

  close() {
    this.before?.close();
    this.ended.abort();
    this.pace.end();
  }

  async restart() {
    const [b, w] = this.specs();
    try {
      this.game = await AbaloneGame.begin(this.layout, { b, w }, null);
      // The game of these two is not the person's own.
      this.game.save = () => {};
    } catch (error) {
      toast(reason(error), 'error');
      return;
    }
    this.decisions = [null, null];
    this.board.show(this.game.start);
    this.board.markLast(null);
    this.show();
  }

  show() {
    const { game } = this;
    if (game === null) return;
    const { lost } = parse(game.state.position);
    const score = `${lost.w} : ${lost.b}`;
    const { outcome } = game;
    const state = outcome === null ? t('moveNumber', { number: game.moves.length + 1 }) : outcome === 'drawn' ? t('drawn') : t(outcome === 'first' ? 'blackWon' : 'whiteWon');
    this.status.textContent = `${t('black')} ${score} ${t('white')} \u00b7 ${state}`;
    this.showThoughts();
  }

  showThoughts() {
    for (const [side, decision] of this.decisions.entries()) this.thoughts[side].textContent = decision === null ? '' : thoughtText(side, decision);
  }

  async step() {
    const { game } = this;
    if (game === null || game.outcome !== null) return false;
    const side = game.turn === 'b' ? 0 : 1;
    try {
      const agent = this.specs()[side];
      const decision = await stream.decide('abalone', { position: game.start, moves: game.moves, agent, role: `watch ${side}` }, this.ended.signal, (isLoading) => this.sayLoading(side, isLoading));
      if (game !== this.game) return false;
      this.decisions[side] = decision;
      this.showThoughts();
      const effect = game.state.moves.find(({ move }) => move === decision.best);
      if (effect !== undefined) void this.board.roll(effect);
      await game.play(decision.best);
      this.show();
      return game.outcome === null;
    } catch (error) {
      this.showThoughts();
      if (!this.ended.signal.aborted) toast(reason(error), 'error');
      return false;
    }
  }

  /**
   * @param {number} side
   * @param {boolean} isLoading or thinking
   */
  sayLoading(side, isLoading) {
    this.thoughts[side].textContent = `${t(side === 0 ? 'black' : 'white')}: ${t(isLoading ? 'loading' : 'thinking')}`;
  }
}

/**
 * @param {number} side
 * @param {import('../stream.js').Decision} decision
 */
function thoughtText(side, decision) {
  const best = bestOf(decision);
  return `${t(side === 0 ? 'black' : 'white')}: ${decision.best} (${best === undefined ? '\u2013' : valueText(best)}) \u00b7 ${effortText(decision)}`;
}
