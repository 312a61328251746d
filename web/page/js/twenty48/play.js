// The screen on which a person plays 2048, with an adviser at hand.

import { LARGEST_SEED, button, field, h, icon, isTyping, keyOf, wholeNumber } from '../dom.js';
import { number, t, tCount } from '../i18n.js';
import { announce, toast } from '../announce.js';
import { agentPicker } from '../agents.js';
import { forgetQuery, go } from '../navigate.js';
import { recall, remember } from '../prefs.js';
import { stream } from '../stream.js';
import { DirectionBars, effortText } from '../values.js';
import { post, reason } from '../api.js';
import { TileBoard, onSwipe } from './board.js';
import { Editor } from './editor.js';
import { Game2048, randomSeed } from './game.js';
import { canMove, format, parse } from './model.js';

/** @typedef {import('./model.js').Direction} Direction */

/** @type {Record<string, Direction>} */
const KEYS = { ArrowUp: 'up', ArrowRight: 'right', ArrowDown: 'down', ArrowLeft: 'left', w: 'up', d: 'right', s: 'down', a: 'left' };

/** Moves per second that autoplay offers; the last one does not wait at all. */
const SPEEDS = [1, 2, 4, 8, 15, 30, Infinity];

/** Moves that may wait while one is played. */
const AHEAD = 3;

/** What goes on when the screen is built anew. @typedef {{ last: Promise<boolean>, left: Game2048 | null, isAutomatic: boolean }} Running */

/**
 * @param {URLSearchParams} _query
 * @param {Running} [running]
 */
export function screen(_query, running) {
  return new PlayScreen(running ?? null);
}

class PlayScreen {
  /** @param {Running | null} running */
  constructor(running) {
    this.running = running;
  }

  board = new TileBoard();
  bars = new DirectionBars((direction) => this.move(direction));
  effort = h('p', { class: 'hint-text effort' });
  scoreBox = h('strong', {}, '0');
  gained = h('span', { class: 'score-gain', 'aria-hidden': 'true' });
  bestBox = h('strong', {}, '0');
  movesBox = h('strong', {}, '0');
  largestBox = h('strong', {}, '0');
  overlay = h('div', { class: 'board-overlay', hidden: true });
  undoButton = button('undo', t('undo'), () => this.undo());
  autoButton = button('play', t('autoplay'), () => this.setAutomatic(!this.isAutomatic), { 'aria-pressed': 'false' });
  editButton = button('edit', t('edit'), () => void this.edit());
  /** @type {Editor | null} While a position is edited. */
  editor = null;
  seedInput = wholeNumber(0, LARGEST_SEED, 0);
  speedText = h('output', { class: 'hint-text' });
  adviserBox = h('div', {});
  area = h('div', { class: 'board-area' }, this.board.element, this.overlay);

  /** @type {Game2048} Replaced before anything is shown. */
  game = Game2048.from(Array(16).fill(0), 0);
  /** @type {Game2048 | null} The game that a new one took the place of: until the first move, undo brings it back. */
  left = null;
  /** @type {Direction[]} Moves that wait while one is played. */
  waiting = [];
  isPlaying = false;
  /** The last of the things that change the game: they come one after the other. */
  last = Promise.resolve(true);
  /** @type {AbortController | null} What ends autoplay, while it plays. */
  automatic = null;
  speed = Math.min(recall('2048.speed', 3), SPEEDS.length - 1);
  isLive = recall('2048.live', true);
  best = recall('2048.best', 0);
  /** @type {import('../agents.js').Picker | null} */
  picker = null;
  endAdvice = () => {};
  listeners = new AbortController();

  scores() {
    const box = (/** @type {string} */ label, /** @type {HTMLElement} */ value, /** @type {string} */ kind, /** @type {HTMLElement | null} */ more = null) =>
      h('div', { class: `score-box ${kind}` }, h('span', {}, label), value, more);
    return h(
      'div',
      { class: 'score-boxes' },
      box(t('score'), this.scoreBox, 'score-container', this.gained),
      box(t('bestScore'), this.bestBox, 'best-container'),
      box(t('moves'), this.movesBox, 'moves-container'),
      box(t('largest'), this.largestBox, ''),
    );
  }

  panels() {
    const live = h('input', { type: 'checkbox', checked: this.isLive });
    live.addEventListener('change', () => {
      this.isLive = live.checked;
      remember('2048.live', this.isLive);
      this.advise();
    });
    const speed = h('input', { type: 'range', class: 'range', min: 0, max: SPEEDS.length - 1, step: 1, value: this.speed });
    speed.addEventListener('input', () => this.setSpeed(Number(speed.value)));
    return [
      h(
        'section',
        { class: 'panel', 'aria-labelledby': 'adviser-title' },
        h('h2', { id: 'adviser-title' }, t('adviser')),
        this.bars.element,
        this.effort,
        this.adviserBox,
        h('label', { class: 'check' }, live, t('adviserLive')),
      ),
      h(
        'section',
        { class: 'panel', 'aria-labelledby': 'auto-title' },
        h('h2', { id: 'auto-title' }, t('autoplay')),
        field(t('speed'), speed),
        this.speedText,
      ),
      h(
        'section',
        { class: 'panel', 'aria-labelledby': 'seed-title' },
        h('h2', { id: 'seed-title' }, t('newGame')),
        h('div', { class: 'row' }, field(t('seed'), this.seedInput), button('restart', t('startSeed'), () => this.startSeed())),
        h('p', { class: 'hint-text' }, t('seedHint')),
        h(
          'div',
          { class: 'button-grid' },
          this.editButton,
          button('share', t('share'), () => this.share()),
          button('chart', t('analyse'), () => this.analyse()),
        ),
      ),
    ];
  }

  /**
   * @param {HTMLElement} root
   * @param {URLSearchParams} query
   */
  async open(root, query) {
    root.append(
      h('h1', { class: 'visually-hidden' }, '2048'),
      h(
        'div',
        { class: 'play' },
        h(
          'div',
          { class: 'play-main' },
          this.scores(),
          this.area,
          h(
            'div',
            { class: 'row controls' },
            h('div', { class: 'pair' }, this.undoButton, button('hint', t('hint'), () => this.hint())),
            h('div', { class: 'pair' }, this.autoButton, button('restart', t('newGame'), () => this.restart(randomSeed()), { class: 'button restart-button' })),
          ),
          h('p', { class: 'hint-text keys-help' }, t('keys')),
        ),
        h('div', { class: 'play-side' }, ...this.panels()),
      ),
    );
    this.setSpeed(this.speed);
    onSwipe(this.board.element, (direction) => this.move(direction));
    addEventListener('keydown', (event) => this.press(event), { signal: this.listeners.signal });
    addEventListener('storage', () => this.showNumbers(0), { signal: this.listeners.signal });
    this.picker = await agentPicker('2048', 'adviser', () => this.advise(), { label: t('adviser') });
    this.adviserBox.replaceChildren(this.picker.element);
    // A move that is on its way is part of the game.
    await this.running?.last;
    this.game = await firstGame(query);
    this.goOn();
  }

  /** Shows the game, and goes on with what ran on the screen before this one. */
  goOn() {
    const { running } = this;
    this.running = null;
    this.left = running?.left ?? null;
    this.showAll();
    if (running?.isAutomatic && !this.isClosed) this.setAutomatic(true);
  }

  /** @returns {Running} */
  handOver() {
    return this.running ?? { last: this.last, left: this.left, isAutomatic: this.isAutomatic };
  }

  close() {
    this.listeners.abort();
    this.setAutomatic(false);
    this.endAdvice();
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || this.editor !== null) return;
    const key = keyOf(event);
    const direction = KEYS[key];
    if (direction !== undefined) {
      event.preventDefault();
      this.move(direction);
    } else if (key === 'u' || key === 'Backspace') this.undo();
    else if (key === 'h') this.hint();
    else if (key === 'p') this.setAutomatic(!this.isAutomatic);
    else if (key === 'n') void this.restart(randomSeed());
  }

  get isClosed() {
    return this.listeners.signal.aborted;
  }

  get isAutomatic() {
    return this.automatic !== null;
  }

  /**
   * Does something to the game once all before it is done: a move waits for its tile, and what came between would meet a
   * game that is about to change.
   * @param {() => boolean | Promise<boolean>} change whether it could be made; never fails
   */
  inTurn(change) {
    this.last = this.last.then(change);
    return this.last;
  }

  closeEditor() {
    if (this.editor === null) return;
    this.editor.element.remove();
    this.editor = null;
    this.editButton.focus({ preventScroll: true });
  }

  /**
   * Takes a person's move. Autoplay ends: the person has taken over.
   * @param {Direction} direction
   */
  move(direction) {
    this.closeEditor();
    this.setAutomatic(false);
    if (this.waiting.length < AHEAD) this.waiting.push(direction);
    void this.playWaiting();
  }

  async playWaiting() {
    if (this.isPlaying) return;
    this.isPlaying = true;
    for (let move = this.waiting.shift(); move !== undefined; move = this.waiting.shift()) {
      if (!(await this.play(move))) this.waiting = [];
    }
    this.isPlaying = false;
  }

  /**
   * @param {Direction} direction
   * @returns {Promise<boolean>} whether it was played
   */
  play(direction) {
    return this.inTurn(() => this.playNow(direction));
  }

  /** @param {Direction} direction */
  async playNow(direction) {
    this.endAdvice();
    const before = this.game.score;
    const largest = Math.max(...this.game.cells);
    try {
      const possible = await this.game.play(direction, {
        slid: (slide) => {
          this.board.point(null);
          this.board.slide(slide);
        },
        spawned: (cells) => this.board.spawn(cells),
      });
      if (!possible) {
        this.board.refuse();
        announce(t('notPossible', { move: t(direction) }));
        return false;
      }
    } catch (error) {
      this.board.show(this.game.cells);
      toast(reason(error), 'error');
      return false;
    }
    if (this.isClosed) return false;
    this.left = null;
    forgetQuery();
    this.afterMove(direction, before, largest);
    return true;
  }

  /**
   * @param {Direction} direction
   * @param {number} scoreBefore
   * @param {number} largestBefore
   */
  afterMove(direction, scoreBefore, largestBefore) {
    const { score, cells } = this.game;
    this.showNumbers(score - scoreBefore);
    const largest = Math.max(...cells);
    if (largest >= 2048 && largest > largestBefore) toast(t('reached', { tile: largest }));
    else if (!this.isAutomatic) announce(t('played', { move: t(direction), reward: score - scoreBefore, score }));
    this.showOver();
    if (!this.isAutomatic) this.advise();
  }

  showAll() {
    this.board.show(this.game.cells);
    this.seedInput.value = String(this.game.seed);
    this.showNumbers(0);
    this.showOver();
    this.advise();
  }

  /** @param {number} gain */
  showNumbers(gain) {
    const { score, ply, cells, past } = this.game;
    this.best = Math.max(recall('2048.best', 0), score);
    if (this.best > recall('2048.best', 0)) remember('2048.best', this.best);
    this.scoreBox.textContent = number(score);
    this.bestBox.textContent = number(this.best);
    this.movesBox.textContent = number(ply);
    this.largestBox.textContent = String(Math.max(...cells));
    this.undoButton.disabled = past.length === 0 && this.left === null;
    if (gain > 0) {
      const rise = h('span', {}, `+${gain}`);
      this.gained.replaceChildren(rise);
    }
  }

  showOver() {
    const { cells, score, ply } = this.game;
    const over = !canMove(cells);
    this.overlay.hidden = !over;
    this.overlay.classList.toggle('game-over', over);
    if (!over) return;
    this.setAutomatic(false);
    const text = tCount('overText', ply, { score: number(score), tile: Math.max(...cells), moves: number(ply) });
    this.overlay.replaceChildren(
      h('p', { class: 'overlay-title' }, t('over')),
      h('p', {}, text),
      h(
        'div',
        { class: 'row' },
        button('restart', t('newGame'), () => this.restart(randomSeed()), { class: 'button button-strong retry-button' }),
        this.game.past.length > 0 && button('undo', t('undo'), () => this.undo()),
        button('chart', t('analyseGame'), () => this.analyse()),
      ),
    );
    announce(`${t('over')}. ${text}`);
  }

  undo() {
    this.closeEditor();
    this.setAutomatic(false);
    // What waits to be played is the last that was done.
    if (this.waiting.pop() !== undefined) return;
    void this.inTurn(() => {
      if (!this.game.undo() && !this.comeBack()) return false;
      forgetQuery();
      this.board.point(null);
      this.showAll();
      return true;
    });
  }

  /** Goes back to the game before this one. */
  comeBack() {
    if (this.left === null) return false;
    this.game = this.left;
    this.left = null;
    this.game.save();
    return true;
  }

  startSeed() {
    if (this.seedInput.reportValidity()) void this.restart(Number(this.seedInput.value));
  }

  /** @param {number} seed */
  restart(seed) {
    this.closeEditor();
    this.setAutomatic(false);
    this.waiting = [];
    return this.inTurn(async () => {
      try {
        const game = await Game2048.start(seed);
        this.left = this.game;
        this.game = game;
      } catch (error) {
        toast(reason(error), 'error');
        return false;
      }
      this.game.save();
      if (this.isClosed) return false;
      forgetQuery();
      this.board.point(null);
      this.showAll();
      return true;
    });
  }

  question() {
    return { position: this.game.position, agent: this.picker?.spec() };
  }

  /** Asks the adviser about the present position, if he is to speak while a person plays. */
  advise() {
    this.endAdvice();
    this.bars.show(null);
    this.effort.textContent = '';
    if (!this.isLive || this.isClosed || this.picker === null || !canMove(this.game.cells)) return;
    this.endAdvice = stream.analyse('2048', this.question(), {
      loading: () => (this.effort.textContent = t('loading')),
      decision: (decision) => this.showAdvice(decision),
      done: (decision) => this.showAdvice(decision),
      error: (message) => (this.effort.textContent = message),
    });
  }

  /** @param {import('../stream.js').Decision} decision */
  showAdvice(decision) {
    this.bars.show(decision);
    this.effort.textContent = effortText(decision);
  }

  async hint() {
    this.closeEditor();
    if (this.picker === null || !canMove(this.game.cells)) return;
    const position = this.game.position;
    const hinting = new AbortController();
    this.endAdvice();
    this.endAdvice = () => hinting.abort();
    try {
      const decision = await stream.decide('2048', this.question(), hinting.signal, (isLoading) => this.sayLoading(isLoading));
      if (position !== this.game.position) return;
      const best = /** @type {Direction} */ (decision.best);
      this.showAdvice(decision);
      this.board.point(best);
      announce(t('hintIs', { move: t(best) }));
    } catch (error) {
      if (hinting.signal.aborted) return;
      this.effort.textContent = '';
      toast(reason(error), 'error');
    }
  }

  /** @param {boolean} isLoading or thinking */
  sayLoading(isLoading) {
    this.effort.textContent = t(isLoading ? 'loading' : 'thinking');
    if (isLoading) announce(t('loading'));
  }

  /** @param {boolean} on */
  setAutomatic(on) {
    if (on === this.isAutomatic) return;
    if (on) this.closeEditor();
    this.automatic?.abort();
    this.automatic = on ? new AbortController() : null;
    this.autoButton.setAttribute('aria-pressed', String(on));
    this.autoButton.replaceChildren(icon(on ? 'pause' : 'play'), h('span', {}, t(on ? 'pause' : 'autoplay')));
    this.board.element.classList.toggle('is-fast', on && SPEEDS[this.speed] > 8);
    if (this.automatic !== null) void this.playAutomatically(this.automatic.signal);
    else this.advise();
  }

  /** @param {number} index */
  setSpeed(index) {
    this.speed = index;
    remember('2048.speed', index);
    const speed = SPEEDS[index];
    this.speedText.textContent = speed === Infinity ? t('fastest') : t('speedIs', { speed });
    this.board.element.classList.toggle('is-fast', this.isAutomatic && speed > 8);
  }

  /** @param {AbortSignal} signal */
  async playAutomatically(signal) {
    this.endAdvice();
    await this.last;
    while (!signal.aborted && canMove(this.game.cells)) {
      const started = performance.now();
      try {
        const decision = await stream.decide('2048', this.question(), signal, (isLoading) => this.sayLoading(isLoading));
        this.showAdvice(decision);
        if (!(await this.play(/** @type {Direction} */ (decision.best)))) break;
      } catch (error) {
        if (!signal.aborted) toast(reason(error), 'error');
        break;
      }
      const rest = 1000 / SPEEDS[this.speed] - (performance.now() - started);
      if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
    }
    if (!signal.aborted) this.setAutomatic(false);
  }

  async edit() {
    this.setAutomatic(false);
    await this.last;
    if (this.editor !== null) return;
    this.overlay.hidden = true;
    this.editor = new Editor(this.game.cells, (cells) => {
      this.closeEditor();
      if (cells !== null) {
        this.left = this.game;
        this.game = Game2048.from(cells, this.game.seed);
        this.game.save();
        forgetQuery();
      }
      this.showAll();
    });
    this.area.append(this.editor.element);
    this.editor.focus();
  }

  async share() {
    const link = this.game.link();
    history.replaceState(null, '', link);
    try {
      await navigator.clipboard.writeText(link);
      toast(t('shared'));
    } catch {
      // Without a clipboard the address bar has it.
    }
  }

  analyse() {
    const { past, cells, seed, ply } = this.game;
    const start = past[0]?.cells ?? cells;
    const moves = past.flatMap(({ move }) => move ?? []);
    // A game may have thousands of moves, too many for an address.
    remember('analysis.game-to-review', { game: '2048', position: format(start), moves, seed, ply: ply - past.length }, sessionStorage);
    go('/analyse?game=2048&from=game');
  }
}

/**
 * The game that the address asks for, or the one that was being played, or a new one.
 * @param {URLSearchParams} query
 */
async function firstGame(query) {
  const saved = Game2048.saved();
  // The link was made of this very game, which can be taken back as well.
  if (saved !== null && saved.link() === location.href) return saved;
  const position = query.get('position');
  const whole = (/** @type {string} */ name, /** @type {number} */ fallback) => {
    const value = Number(query.get(name) ?? NaN);
    return Number.isSafeInteger(value) && value >= 0 ? value : fallback;
  };
  if (position !== null) {
    const cells = parse(position);
    const error = cells === null ? position : await unreadable(position);
    if (cells !== null && error === null) return Game2048.from(cells, whole('seed', 0), whole('score', 0), whole('ply', 0));
    toast(t('badLink', { error: String(error).slice(0, 120) }), 'error');
  } else if (query.has('seed')) {
    return Game2048.start(whole('seed', 0));
  }
  return saved ?? Game2048.start(randomSeed());
}

/**
 * Why the server cannot read a position, or `null` if it can.
 * @param {string} position
 */
async function unreadable(position) {
  try {
    await post('2048/play', { position });
    return null;
  } catch (error) {
    return reason(error);
  }
}
