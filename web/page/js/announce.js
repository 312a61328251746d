// Saying things: to screen readers through a live region, to everybody through a short note at the edge.

import { h } from './dom.js';

const live = /** @type {HTMLElement} */ (document.getElementById('live'));
const toasts = /** @type {HTMLElement} */ (document.getElementById('toasts'));

/** @param {string} text */
export function announce(text) {
  // The same words twice are said twice only if they change in between.
  live.textContent = live.textContent === text ? `${text}\u00a0` : text;
}

/**
 * @param {string} text
 * @param {'note' | 'error'} [kind]
 */
export function toast(text, kind = 'note') {
  announce(text);
  const note = h('div', { class: `toast toast-${kind}`, 'aria-hidden': 'true' }, text);
  toasts.replaceChildren(note);
  setTimeout(() => note.remove(), kind === 'error' ? 6000 : 3000);
}
