// A match of many games, played by the server: the board it is at, every result, and what they say so far.

import { LARGEST_SEED, button, field, h, icon, wholeNumber } from '../dom.js';
import { toast } from '../announce.js';
import { number, t, tCount } from '../i18n.js';
import { recall, remember } from '../prefs.js';
import { stream } from '../stream.js';
import { HexBoard } from '../abalone/board.js';
import { TileBoard } from '../twenty48/board.js';
import { parse } from '../twenty48/model.js';
import { estimate, row } from '../figures.js';

/** @typedef {import('../figures.js').Estimate} Estimate */
/** @typedef {{ games: number, score: Estimate | null, median: number | null, best: number | null, tiles: { tile: number, share: { value: number } | number }[], seconds_per_move: number }} SoloSummary */
/** @typedef {{ each: [SoloSummary, SoloSummary], paired: { difference: Estimate | null, first_better: number, second_better: number, equal: number } }} Compared */
/** @typedef {{ games: number, won: number, drawn: number, lost: number, score: number | null, elo: Estimate | null, superiority: number, captured: [Estimate | null, Estimate | null], plies: number | null, cost: { seconds_per_move: number }[] }} Duelled */
/** @typedef {{ number: number, figures: any, summary: any }} Played */

const MOST_GAMES = 1000;

/** A match and what came of it so far. It goes on when another panel shows it. */
export class Match {
  /** @type {Played[]} */
  played = [];
  /** What it is at. @type {{ agent: number, position: string } | null} */
  board = null;
  /** How it ended. @type {(() => string) | null} */
  ending = null;
  /** What shows it. @type {{ showBoard: (reply: { agent: number, position: string }) => void, showGame: (played: Played) => void, showState: () => void } | null} */
  panel = null;

  /**
   * @param {import('../api.js').Game} game
   * @param {{ agents: [string, string], games: number, seed: number }} asked
   */
  constructor(game, asked) {
    this.games = asked.games;
    this.seed = asked.seed;
    this.end = stream.request((id) => ({ type: 'match', id, game, match: asked }), {
      board: (reply) => {
        this.board = reply;
        this.panel?.showBoard(reply);
      },
      game: (reply) => this.add(reply),
      match_over: () => this.over(() => tCount('matchOver', this.games, { games: this.games })),
      abandoned: () => this.over(() => t('matchAbandoned')),
      lost: () => this.over(() => t('matchLost')),
      error: (reply) => {
        this.over(() => reply.error);
        toast(reply.error, 'error');
      },
    });
  }

  /** @param {Played} played */
  add(played) {
    this.played.push(played);
    this.panel?.showGame(played);
    this.panel?.showState();
  }

  /** @param {() => string} ending */
  over(ending) {
    this.ending = ending;
    this.panel?.showState();
  }

  stop() {
    this.end();
    this.over(() => this.progress());
  }

  progress() {
    return t('matchProgress', { done: this.played.length, all: this.games });
  }
}

export class MatchPanel {
  /**
   * @param {import('../api.js').Game} game
   * @param {() => [string, string]} specs
   */
  constructor(game, specs) {
    this.game = game;
    this.specs = specs;
    /** @type {Match | null} */
    this.match = null;
    this.isRunning = false;
    this.games = wholeNumber(1, MOST_GAMES, recall(`match.games.${game}`, 20));
    this.seed = wholeNumber(0, LARGEST_SEED, 1);
    this.toggle = button('play', t('startMatch'), () => (this.isRunning ? this.match?.stop() : this.start()), { class: 'button button-strong' });
    this.board = game === '2048' ? new TileBoard() : new HexBoard(() => {});
    this.boardBox = h('div', { class: 'match-board board-area', hidden: true }, this.board.element);
    this.status = h('p', { class: 'hint-text', role: 'status' });
    this.summary = h('table', { class: 'table' });
    this.results = h('ol', { class: 'match-results' });
    this.element = h(
      'section',
      { class: 'panel match', 'aria-label': t('match') },
      h('h2', {}, t('match')),
      h('p', { class: 'hint-text' }, t(game === '2048' ? 'matchHint2048' : 'matchHintAbalone')),
      h('div', { class: 'row' }, field(t('games'), this.games), field(t('seed'), this.seed), this.toggle),
      this.status,
      h('div', { class: 'match-body' }, this.boardBox, h('div', { class: 'match-figures' }, this.summary, this.results)),
    );
  }

  close() {
    this.match?.end();
  }

  start() {
    if (!this.games.reportValidity() || !this.seed.reportValidity()) return;
    const games = Number(this.games.value);
    remember(`match.games.${this.game}`, games);
    this.results.replaceChildren();
    this.summary.replaceChildren();
    this.take(new Match(this.game, { agents: this.specs(), games, seed: Number(this.seed.value) }));
  }

  /** Shows a match, which may have come some way already. @param {Match} match */
  take(match) {
    this.match = match;
    match.panel = this;
    this.seed.value = String(match.seed);
    if (match.board !== null) this.showBoard(match.board);
    for (const played of match.played) this.showGame(played);
    this.showState();
  }

  showState() {
    const { match } = this;
    if (match === null) return;
    this.setRunning(match.ending === null);
    this.status.textContent = match.ending?.() ?? match.progress();
  }

  /** @param {boolean} on */
  setRunning(on) {
    if (on === this.isRunning) return;
    this.isRunning = on;
    this.toggle.replaceChildren(icon(on ? 'stop' : 'play'), h('span', {}, t(on ? 'stop' : 'startMatch')));
    this.boardBox.hidden = !on;
  }

  /** @param {{ agent: number, position: string }} reply */
  showBoard({ agent, position }) {
    if (this.board instanceof TileBoard) this.board.show(parse(position) ?? []);
    else this.board.show(position);
    this.boardBox.dataset.agent = String(agent);
  }

  /** @param {Played} played */
  showGame({ number: played, figures, summary }) {
    const text = this.game === '2048'
      ? `${number(figures.scores[0])} : ${number(figures.scores[1])}`
      : `${figures.points} \u2013 ${1 - figures.points} \u00b7 ${figures.lost[1]} : ${figures.lost[0]} \u00b7 ${tCount('pliesAre', figures.plies, { plies: figures.plies })}`;
    this.results.prepend(h('li', { value: played + 1 }, text));
    this.summary.replaceChildren(...(this.game === '2048' ? compared(summary) : duelled(summary)));
  }
}

/** @param {Compared} summary */
function compared({ each, paired }) {
  const [a, b] = each;
  return [
    h('tr', {}, h('td', {}), h('th', { scope: 'col' }, 'A'), h('th', { scope: 'col' }, 'B')),
    row(t('meanScore'), estimate(a.score), estimate(b.score)),
    row(t('median'), a.median === null ? '\u2013' : number(a.median), b.median === null ? '\u2013' : number(b.median)),
    row(t('bestGame'), a.best === null ? '\u2013' : number(a.best), b.best === null ? '\u2013' : number(b.best)),
    row(t('betterGames'), paired.first_better, paired.second_better),
    row(t('difference'), estimate(paired.difference), ''),
    row(t('secondsPerMove'), number(a.seconds_per_move * 1000, 2), number(b.seconds_per_move * 1000, 2)),
  ];
}

/** @param {Duelled} summary */
function duelled({ won, drawn, lost, elo, superiority, captured, cost }) {
  return [
    h('tr', {}, h('td', {}), h('th', { scope: 'col' }, 'A'), h('th', { scope: 'col' }, 'B')),
    row(t('wonDrawnLost'), `${won} / ${drawn} / ${lost}`, `${lost} / ${drawn} / ${won}`),
    row(t('captured'), estimate(captured[0], 1), estimate(captured[1], 1)),
    row(t('elo'), estimate(elo), ''),
    row(t('superiority'), `${number(100 * superiority, 1)}\u2009%`, ''),
    row(t('secondsPerMove'), number(cost[0].seconds_per_move * 1000, 2), number(cost[1].seconds_per_move * 1000, 2)),
  ];
}
