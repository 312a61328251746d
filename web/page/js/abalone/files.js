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

/** What the server takes. */
const LARGEST_FILE = 2 ** 20;

/** @param {(game: AbaloneGame) => void} done */
export function importGame(done) {
  const text = h('textarea', { class: 'input apgn-text', rows: 10, spellcheck: 'false', placeholder: '[Variant "standard"] \u2026' });
  const file = h('input', { type: 'file', class: 'input', accept: '.apgn,.pgn,.txt,text/plain' });
  const problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  const choice = h('div', {});
  const say = (/** @type {string} */ wrong) => {
    problem.textContent = wrong;
    problem.hidden = wrong === '';
  };
  file.addEventListener('change', async () => {
    const chosen = file.files?.[0];
    if (chosen === undefined) return;
    const fits = chosen.size <= LARGEST_FILE;
    say(fits ? '' : t('fileTooLarge'));
    text.value = fits ? await chosen.text() : '';
  });
  const take = async (/** @type {FileGame} */ game) => {
    try {
      const loaded = await load(game);
      box.close();
      done(loaded);
    } catch (error) {
      say(reason(error));
    }
  };
  const read = async () => {
    say('');
    choice.replaceChildren();
    try {
      /** @type {{ games: FileGame[], faults: string[] }} */
      const { games, faults } = await post('abalone/import', { text: text.value });
      say(faults.join('\n'));
      if (games.length === 1 && faults.length === 0) await take(games[0]);
      else choose(games);
    } catch (error) {
      say(reason(error));
    }
  };
  const choose = (/** @type {FileGame[]} */ games) => {
    const tag = (/** @type {FileGame} */ game, /** @type {string} */ name) => game.tags.find(([key]) => key === name)?.[1] ?? '?';
    const names = games.map((game, i) => /** @type {[string, string]} */ ([String(i), `${i + 1}. ${tag(game, 'Black')} \u2013 ${tag(game, 'White')}`]));
    const list = select(names, '0', () => {});
    choice.replaceChildren(field(t('whichGame'), list), button('play', t('open'), () => void take(games[Number(list.value)])));
  };
  const box = dialog(
    t('importApgn'),
    t('close'),
    field(t('apgnText'), text),
    field(t('apgnFile'), file),
    problem,
    h('div', { class: 'row' }, button('file', t('open'), () => void read(), { class: 'button button-strong' })),
    choice,
  );
}

/** Two persons go on with the game of a file. @param {FileGame} game */
async function load({ start, moves, outcome }) {
  const loaded = await AbaloneGame.begin(null, { b: PERSON, w: PERSON }, null, start);
  loaded.moves = moves;
  await loaded.refresh();
  // A file does not say why a game ended that was not decided on the board.
  if (loaded.state.outcome === null && outcome !== null) loaded.result = { first: 'ended w', second: 'ended b' }[outcome] ?? 'ended drawn';
  return loaded;
}
