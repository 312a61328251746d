// The frame of the page: header, screens by address, colours, language, and the state of the connection.

import { ApiError, reason } from './api.js';
import { button, h, iconButton, renew, s, select } from './dom.js';
import { LANGUAGES, language, setLanguage, t } from './i18n.js';
import { recall, remember } from './prefs.js';
import { stream } from './stream.js';
import { toast } from './announce.js';
import { go } from './navigate.js';

/**
 * A screen fills the root. It may be closed before it has opened, and again after that. Where something runs on it that
 * an address does not hold, it hands that over to its successor in another language instead of ending it.
 * @typedef {{ open: (root: HTMLElement, query: URLSearchParams) => Promise<void>, close: () => void, handOver?: () => unknown }} Screen
 */

/** @type {Record<string, { name: import('./i18n.js').Key, load: () => Promise<{ screen: (query: URLSearchParams, running?: any) => Screen }> }>} */
const SCREENS = {
  '/2048': { name: 'nav2048', load: () => import('./twenty48/play.js') },
  '/abalone': { name: 'navAbalone', load: () => import('./abalone/play.js') },
  '/analyse': { name: 'navAnalyse', load: () => import('./analysis/screen.js') },
  '/watch': { name: 'navWatch', load: () => import('./watch/screen.js') },
  '/lab': { name: 'navLab', load: () => import('./lab/screen.js') },
};

const header = /** @type {HTMLElement} */ (document.getElementById('header'));
const main = /** @type {HTMLElement} */ (document.getElementById('main'));

/** Counts openings, so that a screen that loads slowly does not replace a later one. */
let openings = 0;
let end = () => {};
/** Takes from the screen what is to go on in its successor. @type {() => unknown} */
let handOver = () => undefined;
/** Whether a screen waits for the server to be there. */
let isMissing = false;

/** @param {unknown} [running] what the screen before, in another language, handed over */
async function open(running) {
  const opening = ++openings;
  end();
  end = () => {};
  handOver = () => undefined;
  isMissing = false;
  const path = screenPath();
  drawHeader(path);
  const known = SCREENS[path];
  if (known === undefined) {
    document.title = t('title');
    main.replaceChildren(h('section', { class: 'empty-screen' }, h('h1', {}, t('notFound')), h('p', {}, t('notFoundText'))));
    return;
  }
  document.title = `${t(known.name)} \u2013 ${t('title')}`;
  const loaded = await known.load().catch(() => null);
  if (opening !== openings) return;
  if (loaded === null) {
    showFailure(t('noAnswer'));
    return;
  }
  const query = new URLSearchParams(location.search);
  const screen = loaded.screen(query, running);
  end = () => screen.close();
  handOver = () => screen.handOver?.();
  const root = h('div', { class: 'screen' });
  main.replaceChildren(root);
  try {
    await screen.open(root, query);
  } catch (error) {
    if (!(error instanceof ApiError)) faults.push(String(error));
    screen.close();
    if (opening === openings) showFailure(reason(error));
  }
  // What was begun after it was closed ends as well.
  if (opening !== openings) screen.close();
}

/** Says why the screen is not there. It opens as soon as the server is back. @param {string} why */
function showFailure(why) {
  isMissing = true;
  main.replaceChildren(
    h(
      'section',
      { class: 'empty-screen', role: 'alert' },
      h('h1', {}, t('notOpened')),
      h('p', {}, why),
      button('restart', t('tryAgain'), () => void open()),
    ),
  );
}

/** @param {string} path */
function drawHeader(path) {
  const links = Object.entries(SCREENS).map(([target, { name }]) =>
    h(
      'a',
      {
        href: target,
        'aria-current': target === path ? 'page' : null,
        onclick: (/** @type {MouseEvent} */ event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          go(target);
        },
      },
      t(name),
    ),
  );
  const languages = select(LANGUAGES, language(), (chosen) => {
    setLanguage(chosen === 'de' ? 'de' : 'en');
    void open(handOver());
  }, { 'aria-label': t('language'), class: 'select select-quiet', 'data-key': 'language' });
  const dark = isDark();
  renew(
    header,
    h('a', { class: 'brand', href: '/', 'aria-label': t('title') }, mark(), h('span', {}, t('title'))),
    h('nav', { 'aria-label': t('navigation') }, ...links),
    h(
      'div',
      { class: 'header-tools' },
      h('span', { id: 'connection', class: 'connection', 'data-status': stream.status }),
      languages,
      iconButton(dark ? 'sun' : 'moon', t(dark ? 'themeLight' : 'themeDark'), () => setTheme(dark ? 'light' : 'dark'), { 'data-key': 'theme' }),
    ),
  );
  document.querySelector('.skip-link')?.replaceChildren(t('skip'));
}

function mark() {
  return s(
    'svg',
    { class: 'mark', viewBox: '0 0 64 64', 'aria-hidden': 'true' },
    s('rect', { class: 'mark-ground', width: 64, height: 64, rx: 15 }),
    s('rect', { class: 'mark-tile', x: 11, y: 11, width: 20, height: 20, rx: 5 }),
    s('rect', { class: 'mark-cell', x: 33, y: 11, width: 20, height: 20, rx: 5 }),
    s('rect', { class: 'mark-cell', x: 11, y: 33, width: 20, height: 20, rx: 5 }),
    s('circle', { class: 'mark-marble', cx: 43, cy: 43, r: 10 }),
  );
}

function isDark() {
  const chosen = recall('theme', null);
  return chosen === null ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark';
}

/** @param {'light' | 'dark'} theme */
function setTheme(theme) {
  remember('theme', theme);
  changeTheme();
}

function applyTheme() {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
}

/** The header has a button that leads to the other theme. */
function changeTheme() {
  applyTheme();
  drawHeader(screenPath());
}

/** The path of the screen that is shown; the first is shown at the root. */
function screenPath() {
  return location.pathname === '/' ? '/2048' : location.pathname;
}

/** Says once that the connection is lost, and once that it is back. */
function watchConnection() {
  let lost = false;
  stream.addEventListener('status', () => {
    document.getElementById('connection')?.setAttribute('data-status', stream.status);
    if (stream.status === 'open' && isMissing) void open();
    if (stream.status === 'closed' && !lost) {
      lost = true;
      toast(t('connectionLost'), 'error');
    } else if (stream.status === 'open' && lost) {
      lost = false;
      toast(t('connectionBack'));
    }
  });
}

// What went wrong unseen is kept for whoever asks; the browser tests do.
const faults = /** @type {string[]} */ ((/** @type {any} */ (window)).__faults = []);
addEventListener('error', (event) => faults.push(event.message));
addEventListener('unhandledrejection', (event) => faults.push(String(event.reason)));
document.addEventListener('securitypolicyviolation', (event) => faults.push(`${event.violatedDirective}: ${event.blockedURI}`));

applyTheme();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changeTheme);
watchConnection();
// A step within the page is none to another screen, which the browser would report it as.
document.querySelector('.skip-link')?.addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});
stream.connect();
addEventListener('popstate', () => {
  void open();
  main.focus({ preventScroll: true });
});
void open();

