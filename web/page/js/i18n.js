// The page's words. English is the measure: a language that lacks one of its keys does not pass the type check.

import { en } from './lang/en.js';
import { de } from './lang/de.js';
import { recall, remember } from './prefs.js';

/** @typedef {keyof typeof en} Key */
/** @typedef {'en' | 'de'} Language */

/** @type {Record<Language, Record<Key, string>>} */
const DICTIONARIES = { en, de };

/** @type {[Language, string][]} */
export const LANGUAGES = [['en', 'English'], ['de', 'Deutsch']];

const preferred = navigator.language.startsWith('de') ? 'de' : 'en';

/** @type {Language} */
let current = recall('language', preferred) === 'de' ? 'de' : 'en';
document.documentElement.lang = current;

export function language() {
  return current;
}

/** @param {Language} chosen */
export function setLanguage(chosen) {
  current = chosen;
  document.documentElement.lang = chosen;
  remember('language', chosen);
}

/**
 * The words for a key, with `{name}` replaced by what is given for it.
 * @param {Key} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  return DICTIONARIES[current][key].replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/**
 * The words for a number of things; one thing has words of its own.
 * @template {string} K
 * @param {K & (`${K}One` extends Key ? Key : never)} key
 * @param {number} count
 * @param {Record<string, string | number>} values
 */
export function tCount(key, count, values) {
  return t(count === 1 ? /** @type {Key} */ (`${key}One`) : key, values);
}

/**
 * The words for a key that may be none, such as a name from the server.
 * @param {string} key
 */
export function tOr(key) {
  return key in en ? t(/** @type {Key} */ (key)) : key;
}

/**
 * @param {number} value
 * @param {number} [digits]
 */
export function number(value, digits = 0) {
  return value.toLocaleString(current, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/**
 * A number of any size in few letters: 950, 12.3 k, 4.5 M.
 * @param {number} value
 */
export function short(value) {
  return new Intl.NumberFormat(current, { notation: 'compact', maximumSignificantDigits: 3 }).format(value);
}

/**
 * An agent's value: as many digits as matter.
 * @param {number} value
 */
export function worth(value) {
  const size = Math.abs(value);
  if (size >= 100_000) return short(value);
  return number(value, size >= 1000 ? 0 : size >= 10 ? 1 : 3);
}
