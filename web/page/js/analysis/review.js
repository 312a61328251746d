// Going through a finished game with an agent: what each position was worth, and which moves gave much away.

import { stream } from '../stream.js';
import { parse } from '../abalone/geometry.js';

/** @typedef {import('./tree.js').Node} Node */
/** @typedef {import('./tree.js').GameTree} GameTree */
/** @typedef {'?!' | '?' | '??'} Mark */
/** @typedef {{ node: Node, mark: Mark, best: string }} Mistake */

/** Longer games are looked at in this many places. */
const MOST = 400;

/**
 * Reviews the main line, position by position.
 * @param {GameTree} tree
 * @param {string} agent
 * @param {string} time per position
 * @param {(done: number, all: number) => void} progress
 * @param {AbortSignal} signal
 */
export async function review(tree, agent, time, progress, signal) {
  const line = tree.mainLine();
  const stride = Math.max(1, Math.ceil(line.length / MOST));
  // A mistake is seen by comparing neighbours, so they are looked at in pairs.
  const chosen = line.filter((_, i) => i % stride === 0 || (i + line.length - 1) % stride === 0 || stride === 1);
  for (const [done, node] of chosen.entries()) {
    progress(done, chosen.length);
    const facts = await tree.factsOf(node);
    if (facts.outcome !== null || facts.legal.length === 0) continue;
    const question = tree.game === '2048' ? { position: node.position } : { position: tree.root.position, moves: node.path() };
    node.review = await stream.decide(tree.game, { ...question, agent, time, role: 'review' }, signal);
  }
  progress(chosen.length, chosen.length);
}

/**
 * The value of a node for the first side, if it was reviewed.
 * @param {GameTree} tree
 * @param {Node} node
 */
export function valueOf(tree, node) {
  const value = node.review?.value ?? null;
  if (value === null) return null;
  return tree.game !== '2048' && parse(node.position).turn === 'w' ? -value : value;
}

/**
 * Whether values are points of an evaluation and not payoffs around 0 to 1.
 * @param {number[]} values
 */
export function arePoints(values) {
  return values.some((value) => Math.abs(value) > 2);
}

/**
 * The moves of the main line that gave much away.
 * @param {GameTree} tree
 * @returns {Mistake[]}
 */
export function mistakes(tree) {
  const line = tree.mainLine();
  const usual = usualSpread(line);
  return line.slice(1).flatMap((node) => {
    const before = node.parent?.review ?? null;
    if (before === null || node.played === null || before.best === node.played.move) return [];
    const mark = tree.game === '2048' ? markSolo(before, node.played.move, usual) : markDuel(before, node);
    return mark === null ? [] : [{ node, mark, best: before.best }];
  });
}

/** How far best and worst move lie apart. @param {import('../stream.js').Decision} decision */
function spread(decision) {
  const values = decision.moves.flatMap(({ value }) => (value === null ? [] : [value]));
  return values.length < 2 ? 0 : Math.max(...values) - Math.min(...values);
}

/** The spread of a position in the middle of all. @param {Node[]} line */
function usualSpread(line) {
  const spreads = line.flatMap(({ review }) => (review === null ? [] : [spread(review)])).sort((a, b) => a - b);
  return spreads[spreads.length >> 1] ?? 0;
}

/**
 * In 2048 values have no fixed unit: what counts is how far down from the best towards the worst move one went, where it
 * mattered at least as much as usual.
 * @param {import('../stream.js').Decision} before
 * @param {string} played
 * @param {number} usual
 * @returns {Mark | null}
 */
function markSolo(before, played, usual) {
  const value = before.moves.find(({ move }) => move === played)?.value ?? null;
  const whole = Math.max(usual, spread(before));
  if (value === null || before.value === null || whole === 0) return null;
  return mark((before.value - value) / whole, [0.1, 0.35, 0.8]);
}

/**
 * Between two sides, what one gains the other loses: the drop is the sum of the values before and after, each for the
 * side to move. A marble is worth about a thousand points.
 * @param {import('../stream.js').Decision} before
 * @param {Node} node
 * @returns {Mark | null}
 */
function markDuel(before, node) {
  const after = node.review?.value ?? null;
  if (before.value === null || after === null) return null;
  const drop = before.value + after;
  return mark(drop, arePoints([before.value, after]) ? [150, 400, 900] : [0.05, 0.12, 0.25]);
}

/**
 * @param {number} loss
 * @param {[number, number, number]} limits
 * @returns {Mark | null}
 */
function mark(loss, [small, medium, large]) {
  return loss >= large ? '??' : loss >= medium ? '?' : loss >= small ? '?!' : null;
}
