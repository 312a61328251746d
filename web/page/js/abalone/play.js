// The screen on which Abalone is played: against a person at the same board, or against an agent.

import { button, dialog, h, iconButton, isTyping, keyOf } from '../dom.js';
import { t } from '../i18n.js';
import { announce, toast } from '../announce.js';
import { agentName, agentPicker } from '../agents.js';
import { catalogue, reason } from '../api.js';
import { forgetQuery, go } from '../navigate.js';
import { stream } from '../stream.js';
import { effortText } from '../values.js';
import { HexBoard } from './board.js';
import { Clock, clockText } from './clock.js';
import { exportGame, importGame } from './files.js';
import { AbaloneGame, PERSON } from './game.js';
import { MoveList } from './movelist.js';
import { newGameDialog } from './newgame.js';
import { parse } from './geometry.js';

/** @typedef {import('./geometry.js').Colour} Colour */
/** @typedef {import('./board.js').LegalMove} LegalMove */

export function screen() {
  return new AbaloneScreen();
}

class AbaloneScreen {
  board = new HexBoard((move) => void this.play(move.move));
  list = new MoveList((ply) => this.look(ply));
  bars = { b: new PlayerBar('b'), w: new PlayerBar('w') };
  status = h('p', { class: 'game-status', role: 'status' });
  effort = h('p', { class: 'hint-text effort' });
  adviserBox = h('div', {});
  controls = h('div', { class: 'row controls' });
  top = h('div', {});
  bottom = h('div', {});
  /** @type {(spec: string) => string} */
  nameOf = (spec) => spec;
  isFlipped = false;
  /** @type {AbaloneGame | null} */
  game = null;
  /** @type {Clock | null} */
  clock = null;
  /** The ply whose position is shown. */
  at = 0;
  isBusy = false;
  endThought = () => {};
  endHint = () => {};
  /** @type {import('../agents.js').Picker | null} */
  picker = null;
  listeners = new AbortController();

  /**
   * @param {HTMLElement} root
   * @param {URLSearchParams} query
   */
  async open(root, query) {
    root.append(
      h('h1', { class: 'visually-hidden' }, 'Abalone'),
      h(
        'div',
        { class: 'play play-abalone' },
        h('div', { class: 'play-main' }, this.top, this.board.element, this.bottom, this.controls, h('p', { class: 'hint-text keys-help' }, t('abaloneKeys'))),
        h('div', { class: 'play-side' }, ...this.panels()),
      ),
    );
    this.controls.append(
      h('div', { class: 'pair' }, button('plus', t('newGame'), () => void this.ask(), { class: 'button button-strong' }), button('undo', t('takeBack'), () => void this.takeBack())),
      h('div', { class: 'pair' }, button('hint', t('hint'), () => void this.hint()), iconButton('flip', t('flip'), () => this.flip())),
    );
    addEventListener('keydown', (event) => this.press(event), { signal: this.listeners.signal });
    addEventListener('pagehide', () => this.keepTime(), { signal: this.listeners.signal });
    const known = await catalogue('abalone');
    this.nameOf = (spec) => agentName(known, spec);
    this.picker = await agentPicker('abalone', 'adviser', () => {}, { label: t('adviser') });
    this.adviserBox.replaceChildren(this.picker.element);
    await this.take(await firstGame(query));
  }

  panels() {
    const step = (/** @type {import('../dom.js').Icon} */ symbol, /** @type {string} */ label, /** @type {() => number} */ to) =>
      iconButton(symbol, label, () => this.look(to()));
    const last = () => this.game?.moves.length ?? 0;
    return [
      h(
        'section',
        { class: 'panel', 'aria-label': t('game') },
        this.status,
        this.list.element,
        h(
          'div',
          { class: 'row steps' },
          step('first', t('toStart'), () => 0),
          step('back', t('stepBack'), () => this.at - 1),
          step('forward', t('stepForward'), () => this.at + 1),
          step('last', t('toEnd'), last),
        ),
        h(
          'div',
          { class: 'row' },
          button('flag', t('resign'), () => this.resign()),
          button(null, t('offerDraw'), () => void this.offerDraw()),
        ),
      ),
      h('section', { class: 'panel', 'aria-label': t('adviser') }, h('h2', {}, t('adviser')), this.adviserBox, this.effort),
      h(
        'section',
        { class: 'panel', 'aria-label': t('files') },
        h('h2', {}, t('files')),
        h(
          'div',
          { class: 'button-grid' },
          button('chart', t('analyse'), () => this.analyse()),
          button('edit', t('edit'), () => void this.edit()),
          button('share', t('share'), () => void this.share()),
          button('file', t('exportApgn'), () => this.game !== null && void exportGame(this.game)),
          button('file', t('importApgn'), () => importGame((game) => void this.begin(game))),
        ),
      ),
    ];
  }

  close() {
    if (!this.isClosed) this.keepTime();
    this.listeners.abort();
    this.endThought();
    this.endHint();
    this.clock?.run(null);
  }

  /** Keeps the times of a game with a clock: they change without a move, and after it. */
  keepTime() {
    if (this.clock === null) return;
    this.clock.take();
    this.game?.save();
  }

  get isClosed() {
    return this.listeners.signal.aborted;
  }

  async ask() {
    const game = await newGameDialog();
    if (game !== null) await this.begin(game);
  }

  /** Puts a game on the board that takes the place of the one before. @param {AbaloneGame} game */
  async begin(game) {
    game.save();
    forgetQuery();
    await this.take(game);
  }

  /** Puts a game on the board. @param {AbaloneGame} game */
  async take(game) {
    this.endThought();
    this.clock?.run(null);
    this.game = game;
    this.isFlipped = game.players.b !== PERSON && game.players.w === PERSON;
    this.clock = game.clock === null ? null : new Clock(game.left, game.clock.increment * 1000, {
      ticked: () => this.showClocks(),
      fell: (colour) => this.end(`time ${colour}`),
    });
    this.at = game.moves.length;
    this.showAll();
    await this.next();
  }

  showAll() {
    this.placeBars();
    this.board.setFlipped(this.isFlipped);
    this.showBoard();
    this.showNumbers();
  }

  placeBars() {
    const [below, above] = this.isFlipped ? /** @type {const} */ (['w', 'b']) : /** @type {const} */ (['b', 'w']);
    this.top.replaceChildren(this.bars[above].element);
    this.bottom.replaceChildren(this.bars[below].element);
  }

  /** Shows the position of the present ply without movement. */
  showBoard() {
    if (this.game === null) return;
    this.board.show(this.game.positionAt(this.at));
    this.board.markLast(this.at === 0 ? null : this.game.state.plies[this.at - 1]);
    this.openBoard();
  }

  /** Lets a person move, if it is his turn and he looks at the present. */
  openBoard() {
    const { game } = this;
    if (game === null) return;
    const isPresent = this.at === game.moves.length;
    const isOpen = isPresent && game.outcome === null && game.players[game.turn] === PERSON && !this.isBusy;
    this.board.allow(isOpen ? game.state.moves : []);
  }

  showNumbers() {
    const { game } = this;
    if (game === null) return;
    const { lost } = parse(game.positionAt(this.at));
    for (const colour of /** @type {const} */ (['b', 'w'])) {
      const player = game.players[colour];
      this.bars[colour].show(player === PERSON ? null : this.nameOf(player), lost[colour === 'b' ? 'w' : 'b'], game.outcome === null && game.turn === colour);
    }
    this.list.show(game.moves, this.at);
    this.status.textContent = this.statusText();
    this.showClocks();
  }

  showClocks() {
    for (const colour of /** @type {const} */ (['b', 'w'])) {
      this.bars[colour].showTime(this.clock === null ? null : this.clock.left[colour]);
    }
  }

  statusText() {
    const { game } = this;
    if (game === null) return '';
    const { outcome } = game;
    if (outcome === null) return t(game.turn === 'b' ? 'blackToMove' : 'whiteToMove');
    const how = howItEnded(game.result);
    const who = outcome === 'drawn' ? t('drawn') : t(outcome === 'first' ? 'blackWon' : 'whiteWon');
    return how === '' ? who : `${who} (${how})`;
  }

  /** Goes on with the game: starts the clock, and lets an agent think if it is his turn. */
  async next() {
    const { game } = this;
    if (game === null || this.isClosed) return;
    this.endHint();
    this.openBoard();
    if (game.outcome !== null) {
      this.clock?.run(null);
      announce(this.statusText());
      return;
    }
    const agent = game.players[game.turn];
    if (game.moves.length > 0 || agent !== PERSON) this.clock?.run(game.turn);
    if (agent === PERSON) return;
    const thinking = t('agentThinks', { agent: this.nameOf(agent) });
    this.status.textContent = thinking;
    const question = { position: game.start, moves: game.moves, agent, role: game.turn, time: this.timeForAgent() };
    const thought = new AbortController();
    this.endThought = () => thought.abort();
    try {
      const decision = await stream.decide('abalone', question, thought.signal, (isLoading) => (this.status.textContent = isLoading ? t('loading') : thinking));
      this.lastThought = decision;
      await this.play(decision.best);
    } catch (error) {
      if (thought.signal.aborted) return;
      toast(reason(error), 'error');
      this.showNumbers();
    }
  }

  /** @type {import('../stream.js').Decision | null} */
  lastThought = null;

  /** A thirtieth of the time that is left, where there is a clock. */
  timeForAgent() {
    if (this.clock === null || this.game === null) return undefined;
    return `${Math.max(20, Math.round(this.clock.left[this.game.turn] / 30 + this.clock.increment / 2))}ms`;
  }

  /** @param {string} move */
  async play(move) {
    const { game } = this;
    if (game === null || this.isBusy) return;
    this.isBusy = true;
    const mover = game.turn;
    try {
      const effect = game.state.moves.find((legal) => legal.move === move);
      if (effect !== undefined && this.at === game.moves.length) await this.board.roll(effect);
      await game.play(move);
      if (!this.isClosed) forgetQuery();
      this.clock?.moved(mover);
      this.keepTime();
      this.at = game.moves.length;
      announce(t('abalonePlayed', { colour: t(mover === 'b' ? 'black' : 'white'), move }));
    } catch (error) {
      toast(reason(error), 'error');
    } finally {
      this.isBusy = false;
    }
    if (game !== this.game || this.isClosed) return;
    this.showBoard();
    this.showNumbers();
    await this.next();
  }

  /** @param {number} ply */
  look(ply) {
    const { game } = this;
    if (game === null || this.isBusy || ply < 0 || ply > game.moves.length || ply === this.at) return;
    const forward = ply === this.at + 1 ? game.state.plies[ply - 1] : null;
    this.at = ply;
    this.showNumbers();
    if (forward === null) this.showBoard();
    else void this.board.roll(forward).then(() => this.showBoard());
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = keyOf(event);
    // On the board the arrows move between cells.
    const onBoard = event.target instanceof Element && event.target.closest('.hexboard') !== null;
    if (key === 'ArrowLeft' && !onBoard) this.look(this.at - 1);
    else if (key === 'ArrowRight' && !onBoard) this.look(this.at + 1);
    else if (key === 'u') void this.takeBack();
    else if (key === 'h') void this.hint();
    else if (key === 'f') this.flip();
    else if (key === 'n') void this.ask();
    else return;
    event.preventDefault();
  }

  flip() {
    this.isFlipped = !this.isFlipped;
    this.showAll();
  }

  async takeBack() {
    const { game } = this;
    if (game === null || this.isBusy || game.moves.length === 0) return;
    this.endThought();
    const againstAgent = game.players.b !== PERSON || game.players.w !== PERSON;
    // Against an agent both moves go, so that it is the person's turn again.
    const isPersonsTurn = game.players[game.turn] === PERSON;
    this.isBusy = true;
    try {
      await game.takeBack(againstAgent && isPersonsTurn ? 2 : 1);
    } catch (error) {
      toast(reason(error), 'error');
    } finally {
      this.isBusy = false;
    }
    if (game !== this.game || this.isClosed) return;
    forgetQuery();
    this.at = game.moves.length;
    this.showAll();
    await this.next();
  }

  async hint() {
    const { game, picker } = this;
    if (game === null || picker === null || game.outcome !== null || this.at !== game.moves.length) return;
    this.endHint();
    const hinting = new AbortController();
    // It is worth nothing for another position.
    this.endHint = () => {
      hinting.abort();
      this.effort.textContent = '';
    };
    this.effort.textContent = t('thinking');
    const moves = game.moves;
    try {
      const decision = await stream.decide('abalone', { position: game.start, moves, agent: picker.spec(), role: 'adviser' }, hinting.signal, (isLoading) => (this.effort.textContent = t(isLoading ? 'loading' : 'thinking')));
      if (moves !== game.moves) return;
      const best = game.state.moves.find((legal) => legal.move === decision.best);
      if (best !== undefined) this.board.point([{ move: best, strength: 1 }]);
      this.effort.textContent = `${decision.best} \u00b7 ${effortText(decision)}`;
      announce(t('hintIs', { move: decision.best }));
    } catch (error) {
      if (!hinting.signal.aborted) this.effort.textContent = reason(error);
    }
  }

  /** The colour of the person who clicks a button: his own against an agent, the mover's otherwise. */
  person() {
    const { game } = this;
    if (game === null) return 'b';
    if (game.players[game.turn] === PERSON) return game.turn;
    return game.turn === 'b' ? 'w' : 'b';
  }

  resign() {
    if (this.game === null || this.game.outcome !== null) return;
    const sure = dialog(
      t('resign'),
      t('close'),
      h('p', {}, t('resignSure')),
      h('div', { class: 'row' }, button('flag', t('resign'), () => {
        sure.close();
        this.end(`resigned ${this.person()}`);
      }, { class: 'button button-strong' }), button(null, t('goOn'), () => sure.close())),
    );
  }

  /** A person at the same board says yes or no; an agent says yes where it does not think itself ahead. */
  async offerDraw() {
    const { game } = this;
    if (game === null || game.outcome !== null) return;
    if (game.players.b === PERSON && game.players.w === PERSON) {
      const sure = dialog(
        t('offerDraw'),
        t('close'),
        h('p', {}, t('drawSure')),
        h('div', { class: 'row' }, button(null, t('acceptDraw'), () => {
          sure.close();
          this.end('drawn');
        }, { class: 'button button-strong' }), button(null, t('goOn'), () => sure.close())),
      );
      return;
    }
    const value = this.lastThought?.value;
    if (value !== null && value !== undefined && value <= 0) this.end('drawn');
    else toast(t('drawDeclined'));
  }

  /** @param {string} result */
  end(result) {
    if (this.game === null || this.game.outcome !== null) return;
    this.endThought();
    this.endHint();
    this.game.result = result;
    this.game.save();
    this.clock?.run(null);
    this.showNumbers();
    this.openBoard();
    toast(this.statusText());
  }

  /** Sets up a position and plays on from there, as the same players with full clocks. */
  async edit() {
    if (this.game === null) return;
    const { editPosition } = await import('../analysis/edit.js');
    const position = await editPosition('abalone', this.game.positionAt(this.at));
    if (position === null) return;
    try {
      await this.begin(await AbaloneGame.begin(null, this.game.players, this.game.clock, position));
    } catch (error) {
      toast(reason(error), 'error');
    }
  }

  async share() {
    if (this.game === null) return;
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
    if (this.game === null) return;
    go(`/analyse?${new URLSearchParams({ game: 'abalone', position: this.game.start, moves: this.game.moves.join(' '), at: String(this.at) })}`);
  }
}

/** @param {string | null} result */
function howItEnded(result) {
  if (result?.startsWith('time')) return t('byTime');
  if (result?.startsWith('resigned')) return t('byResigning');
  return result === 'drawn' ? t('byAgreement') : '';
}

/** The line above or below the board: who plays, what he has pushed off, how much time he has. */
class PlayerBar {
  /** @param {Colour} colour */
  constructor(colour) {
    this.colour = colour;
    this.name = h('strong', {});
    this.tray = h('span', { class: 'tray' });
    this.time = h('span', { class: 'clock', hidden: true });
    this.element = h('div', { class: 'player-bar' }, h('span', { class: `swatch swatch-${colour}` }), this.name, this.tray, this.time);
  }

  /**
   * @param {string | null} agent `null` where a person plays
   * @param {number} captured marbles of the opponent that are off the board
   * @param {boolean} isTurn
   */
  show(agent, captured, isTurn) {
    const colour = t(this.colour === 'b' ? 'black' : 'white');
    this.name.replaceChildren(agent === null ? colour : `${colour} \u00b7 ${agent}`);
    this.element.classList.toggle('is-turn', isTurn);
    const slots = Array.from({ length: 6 }, (_, i) => h('i', { class: i < captured ? `swatch swatch-${this.colour === 'b' ? 'w' : 'b'}` : 'swatch swatch-none' }));
    this.tray.replaceChildren(...slots);
    this.tray.setAttribute('role', 'img');
    this.tray.setAttribute('aria-label', t('ejected', { count: captured }));
  }

  /** @param {number | null} left */
  showTime(left) {
    this.time.hidden = left === null;
    if (left === null) return;
    this.time.textContent = clockText(left);
    this.time.classList.toggle('is-short', left < 20_000);
  }
}

/**
 * The game of the address, the one that was being played, or a new one for two persons.
 * @param {URLSearchParams} query
 */
async function firstGame(query) {
  const saved = await AbaloneGame.saved();
  // The link was made of this very game, which has its players and its clock as well.
  if (saved !== null && saved.link() === location.href) return saved;
  const position = query.get('position');
  const both = { b: PERSON, w: PERSON };
  if (position !== null) {
    try {
      const game = await AbaloneGame.begin(null, both, null, position);
      game.moves = (query.get('moves') ?? '').split(/\s+/).filter((word) => word !== '');
      await game.refresh();
      return game;
    } catch (error) {
      toast(t('badLink', { error: reason(error).slice(0, 120) }), 'error');
    }
  }
  return saved ?? AbaloneGame.begin(null, both, null);
}

