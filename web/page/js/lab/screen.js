// The laboratory: experiments with results, what their series say while they run, and every stored game.

import { button, field, h, renew, select, wholeNumber } from '../dom.js';
import { ApiError, get, reason } from '../api.js';
import { number, t, tCount } from '../i18n.js';
import { go } from '../navigate.js';
import { recall, remember } from '../prefs.js';
import { Histogram } from './histogram.js';
import { estimate, row } from '../figures.js';
import { ReportView } from './report.js';

/** @typedef {'solo' | 'duel' | 'decision'} Kind */
/** @typedef {{ number: number, kind: Kind, definition: string, games: number }} Series */
/** @typedef {{ name: string, series: Series[] }} Experiment */
/** @typedef {{ kind: Kind, definition: string, summary: any, results: any[] }} Outcome */

/** Results are asked for anew so often, because a run may be adding to them. */
const REFRESH_MS = 3000;
/** Stored games that are listed; the others are called by their number. */
const LISTED = 200;

/** @param {URLSearchParams} query */
export function screen(query) {
  return new LabScreen(query.get('experiment') ?? recall('lab.experiment', ''), Number(query.get('series') ?? 0));
}

class LabScreen {
  /**
   * @param {string} experiment
   * @param {number} series
   */
  constructor(experiment, series) {
    this.name = experiment;
    this.number = series;
    this.timer = 0;
    /** Counts looks at the results. */
    this.looks = 0;
    /** @type {Experiment[]} */
    this.experiments = [];
    this.list = h('div', { class: 'lab-series', role: 'group', 'aria-label': t('series') });
    this.chooser = h('div', {});
    this.problem = h('p', { class: 'problem', role: 'alert', hidden: true });
    this.heading = h('h2', {});
    this.summary = h('table', { class: 'table' });
    this.results = h('table', { class: 'table lab-results' });
    /** What the number field calls. @type {(game: number) => void} */
    this.call = () => {};
    this.called = wholeNumber(1, 1, 1);
    this.called.addEventListener('keydown', (event) => event.key === 'Enter' && this.callNumber());
    this.histogram = new Histogram();
    this.report = new ReportView();
    /** What a series of single decisions has not. */
    this.games = [
      h('div', { class: 'lab-scroll', tabindex: 0, role: 'group', 'aria-label': t('storedGames') }, this.results),
      h('div', { class: 'row' }, field(t('gameNumber'), this.called), button('play', t('replayNumber'), () => this.callNumber())),
    ];
    this.resultsPanel = h(
      'section',
      { class: 'panel', 'aria-label': t('results'), hidden: true },
      this.heading,
      this.histogram.element,
      this.summary,
      ...this.games,
    );
  }

  /** @param {HTMLElement} root */
  async open(root) {
    root.append(
      h('h1', { class: 'visually-hidden' }, t('navLab')),
      h(
        'div',
        { class: 'lab' },
        h('section', { class: 'panel', 'aria-label': t('experiments') }, h('h2', {}, t('experiments')), this.chooser, this.problem, this.list),
        h('div', { class: 'lab-main' }, this.report.element, this.resultsPanel),
      ),
    );
    await this.refresh();
  }

  close() {
    this.looks += 1;
    clearTimeout(this.timer);
  }

  callNumber() {
    if (this.called.reportValidity()) this.call(Number(this.called.value));
  }

  /** Looks at the results anew, and again after a while. What an earlier look still brings is not shown. */
  async refresh() {
    clearTimeout(this.timer);
    const look = ++this.looks;
    try {
      await this.showAll(() => look === this.looks);
      this.problem.hidden = true;
    } catch (error) {
      // That the server is away is said at the top.
      this.problem.hidden = error instanceof ApiError && error.status === 0;
      this.problem.textContent = reason(error);
    }
    if (look === this.looks) this.timer = setTimeout(() => void this.refresh(), REFRESH_MS);
  }

  /** @param {() => boolean} isLatest */
  async showAll(isLatest) {
    /** @type {{ experiments: Experiment[] }} */
    const { experiments } = await get('lab');
    if (!isLatest()) return;
    this.experiments = experiments;
    this.showExperiments();
    const { experiment } = this;
    if (experiment === undefined) return;
    await this.report.show(experiment.name, experiment.series.reduce((sum, { games }) => sum + games, 0));
    if (isLatest()) await this.showSeries(experiment, isLatest);
  }

  get experiment() {
    return this.experiments.find(({ name }) => name === this.name) ?? this.experiments[0];
  }

  showExperiments() {
    const { experiment } = this;
    if (experiment === undefined) {
      this.chooser.replaceChildren(h('p', { class: 'hint-text' }, t('noResults')));
      return;
    }
    const names = this.experiments.map(({ name }) => /** @type {[string, string]} */ ([name, name]));
    // A list that is open must not be replaced under the hand that chooses.
    if (this.chooser.dataset.names !== names.join()) {
      this.chooser.dataset.names = names.join();
      this.chooser.replaceChildren(select(names, experiment.name, (name) => this.choose(name, 0), { 'aria-label': t('experiments') }));
    }
    renew(
      this.list,
      ...experiment.series.map((series) =>
        h(
          'button',
          { type: 'button', class: 'lab-entry', 'data-key': series.number, 'aria-current': series.number === this.number ? 'true' : null, onclick: () => this.choose(experiment.name, series.number) },
          h('span', { class: 'lab-definition', title: series.definition }, seriesName(series.definition)),
          h('span', { class: 'hint-text' }, series.kind === 'decision' ? tCount('decisionsAre', series.games, { decisions: number(series.games) }) : tCount('gamesAre', series.games, { games: number(series.games) })),
        ),
      ),
    );
  }

  /**
   * @param {string} name
   * @param {number} series
   */
  choose(name, series) {
    this.name = name;
    this.number = series;
    remember('lab.experiment', name);
    // Whoever comes back from a game comes back to its series.
    history.replaceState(null, '', `/lab?${new URLSearchParams({ experiment: name, series: String(series) })}`);
    this.showExperiments();
    void this.refresh();
  }

  /**
   * @param {Experiment} experiment
   * @param {() => boolean} isLatest
   */
  async showSeries(experiment, isLatest) {
    const chosen = experiment.series[this.number];
    if (chosen === undefined) return;
    /** @type {Outcome} */
    const outcome = await get(`lab/${encodeURIComponent(experiment.name)}/${chosen.number}`);
    if (!isLatest()) return;
    this.resultsPanel.hidden = false;
    this.heading.textContent = seriesName(outcome.definition);
    const decided = outcome.kind === 'decision';
    for (const element of [this.histogram.element, ...this.games]) element.hidden = decided;
    if (decided) {
      this.summary.replaceChildren(...decisionRows(outcome.summary));
      return;
    }
    const solo = outcome.kind === 'solo';
    this.summary.replaceChildren(...(solo ? soloRows(outcome.summary) : duelRows(outcome.summary)));
    this.histogram.show(outcome.results.map((result) => (solo ? result.score : result.plies)), solo ? t('scores') : t('gameLengths'));
    this.called.max = String(chosen.games);
    this.call = (game) => replay(outcome.kind, experiment.name, chosen.number, game - 1);
    this.showResults(experiment.name, chosen.number, outcome);
  }

  /**
   * @param {string} name
   * @param {number} series
   * @param {Outcome} outcome
   */
  showResults(name, series, { kind, results }) {
    const head = kind === 'solo' ? [t('score'), t('largest'), t('moves')] : [t('points'), t('ejectedShort'), t('moves')];
    const cells = (/** @type {any} */ result) =>
      kind === 'solo'
        ? [number(result.score), result.largest, number(result.moves)]
        : [result.points, `${result.lost[1]} : ${result.lost[0]}`, result.plies];
    const rows = results.slice(-LISTED).reverse().map((result) =>
      h('tr', {}, h('th', { scope: 'row' }, result.game + 1), ...cells(result).map((cell) => h('td', {}, cell)), h('td', {}, button('play', t('replay'), () => replay(kind, name, series, result.game), { class: 'button button-small', 'data-key': result.game }))),
    );
    renew(
      this.results,
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, '#'), ...head.map((text) => h('th', { scope: 'col' }, text)), h('td', {}))),
      h('tbody', {}, ...rows),
    );
  }
}

/**
 * Who plays in a series: what people tell series apart by. Its whole definition is for programs.
 * @param {string} definition
 */
function seriesName(definition) {
  try {
    const { agents } = JSON.parse(definition);
    return Array.isArray(agents) ? agents.join(' \u2013 ') : definition;
  } catch {
    return definition;
  }
}

/**
 * Opens a stored game on the analysis board.
 * @param {Kind} kind
 * @param {string} experiment
 * @param {number} series
 * @param {number} number
 */
function replay(kind, experiment, series, number) {
  const game = kind === 'solo' ? '2048' : 'abalone';
  go(`/analyse?${new URLSearchParams({ game, experiment, series: String(series), number: String(number) })}`);
}

/** @param {any} summary */
function soloRows(summary) {
  const tiles = summary.tiles.filter((/** @type {{ tile: number }} */ { tile }) => tile >= 512);
  return [
    row(t('meanScore'), estimate(summary.score)),
    row(t('median'), summary.median === null ? '\u2013' : number(summary.median)),
    row(t('bestGame'), summary.best === null ? '\u2013' : number(summary.best)),
    ...tiles.map((/** @type {{ tile: number, rate: { share: number } }} */ { tile, rate }) => row(t('reachedTile', { tile }), `${number(100 * rate.share, 1)}\u2009%`)),
    row(t('secondsPerMove'), number(summary.seconds_per_move * 1000, 2)),
  ];
}

/** @param {any} summary */
function duelRows(summary) {
  return [
    row(t('wonDrawnLost'), `${summary.won} / ${summary.drawn} / ${summary.lost}`),
    row(t('elo'), estimate(summary.elo)),
    row(t('superiority'), `${number(100 * summary.superiority, 1)}\u2009%`),
    row(t('captured'), `${estimate(summary.captured[0], 1)} : ${estimate(summary.captured[1], 1)}`),
    row(t('secondsPerMove'), summary.cost.map((/** @type {any} */ cost) => number(cost.seconds_per_move * 1000, 2)).join(' : ')),
  ];
}

/** @param {any} summary */
function decisionRows(summary) {
  return [
    row(t('searched'), `${t('depthIs', { depth: number(summary.depth) })}, ${t('nodesAre', { nodes: number(summary.nodes) })}`),
    row(t('secondsPerMove'), number(summary.seconds * 1000, 2)),
  ];
}
