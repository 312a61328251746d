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
    /** What the buttons were made of. @type {unknown[]} */
    this.shown = [];
    /** @type {Map<Node, HTMLElement>} */
    this.buttons = new Map();
    this.element = h('div', { class: 'tree-moves', role: 'group', 'aria-label': t('moves') });
  }

  /**
   * @param {import('./tree.js').GameTree} tree
   * @param {Map<Node, string>} marks
   */
  show(tree, marks) {
    const hadFocus = this.element.contains(document.activeElement);
    // A game may have thousands of moves: while one only looks at them, they stay.
    const shown = [tree, tree.changes, ...[...marks].flat()];
    if (shown.length !== this.shown.length || shown.some((part, i) => part !== this.shown[i])) {
      this.shown = shown;
      this.marks = marks;
      this.buttons.clear();
      this.element.replaceChildren();
      this.line(this.element, tree.root, 0);
    }
    this.element.querySelector('[aria-current]')?.removeAttribute('aria-current');
    const current = this.buttons.get(tree.current);
    if (current === undefined) return;
    current.setAttribute('aria-current', 'true');
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
    const made = h(
      'button',
      { type: 'button', class: 'tree-move', 'aria-label': spoken, onclick: () => this.chosen(node) },
      number,
      ARROWS[move] ?? move,
      mark !== undefined && h('span', { class: 'move-mark' }, mark),
    );
    this.buttons.set(node, made);
    return made;
  }
}
