// A spec without its own limits: for an analysis that goes on until its time is up.

/** @typedef {import('../api.js').Catalogue} Catalogue */

/** What replaces a limit of an agent, so that only the time counts. @type {Record<string, string>} */
const UNLIMITED = { depth: '60', iterations: '2000000', nodes: 'off', time: 'off' };

/**
 * @param {string} spec
 * @param {Catalogue} known
 */
export function deepened(spec, known) {
  // What is no spec is not made one here: the server says what is wrong with it.
  if (spec.includes('(') && !spec.trimEnd().endsWith(')')) return spec;
  const { name, parts } = split(spec);
  const preset = known.presets.find((candidate) => candidate.name === name);
  const agent = preset === undefined ? name : split(preset.spec).name;
  const keys = known.agents.find((candidate) => candidate.name === agent)?.keys ?? [];
  for (const { name: key } of keys) {
    if (key in UNLIMITED) parts.set(key, UNLIMITED[key]);
  }
  if (parts.size === 0) return spec;
  return `${name}(${[...parts].map(([key, value]) => `${key}=${value}`).join(', ')})`;
}

/**
 * The name and the arguments of a spec. Commas inside the arguments of an argument do not separate.
 * @param {string} spec
 */
function split(spec) {
  const open = spec.indexOf('(');
  /** @type {Map<string, string>} */
  const parts = new Map();
  if (open < 0) return { name: spec.trim(), parts };
  let depth = 0;
  let part = '';
  for (const letter of spec.slice(open + 1, spec.lastIndexOf(')')) + ',') {
    if (letter === ',' && depth === 0) {
      const [key, value] = [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)];
      if (key.trim() !== '') parts.set(key.trim(), value.trim());
      part = '';
    } else {
      part += letter;
      depth += letter === '(' ? 1 : letter === ')' ? -1 : 0;
    }
  }
  return { name: spec.slice(0, open).trim(), parts };
}
