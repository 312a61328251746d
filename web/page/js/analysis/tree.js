// A game with its variations: positions as nodes, moves between them. The server says where a move leads.

import { post } from '../api.js';

/** @typedef {import('../api.js').Game} Game */
/** @typedef {import('../stream.js').Decision} Decision */
/**
 * A legal move as the server describes it: what both games say, and what each says besides.
 * @typedef {{ move: string, afterstate: string } & Partial<{ reward: number, marbles: string[], direction: string, pushed: string[], ejects: boolean }>} Legal
 */
/** A stored game of the laboratory. @typedef {{ experiment: string, series: string, number: string }} Stored */
/**
 * A tree as plain values: a node names its parent by number, and the root comes first.
 * @typedef {{
 *   game: Game, seed: number, firstPly: number, stored: Stored | null, current: number,
 *   nodes: { parent: number, played: Legal | null, position: string, review: Decision | null }[]
 * }} SavedTree
 */
/** @typedef {{ position: string, side: 'first' | 'second', outcome: string | null, moves: Legal[], plies: (Legal & { position: string })[] }} Played */

/** A question of the server has at most 4000 moves. Games of 2048 have more; those of Abalone, which needs all of them, never. */
const MOST_MOVES = 4000;

export class Node {
  /**
   * @param {Node | null} parent
   * @param {Legal | null} played the move that led here
   * @param {string} position
   */
  constructor(parent, played, position) {
    this.parent = parent;
    this.played = played;
    this.position = position;
    /** @type {Node[]} The first is the main line. */
    this.children = [];
    this.ply = depth(parent);
    /** @type {Decision | null} What a review found here. */
    this.review = null;
    /** @type {{ legal: Legal[], side: 'first' | 'second', outcome: string | null } | null} */
    this.facts = null;
  }

  /** The moves from the root to here. @returns {string[]} */
  path() {
    return this.parent === null || this.played === null ? [] : [...this.parent.path(), this.played.move];
  }
}

/**
 * @param {Node | null} parent
 * @returns {number}
 */
function depth(parent) {
  return parent === null ? 0 : parent.ply + 1;
}

export class GameTree {
  /**
   * @param {Game} game
   * @param {string} position
   * @param {number} seed of chance
   * @param {number} ply moves played before the root
   */
  constructor(game, position, seed, ply) {
    this.game = game;
    this.seed = seed;
    this.firstPly = ply;
    /** @type {Stored | null} Where the game comes from, if its chance is none of this seed. */
    this.stored = null;
    this.root = new Node(null, null, position);
    /** Counts moves that came and variations that went. */
    this.changes = 0;
    this.current = this.root;
  }

  /**
   * A tree whose main line is a game.
   * @param {Game} game
   * @param {string} position
   * @param {string[]} moves
   * @param {number} seed
   * @param {number} ply
   */
  static async of(game, position, moves, seed = 0, ply = 0) {
    const tree = new GameTree(game, position, seed, ply);
    let node = tree.root;
    let asked = 0;
    do {
      const part = moves.slice(asked, asked + MOST_MOVES);
      const played = await tree.ask(node, part);
      if (moves.length === 0) node.position = played.position;
      for (const step of played.plies) node = tree.add(node, step, step.position);
      node.facts = facts(played);
      asked += MOST_MOVES;
    } while (asked < moves.length);
    return tree;
  }

  /**
   * A tree whose main line is a stored game, with the answers of chance that it met.
   * @param {Game} game
   * @param {string} start
   * @param {(Legal & { position: string })[]} plies
   * @param {Stored} source
   */
  static ofStored(game, start, plies, source) {
    const tree = new GameTree(game, start, 0, 0);
    tree.stored = source;
    plies.reduce((node, step) => tree.add(node, step, step.position), tree.root);
    return tree;
  }

  /**
   * Adds a move after all others from the same node.
   * @param {Node} parent
   * @param {Legal} played
   * @param {string} position
   */
  add(parent, played, position) {
    const node = new Node(parent, played, position);
    parent.children.push(node);
    this.changes += 1;
    return node;
  }

  /** @returns {SavedTree} */
  save() {
    const nodes = [this.root];
    for (const node of nodes) nodes.push(...node.children);
    const numbers = new Map(nodes.map((node, number) => [node, number]));
    const numberOf = (/** @type {Node | null} */ node) => (node === null ? -1 : numbers.get(node) ?? 0);
    const { game, seed, firstPly, stored } = this;
    const plain = nodes.map(({ parent, played, position, review }) => ({ parent: numberOf(parent), played, position, review }));
    return { game, seed, firstPly, stored, current: numberOf(this.current), nodes: plain };
  }

  /** @param {SavedTree} saved */
  static restore({ game, seed, firstPly, stored, current, nodes: [first, ...others] }) {
    const tree = new GameTree(game, first.position, seed, firstPly);
    tree.stored = stored;
    tree.root.review = first.review;
    const nodes = [tree.root];
    for (const { parent, played, position, review } of others) {
      if (played === null) continue;
      const node = tree.add(nodes[parent], played, position);
      node.review = review;
      nodes.push(node);
    }
    tree.current = nodes[current];
    return tree;
  }

  /**
   * Where moves from a node lead, by the rules of the whole game so far.
   * @param {Node} node
   * @param {string[]} moves
   * @returns {Promise<Played>}
   */
  async ask(node, moves) {
    if (this.game === '2048') {
      // What came before does not matter to 2048, and may be very long.
      return post('2048/play', { position: node.position, moves, seed: this.seed, ply: this.firstPly + node.ply });
    }
    const before = node.path();
    const played = /** @type {Played} */ (await post(`${this.game}/play`, { position: this.root.position, moves: [...before, ...moves] }));
    return { ...played, plies: played.plies.slice(before.length) };
  }

  /** What the rules say about a node. @param {Node} node */
  async factsOf(node) {
    node.facts ??= facts(await this.ask(node, []));
    return node.facts;
  }

  /**
   * Plays a move: into the line that has it, or as a new variation.
   * @param {string} move
   */
  async play(move) {
    const known = this.current.children.find(({ played }) => played?.move === move);
    if (known !== undefined) {
      this.current = known;
      return known;
    }
    const from = this.current;
    const played = await this.ask(from, [move]);
    const node = this.add(from, played.plies[0], played.position);
    node.facts = facts(played);
    this.current = node;
    return node;
  }

  /** The main line through a node: its ancestors, itself, and first children from there on. @param {Node} node */
  lineThrough(node) {
    /** @type {Node[]} */
    const line = [];
    for (let at = /** @type {Node | null} */ (node); at !== null; at = at.parent) line.unshift(at);
    for (let at = node.children[0]; at !== undefined; at = at.children[0]) line.push(at);
    return line;
  }

  mainLine() {
    return this.lineThrough(this.root);
  }

  /** Forgets a variation with all that follows. @param {Node} node */
  prune(node) {
    if (node.parent === null) return;
    this.changes += 1;
    node.parent.children = node.parent.children.filter((sibling) => sibling !== node);
    this.current = node.parent;
  }
}

/** @param {Played} played */
function facts({ moves, side, outcome }) {
  return { legal: moves, side, outcome };
}
