// Runs inside the foreign page and says what is to be seen there. Kept apart from the reading of it, which is tested
// without a browser.
const shown = (element) => {
  if (element === null) return false;
  const style = getComputedStyle(element);
  return style.display !== 'none' && style.visibility !== 'hidden' && element.getClientRects().length > 0;
};
const container = document.querySelector('.tile-container');
const tiles = [...document.querySelectorAll('.tile-container .tile')].map((tile) => tile.className);
const message = document.querySelector('.game-message, .board-overlay');
const score = document.querySelector('.score-container');
let state = null;
try {
  state = localStorage.getItem('gameState');
} catch {
  // Some pages may not look into their storage.
}
let cover = null;
if (container !== null) {
  const box = container.getBoundingClientRect();
  const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  const game = container.closest('.game-container, .board-area') ?? container.parentElement;
  if (box.width > 0 && top !== null && !game.contains(top) && !top.contains(game)) {
    cover = '<' + top.tagName.toLowerCase() + (top.id ? ' id=' + top.id : '') + (top.className ? ' class=' + top.className : '') + '>';
  }
}
return {
  // What the browser shows in place of a page that it cannot load.
  failure: location.protocol === 'chrome-error:' ? (document.querySelector('.error-code')?.textContent ?? document.title) : null,
  title: document.title,
  container: container !== null,
  tiles,
  score: score === null ? null : [...score.childNodes].map((node) => (node.nodeType === 3 || node.tagName === 'STRONG' ? node.textContent : '')).join(''),
  over: message !== null && shown(message) && message.classList.contains('game-over'),
  won: message !== null && shown(message) && message.classList.contains('game-won'),
  state,
  cover,
};
