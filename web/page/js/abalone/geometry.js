// Where the 61 cells lie, and what stands on them. Which moves are legal is the server's to say.

/** @typedef {'b' | 'w'} Colour */
/** @typedef {'e' | 'ne' | 'nw' | 'w' | 'sw' | 'se'} Direction */
/** @typedef {{ name: string, row: number, column: number }} Cell */
/** @typedef {{ marbles: Map<string, Colour>, turn: Colour, lost: Record<Colour, number> }} Position */

/** The change of row and column of one step. */
const STEPS = /** @type {Record<Direction, [number, number]>} */ ({
  e: [0, 1],
  ne: [1, 1],
  nw: [1, 0],
  w: [0, -1],
  sw: [-1, -1],
  se: [-1, 0],
});

export const DIRECTIONS = /** @type {Direction[]} */ (Object.keys(STEPS));

const HEIGHT = Math.sqrt(3) / 2;

/**
 * @param {number} row 0 (A, at the bottom) to 8
 * @param {number} column 0 to 8
 */
function nameOf(row, column) {
  return String.fromCharCode(97 + row) + (column + 1);
}

/** All cells, from `a1` to `i9`. @type {Cell[]} */
export const CELLS = [];
for (let row = 0; row < 9; row++) {
  for (let column = Math.max(0, row - 4); column <= Math.min(8, row + 4); column++) {
    CELLS.push({ name: nameOf(row, column), row, column });
  }
}

const BY_NAME = new Map(CELLS.map((cell) => [cell.name, cell]));

/** @param {string} name */
export function cellNamed(name) {
  const cell = BY_NAME.get(name);
  if (cell === undefined) throw new RangeError(`no cell ${name}`);
  return cell;
}

/**
 * The centre of a cell, also of one just off the board; neighbouring centres are 1 apart, `e5` is the origin.
 * @param {{ row: number, column: number }} cell
 */
export function centre({ row, column }) {
  return { x: column - 4 - (row - 4) / 2, y: (4 - row) * HEIGHT };
}

/**
 * A step from a cell, which may lead off the board.
 * @param {{ row: number, column: number }} cell
 * @param {Direction} direction
 */
export function stepFrom({ row, column }, direction) {
  const [rows, columns] = STEPS[direction];
  return { row: row + rows, column: column + columns };
}

/**
 * The next cell, or `null` at the edge.
 * @param {string} name
 * @param {Direction} direction
 */
export function neighbour(name, direction) {
  const { row, column } = stepFrom(cellNamed(name), direction);
  return BY_NAME.get(nameOf(row, column))?.name ?? null;
}

/** The direction as a vector of length 1. @param {Direction} direction */
export function vector(direction) {
  return centre(stepFrom({ row: 4, column: 4 }, direction));
}

/**
 * The direction nearest to a vector.
 * @param {number} x
 * @param {number} y
 * @returns {Direction}
 */
export function towards(x, y) {
  const along = (/** @type {Direction} */ direction) => vector(direction).x * x + vector(direction).y * y;
  return DIRECTIONS.reduce((best, direction) => (along(direction) > along(best) ? direction : best));
}

/**
 * Reads the text of a position that the server has written.
 * @param {string} text
 * @returns {Position}
 */
export function parse(text) {
  const [board, turn, black, white] = text.trim().split(/\s+/);
  /** @type {Map<string, Colour>} */
  const marbles = new Map();
  (board ?? '').split('/').forEach((line, index) => {
    const row = 8 - index;
    let column = Math.max(0, row - 4);
    for (const letter of line) {
      if (letter === 'b' || letter === 'w') marbles.set(nameOf(row, column++), letter);
      else column += Number(letter) || 0;
    }
  });
  return { marbles, turn: turn === 'w' ? 'w' : 'b', lost: { b: Number(black) || 0, w: Number(white) || 0 } };
}

/**
 * Writes a position as text. Whether it can occur is for the server to say.
 * @param {Position} position
 */
export function format({ marbles, turn, lost }) {
  const rows = [];
  for (let row = 8; row >= 0; row--) {
    let line = '';
    let empty = 0;
    for (const cell of CELLS.filter((candidate) => candidate.row === row)) {
      const marble = marbles.get(cell.name);
      if (marble === undefined) {
        empty += 1;
      } else {
        line += (empty > 0 ? empty : '') + marble;
        empty = 0;
      }
    }
    rows.push(line + (empty > 0 ? empty : ''));
  }
  return `${rows.join('/')} ${turn} ${lost.b} ${lost.w}`;
}
