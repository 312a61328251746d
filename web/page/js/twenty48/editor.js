// Setting up a position of 2048 tile by tile, with the mouse or the keyboard.

import { button, field, h } from '../dom.js';
import { t } from '../i18n.js';
import { LARGEST, format, parse } from './model.js';

const VALUES = [0, ...Array.from({ length: 17 }, (_, i) => 2 << i)];

export class Editor {
  /**
   * @param {number[]} cells
   * @param {(cells: number[] | null) => void} done gets the new board, or `null` if nothing is to change
   */
  constructor(cells, done) {
    this.cells = [...cells];
    this.done = done;
    this.chosen = 2;
    this.at = 0;
    this.buttons = this.cells.map((_, cell) =>
      h('button', {
        type: 'button',
        class: 'editor-cell',
        onclick: () => this.put(cell, this.cells[cell] === this.chosen ? 0 : this.chosen),
        onfocus: () => (this.at = cell),
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.press(event),
      }),
    );
    this.palette = VALUES.map((value) =>
      h('button', { type: 'button', class: `editor-choice tile-${value}`, onclick: () => this.choose(value) }, value === 0 ? '\u00d7' : value),
    );
    this.text = h('input', { class: 'input', type: 'text', spellcheck: 'false' });
    this.text.addEventListener('change', () => this.read());
    this.element = h(
      'div',
      { class: 'editor', role: 'group', 'aria-label': t('edit') },
      h('div', { class: 'editor-grid', role: 'group', 'aria-label': t('board') }, ...this.buttons),
      h(
        'div',
        { class: 'editor-tools' },
        h('p', { class: 'hint-text' }, t('editHint')),
        h('div', { class: 'editor-palette', role: 'group' }, ...this.palette),
        field(t('editText'), this.text),
        h(
          'div',
          { class: 'row' },
          button('play', t('editDone'), () => this.finish(), { class: 'button button-strong' }),
          button(null, t('editClear'), () => this.show(Array(16).fill(0))),
          button('close', t('close'), () => done(null)),
        ),
      ),
    );
    this.element.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') done(null);
    });
    this.show(this.cells);
    this.choose(2);
  }

  focus() {
    this.buttons[this.at].focus();
  }

  /** @param {number} value */
  choose(value) {
    this.chosen = value;
    this.palette.forEach((choice, i) => choice.setAttribute('aria-pressed', String(VALUES[i] === value)));
  }

  /**
   * @param {number} cell
   * @param {number} value
   */
  put(cell, value) {
    this.cells[cell] = value;
    this.show(this.cells);
  }

  /** @param {number[]} cells */
  show(cells) {
    this.cells = [...cells];
    this.buttons.forEach((element, cell) => {
      const value = this.cells[cell];
      element.textContent = value === 0 ? '' : String(value);
      element.className = `editor-cell tile-${value}`;
      element.dataset.digits = String(String(value).length);
      const label = { row: (cell >> 2) + 1, column: (cell & 3) + 1, value: value === 0 ? t('empty') : value };
      element.setAttribute('aria-label', t('cellIs', label));
    });
    this.text.value = format(this.cells);
    this.text.setCustomValidity('');
  }

  /** Takes the position as text; whether it is one. */
  read() {
    const cells = parse(this.text.value);
    const isPosition = cells !== null && cells.every((value) => VALUES.includes(value));
    if (isPosition) {
      this.show(cells);
    } else {
      this.text.setCustomValidity(t('editTextWrong'));
      this.text.reportValidity();
    }
    return isPosition;
  }

  finish() {
    if (this.read()) this.done([...this.cells]);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const value = this.cells[this.at];
    const row = this.at >> 2;
    const column = this.at & 3;
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowUp: () => this.goTo(row - 1, column),
      ArrowDown: () => this.goTo(row + 1, column),
      ArrowLeft: () => this.goTo(row, column - 1),
      ArrowRight: () => this.goTo(row, column + 1),
      '+': () => this.put(this.at, Math.min(LARGEST, value === 0 ? 2 : 2 * value)),
      '-': () => this.put(this.at, value <= 2 ? 0 : value / 2),
      0: () => this.put(this.at, 0),
      Delete: () => this.put(this.at, 0),
      Backspace: () => this.put(this.at, 0),
    };
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }

  /**
   * @param {number} row
   * @param {number} column
   */
  goTo(row, column) {
    this.buttons[4 * ((row + 4) & 3) + ((column + 4) & 3)].focus();
  }
}
