// Two agents play 2048 beside each other: the same seed, so that the n-th tile is the same roll for both.

import { LARGEST_SEED, field, h, wholeNumber } from '../dom.js';
import { toast } from '../announce.js';
import { reason } from '../api.js';
import { number, t, tCount } from '../i18n.js';
import { stream } from '../stream.js';
import { TileBoard } from '../twenty48/board.js';
import { Game2048, randomSeed } from '../twenty48/game.js';
import { canMove } from '../twenty48/model.js';
import { Pace } from './pace.js';
import { ScoreChart } from './chart.js';

/** @typedef {import('../twenty48/model.js').Direction} Direction */

export class SideBySide {
  /** @param {() => [string, string]} specs */
  constructor(specs) {
    this.specs = specs;
    this.seats = [new Seat(0), new Seat(1)];
    this.chart = new ScoreChart();
    this.seed = wholeNumber(0, LARGEST_SEED, randomSeed());
    this.seed.addEventListener('change', () => void this.restart());
    this.pace = new Pace(() => this.step(), () => this.restart(), () => this.seats.every((seat) => seat.isOver));
    this.ended = new AbortController();
    this.element = h(
      'section',
      { class: 'panel watch-view', 'aria-label': t('sideBySide') },
      h('div', { class: 'row watch-head' }, h('h2', {}, t('sideBySide')), field(t('seed'), this.seed)),
      h('div', { class: 'side-by-side' }, ...this.seats.map(({ element }) => element)),
      this.chart.element,
      this.pace.element,
    );
  }

  /** @type {SideBySide | null} The view whose games go on here. */
  before = null;

  /** @param {SideBySide | null} before */
  async open(before) {
    if (before === null) {
      await this.restart();
      return;
    }
    this.before = before;
    this.seed.value = before.seed.value;
    this.take(before);
    await this.pace.succeed(before.pace, () => this.take(before));
  }

  /** @param {SideBySide} other */
  take(other) {
    this.seats.forEach((seat, i) => seat.take(other.seats[i].game));
    this.chart.take(other.chart);
  }

  close() {
    this.before?.close();
    this.ended.abort();
    this.pace.end();
  }

  async restart() {
    if (!this.seed.reportValidity()) return;
    const seed = Number(this.seed.value);
    this.chart.clear();
    try {
      for (const seat of this.seats) seat.take(await Game2048.start(seed));
    } catch (error) {
      toast(reason(error), 'error');
    }
  }

  /** Both make a move at the same time. */
  async step() {
    const specs = this.specs();
    try {
      const moves = this.seats.map((seat, i) => seat.move(specs[i], this.pace.isFast, this.ended.signal));
      // Where one of them fails, the other is still on its way.
      await Promise.allSettled(moves);
      const moved = await Promise.all(moves);
      this.chart.add(this.seats.map(({ game }) => game.score));
      return moved.some((hasMoved) => hasMoved);
    } catch (error) {
      for (const seat of this.seats) seat.show();
      if (!this.ended.signal.aborted) toast(reason(error), 'error');
      return false;
    }
  }
}

class Seat {
  /** @param {number} side */
  constructor(side) {
    this.side = side;
    this.board = new TileBoard();
    this.game = Game2048.from(Array(16).fill(0), 0);
    // These games are not the person's own: nothing of them is kept.
    this.score = h('strong', {}, '0');
    this.info = h('span', { class: 'hint-text' });
    this.element = h(
      'div',
      { class: `seat seat-${side}` },
      h('div', { class: 'seat-head' }, h('span', { class: 'seat-dot' }), this.score, this.info),
      h('div', { class: 'board-area' }, this.board.element),
    );
  }

  /** @param {Game2048} game */
  take(game) {
    this.game = game;
    this.game.save = () => {};
    this.board.show(game.cells);
    this.show();
  }

  show() {
    const { score, ply, cells } = this.game;
    this.score.textContent = number(score);
    this.info.textContent = tCount('seatInfo', ply, { moves: number(ply), tile: Math.max(...cells) });
    this.element.classList.toggle('is-over', this.isOver);
  }

  /** @param {boolean} isLoading or thinking */
  sayLoading(isLoading) {
    this.info.textContent = t(isLoading ? 'loading' : 'thinking');
  }

  get isOver() {
    return !canMove(this.game.cells);
  }

  /**
   * @param {string} agent
   * @param {boolean} isFast
   * @param {AbortSignal} signal
   */
  async move(agent, isFast, signal) {
    const { game } = this;
    if (this.isOver) return false;
    const decision = await stream.decide('2048', { position: game.position, agent, role: `watch ${this.side}` }, signal, (isLoading) => this.sayLoading(isLoading));
    if (game !== this.game) return false;
    this.show();
    this.board.element.classList.toggle('is-fast', isFast);
    await game.play(/** @type {Direction} */ (decision.best), {
      slid: (slide) => this.board.slide(slide),
      spawned: (cells) => this.board.spawn(cells),
    });
    this.show();
    return true;
  }
}
