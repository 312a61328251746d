// Asking how a new game of Abalone is to be played.

import { button, dialog, field, h, select } from '../dom.js';
import { catalogue, reason } from '../api.js';
import { t } from '../i18n.js';
import { agentPicker } from '../agents.js';
import { toast } from '../announce.js';
import { recall, remember } from '../prefs.js';
import { AbaloneGame, PERSON } from './game.js';

/** Minutes and seconds per move. @type {[number, number][]} */
const CLOCKS = [[0, 0], [3, 2], [5, 0], [10, 5], [20, 10]];

/** @returns {Promise<AbaloneGame | null>} */
export async function newGameDialog() {
  const known = await catalogue('abalone');
  const chosen = recall('abalone.new', { layout: known.layouts[0], side: 'b', clock: 0 });
  const layout = select(known.layouts.map((name) => [name, name]), chosen.layout, () => {});
  const picker = await agentPicker('abalone', 'opponent', () => {}, {
    label: t('opponent'),
    preferred: ({ levels }) => levels[1]?.spec ?? levels[0]?.spec ?? 'random',
  });
  const opponent = field(t('opponent'), picker.element);
  const side = select([['b', t('playBlack')], ['w', t('playWhite')], ['both', t('playBoth')], ['none', t('playNone')]], chosen.side, (value) => {
    opponent.hidden = value === 'both';
  });
  opponent.hidden = chosen.side === 'both';
  const clocks = CLOCKS.map(([minutes, seconds], i) => /** @type {[string, string]} */ ([String(i), minutes === 0 ? t('noClock') : t('clockIs', { minutes, seconds })]));
  const clock = select(clocks, String(chosen.clock), () => {});
  return new Promise((resolve) => {
    let started = false;
    const begin = async () => {
      started = true;
      remember('abalone.new', { layout: layout.value, side: side.value, clock: Number(clock.value) });
      const agent = picker.spec();
      const players = {
        b: side.value === 'b' || side.value === 'both' ? PERSON : agent,
        w: side.value === 'w' || side.value === 'both' ? PERSON : agent,
      };
      const [minutes, increment] = CLOCKS[Number(clock.value)] ?? [0, 0];
      try {
        const game = await AbaloneGame.begin(layout.value, players, minutes === 0 ? null : { minutes, increment });
        resolve(game);
      } catch (error) {
        toast(reason(error), 'error');
        resolve(null);
      }
      box.close();
    };
    const box = dialog(
      t('newGame'),
      t('close'),
      field(t('yourSide'), side),
      opponent,
      field(t('layout'), layout),
      field(t('clock'), clock),
      h('div', { class: 'row' }, button('play', t('begin'), () => void begin(), { class: 'button button-strong' })),
    );
    box.addEventListener('close', () => started || resolve(null));
  });
}
