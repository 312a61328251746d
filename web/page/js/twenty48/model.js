// The board of 2048 as the page needs it: to show a slide at once, before the server has answered. The server's answer
// is the truth; the page compares.

/** @typedef {'up' | 'right' | 'down' | 'left'} Direction */
/** @typedef {{ from: number, to: number, merges: boolean }} Path */
/** @typedef {{ cells: number[], reward: number, paths: Path[], changed: boolean }} Slide */

/** @type {Direction[]} */
export const DIRECTIONS = ['up', 'right', 'down', 'left'];

export const LARGEST = 131072;

/**
 * Reads the text of a position; `null` if it has not sixteen cells. Whether they are tiles is for the server to say.
 * @param {string} text
 * @returns {number[] | null}
 */
export function parse(text) {
  const cells = text.split(/[/\s]+/).filter((word) => word !== '').map(Number);
  return cells.length === 16 && cells.every(Number.isInteger) ? cells : null;
}

/** @param {number[]} cells */
export function format(cells) {
  return [0, 4, 8, 12].map((row) => cells.slice(row, row + 4).join(' ')).join('/');
}

/**
 * The four lines of cells that slide, each from the side it slides to.
 * @param {Direction} direction
 * @returns {number[][]}
 */
function lines(direction) {
  return [0, 1, 2, 3].map((i) => {
    const row = [0, 1, 2, 3].map((j) => (direction === 'up' || direction === 'down' ? 4 * j + i : 4 * i + j));
    return direction === 'right' || direction === 'down' ? row.reverse() : row;
  });
}

/**
 * Slides all tiles: gaps close, equal neighbours merge once.
 * @param {number[]} cells
 * @param {Direction} direction
 * @returns {Slide}
 */
export function slide(cells, direction) {
  /** @type {number[]} */
  const after = Array(16).fill(0);
  /** @type {Path[]} */
  const paths = [];
  let reward = 0;
  for (const line of lines(direction)) {
    let next = 0;
    let open = false;
    for (const from of line) {
      const value = cells[from];
      if (value === 0) continue;
      /** @type {boolean} */
      const merges = open && after[line[next - 1]] === value && value < LARGEST;
      if (!merges) next += 1;
      const to = line[next - 1];
      after[to] += value;
      if (merges) reward += 2 * value;
      open = !merges;
      paths.push({ from, to, merges });
    }
  }
  return { cells: after, reward, paths, changed: paths.some(({ from, to }) => from !== to) };
}

/** @param {number[]} cells */
export function canMove(cells) {
  return DIRECTIONS.some((direction) => slide(cells, direction).changed);
}
