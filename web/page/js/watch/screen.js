// Watching agents: two side by side on the same chance, one against the other, and matches of many games.

import { h, select } from '../dom.js';
import { agentPicker } from '../agents.js';
import { t } from '../i18n.js';
import { recall, remember } from '../prefs.js';
import { DuelView } from './duel.js';
import { MatchPanel } from './match.js';
import { SideBySide } from './sidebyside.js';

/** @typedef {import('../api.js').Game} Game */

/**
 * @param {HTMLElement} root
 * @param {URLSearchParams} query
 */
export async function show(root, query) {
  const named = query.get('game') ?? recall('watch.game', '2048');
  const game = named === 'abalone' ? 'abalone' : '2048';
  remember('watch.game', game);
  const pickers = await Promise.all(
    ['a', 'b'].map((name, i) =>
      agentPicker(game, `watch.${name}`, () => {}, {
        label: t(i === 0 ? 'firstAgent' : 'secondAgent'),
        // In 2048 the strongest is quick too; in Abalone it thinks for a second, too long to watch.
        preferred: ({ levels, adviser }) => (i === 1 && game === '2048' ? adviser : levels[i === 0 ? 2 : 3]?.spec ?? adviser),
      }),
    ),
  );
  const specs = () => /** @type {[string, string]} */ (pickers.map((picker) => picker.spec()));
  const view = game === '2048' ? new SideBySide(specs) : new DuelView(specs);
  const match = new MatchPanel(game, specs);
  const games = select([['2048', '2048'], ['abalone', 'Abalone']], game, (chosen) => {
    history.pushState(null, '', `/watch?game=${chosen}`);
    dispatchEvent(new PopStateEvent('popstate'));
  }, { 'aria-label': t('game') });
  root.append(
    h('h1', { class: 'visually-hidden' }, t('navWatch')),
    h(
      'div',
      { class: `watch watch-${game}` },
      h(
        'section',
        { class: 'panel watch-agents', 'aria-label': t('agents') },
        h('div', { class: 'watch-game' }, h('h2', {}, t('game')), games),
        h('div', {}, h('h2', {}, t('firstAgent')), pickers[0].element),
        h('div', {}, h('h2', {}, t('secondAgent')), pickers[1].element),
      ),
      view.element,
      match.element,
    ),
  );
  await view.open();
  return () => {
    view.close();
    match.close();
  };
}
