// The moves of a game, two a line, each a button that shows the position after it.

import { h, renew } from '../dom.js';
import { t } from '../i18n.js';

export class MoveList {
  /** @param {(ply: number) => void} chosen */
  constructor(chosen) {
    this.chosen = chosen;
    this.list = h('ol', { class: 'move-list', 'aria-label': t('moves') });
    this.element = this.list;
    this.shown = -1;
  }

  /**
   * @param {string[]} moves
   * @param {number} at the ply whose position is shown
   * @param {(string | null)[]} [marks] a sign behind a move
   */
  show(moves, at, marks = []) {
    const lines = [];
    for (let i = 0; i < moves.length; i += 2) {
      const pair = [i, i + 1].filter((ply) => ply < moves.length);
      lines.push(h('li', {}, ...pair.map((ply) => this.button(moves[ply], ply + 1, at, marks[ply] ?? null))));
    }
    renew(this.list, ...lines);
    // Only the list scrolls, not the page under it.
    const current = this.list.querySelector('[aria-current]');
    if (current instanceof HTMLElement) this.list.scrollTop = current.offsetTop - this.list.clientHeight / 2;
  }

  /**
   * @param {string} move
   * @param {number} ply
   * @param {number} at
   * @param {string | null} mark
   */
  button(move, ply, at, mark) {
    return h(
      'button',
      { type: 'button', class: 'move-button', 'data-key': ply, 'aria-current': ply === at ? 'true' : null, onclick: () => this.chosen(ply) },
      move,
      mark && h('span', { class: 'move-mark' }, mark),
    );
  }
}
