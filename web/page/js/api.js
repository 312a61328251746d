// Questions to the server.

import { t } from './i18n.js';

export class ApiError extends Error {
  /**
   * @param {number} status 0 if there was no answer at all
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** What an error says to a person. @param {unknown} error */
export function reason(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * @template T
 * @param {string} path
 * @param {RequestInit} init
 * @returns {Promise<T>}
 */
async function request(path, init) {
  /** @type {Response} */
  let response;
  try {
    response = await fetch(`/api/${path}`, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(0, t('noAnswer'));
  }
  const body = await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(response.status, body?.error ?? response.statusText);
  // The connection broke in the middle of the answer.
  if (body === null) throw new ApiError(0, t('noAnswer'));
  return body;
}

/**
 * @template T
 * @param {string} path
 * @param {Record<string, string | number | undefined>} [parameters]
 * @returns {Promise<T>}
 */
export function get(path, parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, String(value));
  }
  const text = query.toString();
  return request(text === '' ? path : `${path}?${text}`, {});
}

/**
 * @template T
 * @param {string} path
 * @param {unknown} body
 * @returns {Promise<T>}
 */
export function post(path, body) {
  return request(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
}

/** @typedef {'2048' | 'abalone'} Game */
/** @typedef {{ name: string, about: string, spec: string }} Level */
/** @typedef {{ name: string, spec: string, summary: string }} Preset */
/** @typedef {{ name: string, default: string, values: string, help: string }} Setting */
/** @typedef {{ name: string, summary: string, keys: Setting[] }} Kind */
/** @typedef {{ game: Game, adviser: string, levels: Level[], layouts: string[], agents: Kind[], evaluations: Kind[], presets: Preset[] }} Catalogue */

/** @type {Map<Game, Promise<Catalogue>>} */
const catalogues = new Map();

/**
 * What can be chosen in a game; asked for once.
 * @param {Game} game
 */
export function catalogue(game) {
  let known = catalogues.get(game);
  if (known === undefined) {
    known = get(`${game}/catalogue`);
    catalogues.set(game, known);
    known.catch(() => catalogues.delete(game));
  }
  return known;
}
