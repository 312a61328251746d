// Running something step by step: start, pause, single steps, speed.

import { button, field, h, icon } from '../dom.js';
import { t } from '../i18n.js';
import { recall, remember } from '../prefs.js';

/** Steps per second; the last one does not wait. */
const SPEEDS = [1, 2, 4, 8, 20, 50, Infinity];

export class Pace {
  /**
   * @param {() => Promise<boolean>} step does one step and says whether there is another
   * @param {() => Promise<void>} restart
   * @param {() => boolean} isOver whether only a restart leads on
   */
  constructor(step, restart, isOver) {
    this.step = step;
    this.restart = restart;
    this.isOver = isOver;
    this.isRunning = false;
    this.isStepping = false;
    this.isEnded = false;
    /** @type {Promise<boolean>} The last step that was begun. */
    this.made = Promise.resolve(true);
    this.speed = Math.min(recall('watch.speed', 3), SPEEDS.length - 1);
    this.toggle = button('play', t('start'), () => this.run(!this.isRunning), { class: 'button button-strong' });
    const range = h('input', { type: 'range', class: 'range', min: 0, max: SPEEDS.length - 1, step: 1, value: this.speed });
    range.addEventListener('input', () => {
      this.speed = Number(range.value);
      remember('watch.speed', this.speed);
      this.showSpeed();
    });
    this.text = h('output', { class: 'hint-text' });
    this.element = h(
      'div',
      { class: 'row pace' },
      this.toggle,
      button('forward', t('oneStep'), () => void this.once()),
      button('restart', t('restart'), () => {
        this.run(false);
        void restart();
      }),
      field(t('speed'), range),
      this.text,
    );
    this.showSpeed();
  }

  showSpeed() {
    const speed = SPEEDS[this.speed];
    this.text.textContent = speed === Infinity ? t('fastest') : t('speedIs', { speed });
  }

  async once() {
    this.run(false);
    if (this.isStepping) return;
    this.isStepping = true;
    await this.make(this.begin());
    this.isStepping = false;
  }

  /** Begins no more steps. Whether it ran is still to be seen. */
  end() {
    this.isEnded = true;
  }

  /**
   * Goes on for another one, once the step that it has begun is made.
   * @param {Pace} before
   * @param {() => void} made
   */
  async succeed(before, made) {
    before.end();
    this.isStepping = true;
    this.run(before.isRunning);
    await before.made;
    this.isStepping = false;
    made();
    if (this.isOver()) this.run(false);
    if (this.isRunning) void this.loop();
  }

  /** @param {boolean} on */
  run(on) {
    if (on === this.isRunning) return;
    this.isRunning = on;
    this.toggle.replaceChildren(icon(on ? 'pause' : 'play'), h('span', {}, t(on ? 'pause' : 'start')));
    if (on) void this.loop();
  }

  /** After the end everything begins anew. */
  begin() {
    return this.isOver() ? this.restart() : Promise.resolve();
  }

  /** Makes a step. @param {Promise<void>} begun */
  make(begun) {
    this.made = begun.then(() => this.step());
    return this.made;
  }

  async loop() {
    if (this.isStepping) return;
    this.isStepping = true;
    const begun = this.begin();
    while (this.isRunning && !this.isEnded) {
      const started = performance.now();
      if (!(await this.make(begun))) this.run(false);
      const rest = 1000 / SPEEDS[this.speed] - (performance.now() - started);
      if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
    }
    this.isStepping = false;
  }

  get isFast() {
    return SPEEDS[this.speed] > 8;
  }
}
