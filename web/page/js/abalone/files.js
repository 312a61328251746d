// Games as files: APGN in and out.

import { button, dialog, field, h, select } from '../dom.js';
import { post, reason } from '../api.js';
import { t } from '../i18n.js';
import { toast } from '../announce.js';
import { AbaloneGame, PERSON } from './game.js';

/** @typedef {{ start: string, moves: string[], outcome: string | null, tags: [string, string][] }} FileGame */

/** @param {AbaloneGame} game */
export async function exportGame(game) {
  const name = (/** @type {string} */ player) => (player === PERSON ? t('person') : player);
  const date = new Date().toISOString().slice(0, 10).replaceAll('-', '.');
  const tags = [['Event', 'Afterstate'], ['Date', date], ['Black', name(game.players.b)], ['White', name(game.players.w)]];
  /** @type {{ text: string }} */
  let file;
  try {
    file = await post('abalone/export', { start: game.start, moves: game.moves, outcome: game.outcome, tags });
  } catch (error) {
    toast(reason(error), 'error');
    return;
  }
  const text = h('textarea', { class: 'input', readonly: true, rows: 12, 'aria-label': 'APGN' });
  text.value = file.text;
  dialog(
    t('exportApgn'),
    t('close'),
    text,
    h(
      'div',
      { class: 'row' },
      button('share', t('copy'), () => void navigator.clipboard.writeText(file.text).then(() => toast(t('copied')))),
      button('file', t('download'), () => download('game.apgn', file.text)),
    ),
  );
}

/**
 * @param {string} name
 * @param {string} text
 */
function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = h('a', { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** @param {(game: AbaloneGame) => void} done */
export function importGame(done) {
  const text = h('textarea', { class: 'input apgn-text', rows: 10, spellcheck: 'false', placeholder: '[Variant "standard"] \u2026' });
  const file = h('input', { type: 'file', class: 'input', accept: '.apgn,.pgn,.txt,text/plain' });
  file.addEventListener('change', async () => {
    text.value = (await file.files?.[0]?.text()) ?? '';
  });
  const problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  const take = async (/** @type {FileGame} */ game) => {
    box.close();
    const loaded = await AbaloneGame.begin(null, { b: PERSON, w: PERSON }, null, game.start);
    loaded.moves = game.moves;
    loaded.result = game.outcome === null ? null : { first: 'resigned w', second: 'resigned b' }[game.outcome] ?? 'drawn';
    await loaded.refresh();
    if (loaded.state.outcome !== null) loaded.result = null;
    done(loaded);
  };
  const read = async () => {
    problem.hidden = true;
    try {
      /** @type {{ games: FileGame[] }} */
      const { games } = await post('abalone/import', { text: text.value });
      if (games.length === 1) await take(games[0]);
      else choose(games);
    } catch (error) {
      problem.textContent = reason(error);
      problem.hidden = false;
    }
  };
  const choose = (/** @type {FileGame[]} */ games) => {
    const tag = (/** @type {FileGame} */ game, /** @type {string} */ name) => game.tags.find(([key]) => key === name)?.[1] ?? '?';
    const names = games.map((game, i) => /** @type {[string, string]} */ ([String(i), `${i + 1}. ${tag(game, 'Black')} \u2013 ${tag(game, 'White')}`]));
    const list = select(names, '0', () => {});
    box.append(field(t('whichGame'), list), button('play', t('open'), () => void take(games[Number(list.value)])));
  };
  const box = dialog(
    t('importApgn'),
    t('close'),
    field(t('apgnText'), text),
    field(t('apgnFile'), file),
    problem,
    h('div', { class: 'row' }, button('file', t('open'), () => void read(), { class: 'button button-strong' })),
  );
}
