// Building elements. Nothing here sets inline styles or markup from text, so the page's content policy can forbid both.

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, unknown>} Attributes */

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Puts attributes on an element: `onclick` and the like are listeners, `class` is the class, `true` an empty attribute,
 * `false` and `null` none.
 * @param {Element} element
 * @param {Attributes} attributes
 */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on') && typeof value === 'function') {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (name === 'value' && 'value' in element) {
      /** @type {HTMLInputElement} */ (element).value = String(value);
    } else if (value === false || value === null || value === undefined) {
      element.removeAttribute(name);
    } else {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
}

/**
 * @param {Element} element
 * @param {Child[]} children
 */
function append(element, children) {
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child instanceof Node ? child : String(child));
    }
  }
}

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  append(element, children);
  set(element, attributes);
  return element;
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function s(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElementTagNameMap[T]} */ (document.createElementNS(SVG, tag));
  set(element, attributes);
  append(element, children);
  return element;
}

/** Outlines on a grid of 24, drawn with the colour of the text around them. */
const ICONS = {
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  left: 'M19 12H5M11 6l-6 6 6 6',
  right: 'M5 12h14M13 6l6 6-6 6',
  undo: 'M9 14L4 9l5-5M4 9h10a6 6 0 010 12h-3',
  hint: 'M9 18h6M10 21h4M12 3a6 6 0 00-4 10.5c.7.7 1 1.5 1 2.5h6c0-1 .3-1.8 1-2.5A6 6 0 0012 3z',
  play: 'M7 4l13 8-13 8z',
  pause: 'M8 5v14M16 5v14',
  stop: 'M6 6h12v12H6z',
  restart: 'M4 12a8 8 0 108-8c-2.5 0-4.7 1.1-6.2 2.8L4 9M4 4v5h5',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  share: 'M12 15V4M8 8l4-4 4 4M5 13v6h14v-6',
  chart: 'M4 20V4M4 20h16M8 15l4-5 3 3 5-7',
  sun: 'M12 8a4 4 0 100 8 4 4 0 000-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5L19 19M5 19l1.5-1.5M17.5 6.5L19 5',
  moon: 'M20 14.5A8 8 0 119.5 4 6.5 6.5 0 0020 14.5z',
  first: 'M6 5v14M19 5l-9 7 9 7z',
  last: 'M18 5v14M5 5l9 7-9 7z',
  back: 'M15 5l-8 7 8 7',
  forward: 'M9 5l8 7-8 7',
  flag: 'M6 21V4h11l-2 4 2 4H6',
  close: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  file: 'M7 3h7l5 5v13H7zM14 3v5h5',
  flip: 'M7 4v16M7 4L4 7M7 4l3 3M17 20V4M17 20l-3-3M17 20l3-3',
};

/** @typedef {keyof typeof ICONS} Icon */

/**
 * @param {Icon} name
 * @returns {SVGSVGElement}
 */
export function icon(name) {
  return s('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, s('path', { d: ICONS[name] }));
}

/**
 * A button with an icon and a label.
 * @param {Icon | null} symbol
 * @param {string} label
 * @param {() => void} onclick
 * @param {Attributes} [attributes]
 */
export function button(symbol, label, onclick, attributes = {}) {
  return h('button', { type: 'button', class: 'button', onclick, ...attributes }, symbol && icon(symbol), h('span', {}, label));
}

/**
 * A button that shows its icon only.
 * @param {Icon} symbol
 * @param {string} label
 * @param {() => void} onclick
 * @param {Attributes} [attributes]
 */
export function iconButton(symbol, label, onclick, attributes = {}) {
  return h(
    'button',
    { type: 'button', class: 'button button-icon', title: label, 'aria-label': label, onclick, ...attributes },
    icon(symbol),
  );
}

let fields = 0;

/**
 * A form field under its label.
 * @param {string} label
 * @param {HTMLElement} control
 * @param {Attributes} [attributes]
 */
export function field(label, control, attributes = {}) {
  control.id ||= `field-${++fields}`;
  return h('div', { class: 'field', ...attributes }, h('label', { for: control.id }, label), control);
}

/**
 * A choice among named values.
 * @param {[value: string, label: string][]} choices
 * @param {string} chosen
 * @param {(value: string) => void} onchange
 * @param {Attributes} [attributes]
 */
export function select(choices, chosen, onchange, attributes = {}) {
  const element = h('select', { class: 'select', ...attributes });
  for (const [value, label] of choices) {
    element.append(h('option', { value, selected: value === chosen }, label));
  }
  element.addEventListener('change', () => onchange(element.value));
  return element;
}

/**
 * A field for a whole number; `reportValidity()` says what is wrong with another text.
 * @param {number} least
 * @param {number} most
 * @param {number} value
 */
export function wholeNumber(least, most, value) {
  return h('input', { class: 'input', type: 'number', min: least, max: most, step: 1, required: true, value });
}

/** Larger ones lose digits on the page. */
export const LARGEST_SEED = Number.MAX_SAFE_INTEGER;

const CONTROLS = 'select, input, textarea, button, [tabindex="0"]';

/**
 * A modal dialog with a title and a button that closes it. Escape closes it too.
 * @param {string} title
 * @param {string} closeLabel
 * @param {...Child} children
 */
export function dialog(title, closeLabel, ...children) {
  const box = h('dialog', { class: 'dialog', 'aria-label': title });
  const heading = h('div', { class: 'dialog-head' }, h('h2', {}, title), iconButton('close', closeLabel, () => box.close()));
  append(box, [heading, ...children]);
  box.addEventListener('close', () => box.remove());
  document.body.append(box);
  box.showModal();
  // Not the button that closes it, which comes first, but what the dialog is about.
  const [, ...content] = box.children;
  const first = content.map((part) => part.matches(CONTROLS) ? part : part.querySelector(CONTROLS)).find((control) => control !== null);
  if (first instanceof HTMLElement || first instanceof SVGElement) first.focus();
  return box;
}

/**
 * Gives an element new children. Whoever stands on one of the old ones with the keyboard stands on its successor then: the
 * one with the same `data-key`.
 * @param {HTMLElement} element
 * @param {...Node} children
 */
export function renew(element, ...children) {
  const focused = element.contains(document.activeElement) ? document.activeElement?.getAttribute('data-key') : null;
  element.replaceChildren(...children);
  if (focused === null || focused === undefined) return;
  const successor = element.querySelector(`[data-key="${CSS.escape(focused)}"]`);
  if (successor instanceof HTMLElement) successor.focus({ preventScroll: true });
}

/** The key that is pressed, whether it gives a small letter or a capital one. */
export function keyOf(/** @type {KeyboardEvent} */ event) {
  return event.key.length === 1 ? event.key.toLowerCase() : event.key;
}

/** Whether a key press belongs to a form field and not to the game. */
export function isTyping(/** @type {Event} */ event) {
  const target = event.target;
  return target instanceof HTMLElement && target.closest('input, select, textarea, dialog, [contenteditable]') !== null;
}
