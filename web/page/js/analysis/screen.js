// The analysis board: any position of either game, agents at work on it, variations, and the graph of a finished game.

import { button, field, h, icon, iconButton, isTyping, keyOf, select } from '../dom.js';
import { announce, toast } from '../announce.js';
import { catalogue, get, reason } from '../api.js';
import { number, t, tCount, tOr } from '../i18n.js';
import { go } from '../navigate.js';
import { recall, remember } from '../prefs.js';
import { share } from '../values.js';
import { analysisBoard } from './boards.js';
import { Engine } from './engine.js';
import { Graph } from './graph.js';
import { TreeMoves } from './moves.js';
import { arePoints, mistakes, review } from './review.js';
import { GameTree } from './tree.js';

/** @typedef {import('../api.js').Game} Game */
/** @typedef {import('./tree.js').Node} Node */

const MOST_ENGINES = 3;
/** Moves that get an arrow. */
const ARROWS = 3;

/** @param {URLSearchParams} query */
export function screen(query) {
  const named = query.get('game') ?? recall('analysis.game', '2048');
  return new AnalysisScreen(named === 'abalone' ? 'abalone' : '2048');
}

class AnalysisScreen {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    remember('analysis.game', game);
    /** @type {GameTree} Replaced before anything is shown. */
    this.tree = new GameTree(game, '', 0, 0);
    this.board = analysisBoard(game, (move) => void this.play([move]));
    this.moves = new TreeMoves((node) => this.look(node));
    this.graph = new Graph((node) => this.look(node));
    /** @type {Engine[]} */
    this.engines = [];
    this.engineBox = h('div', { class: 'engines' });
    this.status = h('p', { class: 'game-status', role: 'status' });
    this.text = h('input', { class: 'input position-text', type: 'text', spellcheck: 'false', autocomplete: 'off' });
    this.valueBar = h('div', { class: 'value-bar', role: 'img', hidden: game === '2048' }, h('div', { class: 'value-fill' }), h('span', { class: 'value-text' }));
    this.reviewText = h('p', { class: 'hint-text' });
    this.removeButton = button('close', t('removeVariation'), () => {
      this.tree.prune(this.tree.current);
      this.showNode();
    }, { class: 'button button-small' });
    this.reviewButton = button('chart', t('reviewGame'), () => void this.review());
    this.listeners = new AbortController();
    this.reviewing = new AbortController();
    this.isReviewing = false;
    /** The query of the address that this analysis belongs to. */
    this.address = '';
  }

  /**
   * @param {HTMLElement} root
   * @param {URLSearchParams} query
   */
  async open(root, query) {
    root.append(
      h('h1', { class: 'visually-hidden' }, t('navAnalyse')),
      h(
        'div',
        { class: `play analysis analysis-${this.game}` },
        h(
          'div',
          { class: 'play-main' },
          h('div', { class: 'analysis-board' }, this.valueBar, h('div', { class: 'board-area' }, this.board.element)),
          this.steps(),
          h('div', { class: 'panel graph-panel' }, h('div', { class: 'row graph-head' }, h('h2', {}, t('valueGraph')), this.reviewTimes(), this.reviewButton), this.graph.element, this.reviewText),
        ),
        h('div', { class: 'play-side' }, this.engineBox, this.movePanel(), await this.positionPanel()),
      ),
    );
    addEventListener('keydown', (event) => this.press(event), { signal: this.listeners.signal });
    addEventListener('pagehide', () => this.save(), { signal: this.listeners.signal });
    // Counted before: who adds an agent while these open is counted too.
    const engines = Math.min(MOST_ENGINES, recall(`analysis.engines.${this.game}`, 1));
    for (let i = 0; i < engines; i++) await this.addEngine();
    await this.load(query);
  }

  close() {
    if (!this.listeners.signal.aborted) this.save();
    this.listeners.abort();
    this.reviewing.abort();
    for (const engine of this.engines) engine.close();
  }

  steps() {
    const step = (/** @type {import('../dom.js').Icon} */ symbol, /** @type {import('../i18n.js').Key} */ label, /** @type {() => Node | null | undefined} */ to) =>
      iconButton(symbol, t(label), () => this.look(to()));
    return h(
      'div',
      { class: 'row steps' },
      step('first', 'toStart', () => this.tree.root),
      step('back', 'stepBack', () => this.tree.current.parent),
      step('forward', 'stepForward', () => this.tree.current.children[0]),
      step('last', 'toEnd', () => this.tree.lineThrough(this.tree.current).at(-1)),
      this.board.flip && iconButton('flip', t('flip'), () => this.board.flip?.()),
    );
  }

  movePanel() {
    return h('section', { class: 'panel', 'aria-label': t('moves') }, this.status, this.moves.element, h('div', { class: 'row' }, this.removeButton));
  }

  async positionPanel() {
    const { layouts } = await catalogue(this.game);
    this.text.addEventListener('change', () => void this.set(this.text.value));
    const games = select([['2048', '2048'], ['abalone', 'Abalone']], this.game, (game) => {
      go(`/analyse?game=${game}`);
    });
    const starts = layouts.length === 0 ? null : select([['', t('chooseLayout')], ...layouts.map((name) => /** @type {[string, string]} */ ([name, name]))], '', (layout) => layout !== '' && void this.begin(layout));
    return h(
      'section',
      { class: 'panel', 'aria-labelledby': 'position-title' },
      h('h2', { id: 'position-title' }, t('position')),
      field(t('whichRules'), games),
      starts && field(t('layout'), starts),
      field(t('editText'), this.text),
      h('div', { class: 'button-grid' }, button('restart', t('newGame'), () => void this.begin('')), button('edit', t('edit'), () => void this.edit()), button('share', t('share'), () => void this.share()), button('play', t('playFromHere'), () => this.playFromHere())),
    );
  }

  reviewTimes() {
    const times = ['20ms', '100ms', '500ms', '2s'];
    return select(times.map((time) => [time, t('perMove', { time })]), recall('analysis.review', '100ms'), (time) => remember('analysis.review', time), { 'aria-label': t('limit'), class: 'select select-small' });
  }

  async addEngine() {
    const taken = this.engines.map((engine) => engine.number);
    const number = [...taken.keys(), taken.length].find((candidate) => !taken.includes(candidate)) ?? 0;
    const engine = new Engine(this.game, number, {
      decided: () => this.point(),
      step: (moves) => void this.play(moves),
      removed: number === 0 ? null : () => this.removeEngine(engine),
    });
    this.engines.splice(number, 0, engine);
    this.placeEngines();
    await engine.open();
    engine.ask(this.question());
  }

  /** @param {Engine} engine */
  removeEngine(engine) {
    engine.close();
    this.engines = this.engines.filter((other) => other !== engine);
    this.placeEngines();
    this.point();
  }

  placeEngines() {
    remember(`analysis.engines.${this.game}`, this.engines.length);
    const more = this.engines.length < MOST_ENGINES && button('plus', t('addAgent'), () => void this.addEngine(), { class: 'button button-small' });
    this.engineBox.replaceChildren(...this.engines.map(({ element }) => element));
    if (more) this.engineBox.append(more);
  }

  /** Keeps the analysis for when this tab comes back to it: by a reload, another language, or another screen. */
  save() {
    if (this.tree.root.position !== '') remember(`analysis.tree.${this.game}`, { address: this.address, tree: this.tree.save() }, sessionStorage);
  }

  /**
   * The analysis that was left here, unless the address asks for another one.
   * @param {boolean} asksForMore
   */
  left(asksForMore) {
    const nothing = /** @type {{ address: string, tree: import('./tree.js').SavedTree } | null} */ (null);
    const left = recall(`analysis.tree.${this.game}`, nothing, sessionStorage);
    if (left === null || (asksForMore && left.address !== location.search)) return null;
    try {
      return GameTree.restore(left.tree);
    } catch {
      // Another version of the page left it.
      return null;
    }
  }

  /** @param {URLSearchParams} query */
  async load(query) {
    this.address = location.search;
    const left = this.left(['experiment', 'from', 'position'].some((name) => query.has(name)));
    if (left !== null) {
      this.take(left);
      return;
    }
    const words = (/** @type {string} */ name) => (query.get(name) ?? '').split(/\s+/).filter((word) => word !== '');
    const nothing = /** @type {{ game: Game, position: string, moves: string[], seed: number, ply: number } | null} */ (null);
    const handed = query.get('from') === 'game' ? recall('analysis.game-to-review', nothing, sessionStorage) : null;
    try {
      if (query.has('experiment')) {
        const [experiment, series, number] = ['experiment', 'series', 'number'].map((name) => query.get(name) ?? '0');
        /** @type {{ start: string, plies: any[] }} */
        const stored = await get(`lab/${[experiment, series, number].map(encodeURIComponent).join('/')}`);
        this.tree = GameTree.ofStored(this.game, stored.start, stored.plies, { experiment, series, number });
      } else if (handed !== null && handed.game === this.game) {
        this.tree = await GameTree.of(this.game, handed.position, handed.moves, handed.seed, handed.ply);
        // Another game may be handed over at this address; this one is kept as any analysis is.
        this.setAddress(`/analyse?game=${this.game}`);
      } else if (query.has('position')) {
        this.tree = await GameTree.of(this.game, query.get('position') ?? '', words('moves'), Number(query.get('seed')) || 0, Number(query.get('ply')) || 0);
      } else {
        await this.start('');
        return;
      }
    } catch (error) {
      toast(t('badLink', { error: reason(error).slice(0, 140) }), 'error');
      await this.start('');
      return;
    }
    const at = query.has('at') ? Number(query.get('at')) : 0;
    this.tree.current = this.tree.mainLine()[at] ?? this.tree.root;
    this.take(this.tree);
  }

  /** Puts a game on the board. @param {GameTree} tree */
  take(tree) {
    this.reviewing.abort();
    this.tree = tree;
    this.showNode();
  }

  /** @param {string} address */
  setAddress(address) {
    history.replaceState(null, '', address);
    this.address = location.search;
  }

  /** @param {string} layout */
  async start(layout) {
    const seed = Math.floor(Math.random() * 1e6);
    const { position } = await get(`${this.game}/start`, { seed, layout: layout === '' ? undefined : layout });
    this.take(await GameTree.of(this.game, position, [], seed));
  }

  /** @param {string} layout */
  async begin(layout) {
    try {
      await this.start(layout);
      this.setAddress(`/analyse?game=${this.game}`);
    } catch (error) {
      toast(reason(error), 'error');
    }
  }

  /** @param {string} position */
  async set(position) {
    try {
      this.take(await GameTree.of(this.game, position, [], this.tree.seed));
      this.setAddress(`/analyse?game=${this.game}`);
    } catch (error) {
      toast(reason(error), 'error');
      this.text.value = this.tree.current.position;
    }
  }

  /** Plays moves from the present position, as far as they are legal. @param {string[]} moves */
  async play(moves) {
    try {
      for (const move of moves) {
        const { legal } = await this.tree.factsOf(this.tree.current);
        if (!legal.some((known) => known.move === move)) break;
        await this.tree.play(move);
      }
    } catch (error) {
      toast(reason(error), 'error');
    }
    this.showNode();
  }

  /** @param {Node | null | undefined} node */
  look(node) {
    if (node === null || node === undefined || node === this.tree.current) return;
    this.tree.current = node;
    this.showNode();
  }

  /** @returns {import('../stream.js').Question | null} */
  question() {
    const { tree } = this;
    if (tree.root.position === '') return null;
    return this.game === '2048' ? { position: tree.current.position } : { position: tree.root.position, moves: tree.current.path() };
  }

  showNode() {
    const { current } = this.tree;
    this.board.show(current);
    this.board.allow([]);
    this.text.value = current.position;
    this.removeButton.hidden = current.parent === null;
    this.showMoves();
    void this.showFacts(current);
  }

  showMoves() {
    const isUnreviewed = this.tree.mainLine().every(({ review }) => review === null);
    if (isUnreviewed) this.reviewText.textContent = t(this.tree.root.children.length === 0 ? 'nothingToReview' : 'reviewHint');
    this.graph.element.hidden = isUnreviewed;
    const marks = new Map(mistakes(this.tree).map(({ node, mark }) => [node, mark]));
    this.moves.show(this.tree, marks);
    this.graph.show(this.tree);
  }

  /** @param {Node} node */
  async showFacts(node) {
    const facts = await this.tree.factsOf(node);
    if (node !== this.tree.current || this.listeners.signal.aborted) return;
    this.board.allow(facts.outcome === null ? facts.legal : []);
    this.status.textContent = this.statusText(facts.outcome, facts.side);
    announce(`${tOr(node.played?.move ?? '')} ${this.status.textContent}`);
    const question = facts.outcome === null ? this.question() : null;
    for (const engine of this.engines) engine.ask(question);
  }

  /**
   * @param {string | null} outcome
   * @param {'first' | 'second'} side
   */
  statusText(outcome, side) {
    if (outcome === 'over') return t('over');
    if (outcome === 'drawn') return t('drawn');
    if (outcome !== null) return t(outcome === 'first' ? 'blackWon' : 'whiteWon');
    if (this.game === '2048') return t('moveNumber', { number: this.tree.firstPly + this.tree.current.ply + 1 });
    return t(side === 'first' ? 'blackToMove' : 'whiteToMove');
  }

  /** Draws the arrows of all agents: the best moves of the first, and the choice of each other. */
  point() {
    const legal = this.tree.current.facts?.legal ?? [];
    const [first, ...others] = this.engines.map(({ decision }) => decision);
    const find = (/** @type {string} */ name) => legal.find(({ move }) => move === name);
    const arrows = [];
    for (const known of first?.moves.slice(0, ARROWS) ?? []) {
      const move = find(known.move);
      const isBest = known.move === first?.best;
      // A bound says little: only moves that were measured are pointed at.
      if (move !== undefined && (isBest || (known.value !== null && known.bound === 'exact'))) {
        arrows.push({ move, strength: isBest ? 1 : 0.6 * share(known, first?.moves ?? []) });
      }
    }
    arrows.sort((a, b) => b.strength - a.strength);
    for (const decision of others) {
      const move = decision === null ? undefined : find(decision.best);
      if (move !== undefined && decision?.best !== first?.best) arrows.push({ move, strength: 0.5 });
    }
    this.board.point(arrows);
    this.showValue(first ?? null);
  }

  /** @param {import('../stream.js').Decision | null} decision */
  showValue(decision) {
    const value = decision?.value ?? null;
    const fill = /** @type {HTMLElement} */ (this.valueBar.firstElementChild);
    const text = /** @type {HTMLElement} */ (this.valueBar.lastElementChild);
    if (value === null) return;
    const forBlack = this.tree.current.facts?.side === 'second' ? -value : value;
    const unit = arePoints([value]) ? 1500 : 0.5;
    const part = 0.5 + 0.5 * Math.tanh(forBlack / unit);
    fill.style.height = `${100 * part}%`;
    const shown = unit === 1500 ? number(forBlack / 1000, 1) : number(forBlack, 2);
    text.textContent = forBlack > 0 ? `+${shown}` : shown;
    this.valueBar.setAttribute('aria-label', t('valueForBlack', { value: text.textContent }));
  }

  async review() {
    if (this.isReviewing) {
      this.reviewing.abort();
      return;
    }
    const agent = this.engines[0]?.picker?.spec();
    if (agent === undefined || this.tree.mainLine().length < 2) {
      toast(t('nothingToReview'));
      return;
    }
    const { tree } = this;
    this.reviewing = new AbortController();
    const { signal } = this.reviewing;
    this.graph.element.hidden = false;
    this.setReviewing(true);
    try {
      await review(tree, agent, recall('analysis.review', '100ms'), (done, all) => {
        this.reviewText.textContent = t('reviewProgress', { done, all });
        this.graph.show(tree);
      }, signal);
      this.showFound(tree);
    } catch (error) {
      // What was found before it was stopped stays.
      if (signal.aborted) this.showFound(tree);
      else this.reviewText.textContent = reason(error);
    }
    this.setReviewing(false);
    if (tree === this.tree) this.showMoves();
  }

  /** @param {GameTree} tree */
  showFound(tree) {
    if (tree !== this.tree) return;
    const found = mistakes(tree).filter(({ mark }) => mark !== '?!');
    this.reviewText.textContent = tCount('reviewDone', found.length, { count: found.length });
  }

  /** @param {boolean} on */
  setReviewing(on) {
    this.isReviewing = on;
    this.reviewButton.replaceChildren(icon(on ? 'stop' : 'chart'), h('span', {}, t(on ? 'stop' : 'reviewGame')));
  }

  async edit() {
    const { editPosition } = await import('./edit.js');
    const position = await editPosition(this.game, this.tree.current.position);
    if (position !== null) await this.set(position);
  }

  async share() {
    const link = `${location.origin}/analyse?${this.linkQuery()}`;
    this.setAddress(link);
    try {
      await navigator.clipboard.writeText(link);
      toast(t('shared'));
    } catch {
      // Without a clipboard the address bar has it.
    }
  }

  linkQuery() {
    const { game, tree } = this;
    const { current, stored, seed } = tree;
    const ply = String(current.ply);
    // The tiles of a stored game are none of a seed: they are where the game is stored.
    if (stored !== null && tree.mainLine().includes(current)) return new URLSearchParams({ game, ...stored, at: ply });
    const line = tree.lineThrough(current);
    // The address of a long game would be longer than servers read; the position alone is always short.
    if (line.length > 300 || (stored !== null && game === '2048')) {
      return new URLSearchParams({ game, position: current.position, seed: String(seed), ply: String(tree.firstPly + current.ply) });
    }
    const moves = line.slice(1).map((node) => node.played?.move).join(' ');
    return new URLSearchParams({ game, position: tree.root.position, seed: String(seed), ply: String(tree.firstPly), moves, at: ply });
  }

  playFromHere() {
    const query = new URLSearchParams({ position: this.tree.current.position });
    go(`/${this.game}?${query}`);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = keyOf(event);
    const onBoard = event.target instanceof Element && event.target.closest('.hexboard') !== null;
    /** @type {Record<string, string>} */
    const slides = this.game === '2048' ? { w: 'up', d: 'right', s: 'down', a: 'left' } : {};
    if (key === 'ArrowLeft' && !onBoard) this.look(this.tree.current.parent);
    else if (key === 'ArrowRight' && !onBoard) this.look(this.tree.current.children[0]);
    else if (key === 'Home') this.look(this.tree.root);
    else if (key === 'End') this.look(this.tree.lineThrough(this.tree.current).at(-1));
    else if (key in slides) void this.play([slides[key]]);
    else return;
    event.preventDefault();
  }
}
