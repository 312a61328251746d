// A chess clock for two colours.

/** @typedef {import('./geometry.js').Colour} Colour */

const TICK_MS = 100;

export class Clock {
  /**
   * @param {Record<Colour, number>} left milliseconds
   * @param {number} increment milliseconds added after a move
   * @param {{ ticked: () => void, fell: (colour: Colour) => void }} tell
   */
  constructor(left, increment, tell) {
    this.left = left;
    this.increment = increment;
    this.tell = tell;
    /** @type {Colour | null} */
    this.running = null;
    this.since = 0;
    this.timer = 0;
  }

  /** @param {Colour | null} colour whose time runs; nobody's stops the clock */
  run(colour) {
    if (colour === this.running) return;
    this.take();
    this.running = colour;
    clearInterval(this.timer);
    if (colour !== null) this.timer = setInterval(() => this.tick(), TICK_MS);
    this.tell.ticked();
  }

  /** Books the time that has run. */
  take() {
    const now = performance.now();
    if (this.running !== null) this.left[this.running] = Math.max(0, this.left[this.running] - (now - this.since));
    this.since = now;
  }

  /** The colour has moved. @param {Colour} colour */
  moved(colour) {
    this.take();
    this.left[colour] += this.increment;
  }

  tick() {
    this.take();
    this.tell.ticked();
    if (this.running !== null && this.left[this.running] === 0) {
      const fallen = this.running;
      this.run(null);
      this.tell.fell(fallen);
    }
  }
}

/** @param {number} milliseconds */
export function clockText(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  if (milliseconds < 10_000) return (milliseconds / 1000).toFixed(1);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
