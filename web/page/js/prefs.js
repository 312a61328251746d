// What the page remembers between visits. Storage may be full, forbidden or hold anything; the page then just forgets.

/**
 * @template T
 * @param {string} key
 * @param {T} fallback
 * @param {Storage} [storage]
 * @returns {T}
 */
export function recall(key, fallback, storage = localStorage) {
  try {
    const text = storage.getItem(`afterstate.${key}`);
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

/**
 * @param {string} key
 * @param {unknown} value
 * @param {Storage} [storage]
 */
export function remember(key, value, storage = localStorage) {
  try {
    storage.setItem(`afterstate.${key}`, JSON.stringify(value));
  } catch {
    // Nothing depends on being remembered, but what was remembered before is not true any more.
    forget(key, storage);
  }
}

/**
 * @param {string} key
 * @param {Storage} storage
 */
function forget(key, storage) {
  try {
    storage.removeItem(`afterstate.${key}`);
  } catch {
    // Then nothing was remembered either.
  }
}
