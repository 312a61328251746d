// Going to another screen without loading the page anew, and keeping the address true.

/** @param {string} address */
export function go(address) {
  history.pushState(null, '', address);
  // The frame listens to this as to the browser's own back and forward.
  dispatchEvent(new PopStateEvent('popstate'));
}

/** Shortens the address to that of the screen: what it asked for is no longer what is shown. */
export function forgetQuery() {
  if (location.search !== '') history.replaceState(null, '', location.pathname);
}
