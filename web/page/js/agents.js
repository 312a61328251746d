// Choosing an agent: by name from the catalogue, or by writing its spec.

import { h, select } from './dom.js';
import { catalogue } from './api.js';
import { language, t, tOr } from './i18n.js';
import { recall, remember } from './prefs.js';

/** @typedef {import('./api.js').Game} Game */
/** @typedef {import('./api.js').Catalogue} Catalogue */

const OWN = '\u0000own';

/**
 * @typedef {{ element: HTMLElement, spec: () => string }} Picker
 */

/**
 * A picker that remembers the choice under a name.
 * @param {Game} game
 * @param {string} remembered
 * @param {(spec: string) => void} chosen
 * @param {{ label: string, preferred?: (catalogue: Catalogue) => string }} options
 * @returns {Promise<Picker>}
 */
export async function agentPicker(game, remembered, chosen, options) {
  const known = await catalogue(game);
  const key = `agent.${game}.${remembered}`;
  let spec = recall(key, options.preferred?.(known) ?? known.adviser);
  const own = h('input', {
    class: 'input spec',
    type: 'text',
    spellcheck: 'false',
    autocomplete: 'off',
    'aria-label': t('ownSpec'),
    placeholder: 'expectimax(depth=4)',
  });
  const summary = h('p', { class: 'hint-text' });
  const list = select([], '', (value) => {
    own.hidden = value !== OWN;
    if (value === OWN) own.focus();
    else take(value);
  }, { 'aria-label': options.label });
  // Arrow keys in a list choose from it: whoever chose with the mouse wants them back for the game.
  let byPointer = false;
  list.addEventListener('pointerdown', () => (byPointer = true));
  list.addEventListener('keydown', () => (byPointer = false));
  list.addEventListener('change', () => byPointer && list.value !== OWN && list.blur());
  own.addEventListener('keydown', (event) => event.key === 'Enter' && own.blur());
  fill(list, known);
  const take = (/** @type {string} */ value) => {
    spec = value;
    remember(key, spec);
    describe();
    chosen(spec);
  };
  const describe = () => {
    const level = known.levels.find((candidate) => candidate.spec === spec);
    summary.textContent = level === undefined ? describeSpec(known, spec) : tOr(level.about);
    // The catalogue speaks English only.
    summary.lang = level === undefined ? 'en' : language();
  };
  own.addEventListener('change', () => own.value.trim() !== '' && take(own.value.trim()));
  const isListed = [...list.options].some((option) => option.value === spec);
  list.value = isListed ? spec : OWN;
  own.hidden = isListed;
  own.value = spec;
  describe();
  return { element: h('div', { class: 'agent-picker' }, list, own, summary), spec: () => spec };
}

/**
 * What people call an agent: the name of a level, or its spec.
 * @param {Catalogue} known
 * @param {string} spec
 */
export function agentName({ levels }, spec) {
  const level = levels.find((candidate) => candidate.spec === spec);
  return level === undefined ? spec : tOr(level.name);
}

/**
 * @param {HTMLSelectElement} list
 * @param {Catalogue} known
 */
function fill(list, known) {
  const group = (/** @type {string} */ label, /** @type {[string, string][]} */ entries) => {
    if (entries.length === 0) return;
    const options = entries.map(([value, name]) => h('option', { value }, name));
    list.append(h('optgroup', { label }, ...options));
  };
  const levels = known.levels.map(({ name, spec }) => /** @type {[string, string]} */ ([spec, tOr(name)]));
  group(t('levels'), levels);
  const isLevel = (/** @type {string} */ value) => levels.some(([spec]) => spec === value);
  group(t('presets'), known.presets.filter(({ name }) => !isLevel(name)).map(({ name }) => [name, name]));
  group(t('agents'), known.agents.filter(({ name }) => !isLevel(name)).map(({ name }) => [name, name]));
  list.append(h('option', { value: OWN }, t('ownSpec')));
}

/**
 * @param {Catalogue} known
 * @param {string} spec
 */
function describeSpec(known, spec) {
  const preset = known.presets.find(({ name }) => name === spec);
  if (preset !== undefined) return preset.summary;
  return known.agents.find(({ name }) => name === spec.split('(')[0])?.summary ?? '';
}
