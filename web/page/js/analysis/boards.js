// The two boards as an analysis needs them: show a node, point at moves, let moves be made.

import { HexBoard } from '../abalone/board.js';
import { TileBoard, onSwipe } from '../twenty48/board.js';
import { parse, slide } from '../twenty48/model.js';

/** @typedef {import('./tree.js').Node} Node */
/** @typedef {import('./tree.js').Legal} Legal */
/**
 * @typedef {{
 *   element: HTMLElement,
 *   show: (node: Node) => void,
 *   allow: (legal: Legal[]) => void,
 *   point: (moves: { move: Legal, strength: number }[]) => void,
 *   flip: (() => void) | null
 * }} AnalysisBoard
 */

/**
 * @param {import('../api.js').Game} game
 * @param {(move: string) => void} played
 * @returns {AnalysisBoard}
 */
export function analysisBoard(game, played) {
  return game === '2048' ? tiles(played) : hexagon(played);
}

/**
 * @param {(move: string) => void} played
 * @returns {AnalysisBoard}
 */
function hexagon(played) {
  const board = new HexBoard((move) => played(move.move));
  const legalOf = (/** @type {Legal} */ move) => /** @type {import('../abalone/board.js').LegalMove} */ (move);
  /** @type {Node | null} */
  let shown = null;
  return {
    element: board.element,
    show: (node) => {
      const isStep = node.parent === shown && shown !== null && node.played !== null;
      shown = node;
      if (isStep && node.played !== null) {
        void board.roll(legalOf(node.played));
      } else {
        board.show(node.position);
        board.markLast(node.played === null ? null : legalOf(node.played));
      }
    },
    allow: (legal) => board.allow(legal.map(legalOf)),
    point: (moves) => board.point(moves.map(({ move, strength }) => ({ move: legalOf(move), strength }))),
    flip: () => {
      board.setFlipped(!board.flipped);
      board.allow(board.legal);
    },
  };
}

/**
 * @param {(move: string) => void} played
 * @returns {AnalysisBoard}
 */
function tiles(played) {
  const board = new TileBoard();
  /** @type {Node | null} */
  let shown = null;
  /** @type {Legal[]} */
  let allowed = [];
  onSwipe(board.element, (direction) => allowed.some(({ move }) => move === direction) && played(direction));
  return {
    element: board.element,
    show: (node) => {
      const cells = parse(node.position) ?? Array(16).fill(0);
      const before = shown === null ? null : parse(shown.position);
      const isStep = node.parent === shown && before !== null && node.played !== null;
      shown = node;
      board.point(null);
      if (isStep && node.played !== null) {
        board.slide(slide(before, /** @type {import('../twenty48/model.js').Direction} */ (node.played.move)));
        board.spawn(cells);
      } else {
        board.show(cells);
      }
    },
    allow: (legal) => (allowed = legal),
    point: (moves) => board.point(moves.length === 0 ? null : /** @type {import('../twenty48/model.js').Direction} */ (moves[0].move.move)),
    flip: null,
  };
}
