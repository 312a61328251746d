// Watching agents: two side by side on the same chance, one against the other, and matches of many games.

import { h, select } from '../dom.js';
import { agentPicker } from '../agents.js';
import { t } from '../i18n.js';
import { go } from '../navigate.js';
import { recall, remember } from '../prefs.js';
import { DuelView } from './duel.js';
import { MatchPanel } from './match.js';
import { SideBySide } from './sidebyside.js';

/** @typedef {import('../api.js').Game} Game */

/** What goes on when the screen is built anew. @typedef {{ view: any, match: import('./match.js').Match | null }} Running */

/**
 * @param {URLSearchParams} query
 * @param {Running} [running]
 */
export function screen(query, running) {
  const named = query.get('game') ?? recall('watch.game', '2048');
  return new WatchScreen(named === 'abalone' ? 'abalone' : '2048', running ?? { view: null, match: null });
}

class WatchScreen {
  /**
   * @param {Game} game
   * @param {Running} running
   */
  constructor(game, running) {
    this.game = game;
    this.running = running;
    this.hasOpened = false;
    this.isHandedOver = false;
    remember('watch.game', game);
    /** @type {import('../agents.js').Picker[]} */
    this.pickers = [];
    const specs = () => /** @type {[string, string]} */ (this.pickers.map((picker) => picker.spec()));
    this.view = game === '2048' ? new SideBySide(specs) : new DuelView(specs);
    this.match = new MatchPanel(game, specs);
    if (running.match !== null) this.match.take(running.match);
  }

  /** @param {HTMLElement} root */
  async open(root) {
    this.pickers = await Promise.all([this.picker(0), this.picker(1)]);
    const games = select([['2048', '2048'], ['abalone', 'Abalone']], this.game, (chosen) => go(`/watch?game=${chosen}`), { 'aria-label': t('whichRules') });
    root.append(
      h('h1', { class: 'visually-hidden' }, t('navWatch')),
      h(
        'div',
        { class: `watch watch-${this.game}` },
        h(
          'section',
          { class: 'panel watch-agents', 'aria-label': t('agents') },
          h('div', { class: 'watch-game' }, h('h2', {}, t('whichRules')), games),
          h('div', {}, h('h2', {}, t('firstAgent')), this.pickers[0].element),
          h('div', {}, h('h2', {}, t('secondAgent')), this.pickers[1].element),
        ),
        this.view.element,
        this.match.element,
      ),
    );
    this.hasOpened = true;
    await this.view.open(this.running.view);
  }

  /** @returns {Running} */
  handOver() {
    this.isHandedOver = true;
    return { view: this.hasOpened ? this.view : this.running.view, match: this.match.match };
  }

  /** @param {0 | 1} side */
  picker(side) {
    const { game } = this;
    return agentPicker(game, `watch.${side === 0 ? 'a' : 'b'}`, () => {}, {
      label: t(side === 0 ? 'firstAgent' : 'secondAgent'),
      // In 2048 the strongest is quick too; in Abalone it thinks for a second, too long to watch.
      preferred: ({ levels, adviser }) => (side === 1 && game === '2048' ? adviser : levels[side === 0 ? 2 : 3]?.spec ?? adviser),
    });
  }

  close() {
    if (this.isHandedOver) return;
    this.running.view?.close();
    this.view.close();
    this.match.close();
  }
}
