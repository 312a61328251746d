// The moves of a tree: the main line, with variations in between.

import { h } from '../dom.js';
import { t, tOr } from '../i18n.js';

/** @typedef {import('./tree.js').Node} Node */

/** Variations within variations are shown this deep. */
const DEEPEST = 4;

/** The arrows that stand for the moves of 2048 in a narrow list. @type {Record<string, string>} */
const ARROWS = { up: '\u2191', right: '\u2192', down: '\u2193', left: '\u2190' };

export class TreeMoves {
  /** @param {(node: Node) => void} chosen */
  constructor(chosen) {
    this.chosen = chosen;
    this.element = h('div', { class: 'tree-moves', role: 'group', 'aria-label': t('moves') });
  }

  /**
   * @param {import('./tree.js').GameTree} tree
   * @param {Map<Node, string>} marks
   */
  show(tree, marks) {
    this.current = tree.current;
    this.marks = marks;
    const hadFocus = this.element.contains(document.activeElement);
    this.element.replaceChildren();
    this.line(this.element, tree.root, 0);
    const current = this.element.querySelector('[aria-current]');
    if (!(current instanceof HTMLElement)) return;
    this.element.scrollTop = current.offsetTop - this.element.clientHeight / 2;
    // Whoever chose a move with the keyboard goes on from there.
    if (hadFocus) current.focus({ preventScroll: true });
  }

  /**
   * Writes what follows a node.
   * @param {HTMLElement} into
   * @param {Node} node
   * @param {number} depth
   */
  line(into, node, depth) {
    for (let at = node; at.children.length > 0; at = at.children[0]) {
      const [main, ...others] = at.children;
      into.append(this.button(main));
      for (const other of depth < DEEPEST ? others : []) {
        const variation = h('span', { class: 'variation' });
        variation.append(this.button(other, true));
        this.line(variation, other, depth + 1);
        into.append(variation);
      }
    }
  }

  /**
   * @param {Node} node
   * @param {boolean} [isFirst]
   */
  button(node, isFirst = false) {
    const move = node.played?.move ?? '';
    const number = isFirst || node.ply % 2 === 1 ? h('span', { class: 'move-number' }, `${node.ply}.`) : null;
    const mark = this.marks?.get(node);
    const spoken = ARROWS[move] === undefined ? null : `${node.ply}. ${tOr(move)} ${mark ?? ''}`.trim();
    return h(
      'button',
      { type: 'button', class: 'tree-move', 'aria-label': spoken, 'aria-current': node === this.current ? 'true' : null, onclick: () => this.chosen(node) },
      number,
      ARROWS[move] ?? move,
      mark !== undefined && h('span', { class: 'move-mark' }, mark),
    );
  }
}
