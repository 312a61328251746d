// Setting up a position in a dialog.

import { button, dialog, field, h, select } from '../dom.js';
import { post, reason } from '../api.js';
import { t } from '../i18n.js';
import { Editor } from '../twenty48/editor.js';
import { format as formatTiles, parse as parseTiles } from '../twenty48/model.js';
import { SetupBoard } from '../abalone/setup.js';
import { format, parse } from '../abalone/geometry.js';

/**
 * @param {import('../api.js').Game} game
 * @param {string} position
 * @returns {Promise<string | null>}
 */
export function editPosition(game, position) {
  return game === '2048' ? editTiles(position) : editMarbles(position);
}

/**
 * @param {string} position
 * @returns {Promise<string | null>}
 */
function editTiles(position) {
  return new Promise((resolve) => {
    const editor = new Editor(parseTiles(position) ?? Array(16).fill(0), (cells) => {
      resolve(cells === null ? null : formatTiles(cells));
      box.close();
    });
    const box = dialog(t('edit'), t('close'), h('div', { class: 'board-area' }, editor.element));
    box.classList.add('dialog-editor');
    box.addEventListener('close', () => resolve(null));
    editor.focus();
  });
}

/**
 * @param {string} position
 * @returns {Promise<string | null>}
 */
function editMarbles(position) {
  const start = parse(position);
  const board = new SetupBoard(start.marbles, () => showLost());
  const turn = select([['b', t('black')], ['w', t('white')]], start.turn, () => showText());
  const lost = {
    b: h('input', { class: 'input', type: 'number', min: 0, max: 6, value: start.lost.b, onchange: () => showText() }),
    w: h('input', { class: 'input', type: 'number', min: 0, max: 6, value: start.lost.w, onchange: () => showText() }),
  };
  const text = h('input', { class: 'input position-text', type: 'text', spellcheck: 'false', autocomplete: 'off', value: position });
  const problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  const written = () => format({ marbles: board.marbles, turn: turn.value === 'w' ? 'w' : 'b', lost: { b: Number(lost.b.value), w: Number(lost.w.value) } });
  const showText = () => {
    text.value = written();
    problem.hidden = true;
  };
  /** The position that is written, if it is one; otherwise it says why not. @returns {Promise<string | null>} */
  const judged = async () => {
    try {
      return (await post('abalone/play', { position: text.value })).position;
    } catch (error) {
      problem.textContent = reason(error);
      problem.hidden = false;
      return null;
    }
  };
  const read = async () => {
    const position = await judged();
    if (position === null) return;
    const read = parse(position);
    board.set(read.marbles);
    turn.value = read.turn;
    lost.b.value = String(read.lost.b);
    lost.w.value = String(read.lost.w);
    showText();
  };
  text.addEventListener('change', () => void read());
  /** Marbles that are not on the board have been pushed off, as long as that is possible. */
  const showLost = () => {
    for (const colour of /** @type {const} */ (['b', 'w'])) {
      const there = [...board.marbles.values()].filter((marble) => marble === colour).length;
      lost[colour].value = String(Math.min(6, Math.max(0, 14 - there)));
    }
    showText();
  };
  return new Promise((resolve) => {
    const done = async () => {
      const position = await judged();
      if (position === null) return;
      resolve(position);
      box.close();
    };
    const box = dialog(
      t('edit'),
      t('close'),
      h('p', { class: 'hint-text' }, t('setupHint')),
      board.element,
      h('div', { class: 'row' }, field(t('turn'), turn), field(t('blackLost'), lost.b), field(t('whiteLost'), lost.w)),
      field(t('editText'), text),
      problem,
      h('div', { class: 'row' }, button('play', t('setPosition'), () => void done(), { class: 'button button-strong' }), button(null, t('editClear'), () => board.clear())),
    );
    box.classList.add('dialog-editor');
    box.addEventListener('close', () => resolve(null));
  });
}
