// Going to another screen without loading the page anew.

/** @param {string} address */
export function go(address) {
  history.pushState(null, '', address);
  // The frame listens to this as to the browser's own back and forward.
  dispatchEvent(new PopStateEvent('popstate'));
}
