"use strict";
// Replays the games of this page. 2048 games come as moves and new tiles, Abalone games as positions.
(() => {
  const games = JSON.parse(document.getElementById("games").textContent);
  const root = document.getElementById("replayer");
  const SVG = "http://www.w3.org/2000/svg";
  const element = (name, attributes = {}, text = "") => {
    const node = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.textContent = text;
    return node;
  };

  // Slides one line of tiles towards its start; returns the line and the points.
  const slideLine = (line) => {
    const tiles = line.filter((tile) => tile);
    const moved = [];
    let points = 0;
    for (let i = 0; i < tiles.length; i++) {
      const merges = tiles[i] === tiles[i + 1] && tiles[i] < 131072;
      moved.push(merges ? 2 * tiles[i] : tiles[i]);
      if (merges) { points += 2 * tiles[i]; i++; }
    }
    while (moved.length < 4) moved.push(0);
    return [moved, points];
  };
  const LINES = {
    L: [0, 1, 2, 3].map((r) => [0, 1, 2, 3].map((c) => 4 * r + c)),
    U: [0, 1, 2, 3].map((c) => [0, 1, 2, 3].map((r) => 4 * r + c)),
  };
  LINES.R = LINES.L.map((line) => [...line].reverse());
  LINES.D = LINES.U.map((line) => [...line].reverse());

  // Two letters a move: the direction, small if the new tile is a 4, and the cell of the new tile.
  const frames2048 = ({ start, moves }) => {
    let board = start.split("/").flatMap((row) => row.trim().split(/\s+/).map(Number)), score = 0;
    const frames = [{ board, label: "start", score }];
    for (let i = 0; i < moves.length; i += 2) {
      const way = moves[i].toUpperCase(), tile = moves[i] === way ? 2 : 4, cell = moves.charCodeAt(i + 1) - 97;
      board = [...board];
      for (const places of LINES[way]) {
        const [moved, points] = slideLine(places.map((place) => board[place]));
        places.forEach((place, k) => { board[place] = moved[k]; });
        score += points;
      }
      board[cell] = tile;
      frames.push({ board, label: `${way} ${"abcd"[cell % 4]}${1 + Math.floor(cell / 4)}=${tile}`, score, fresh: cell });
    }
    return frames;
  };
  const framesAbalone = (positions) => positions.map((entry, index) => {
    const [move, position] = index ? [entry.slice(0, entry.indexOf(" ")), entry.slice(entry.indexOf(" ") + 1)] : ["start", entry];
    return { position, label: move };
  });

  const draw2048 = (svg, frame) => {
    svg.append(element("rect", { width: 320, height: 320, rx: 6, fill: "#bbada0" }));
    frame.board.forEach((tile, i) => {
      const [x, y] = [8 + 78 * (i % 4), 8 + 78 * Math.floor(i / 4)];
      const depth = tile ? Math.log2(tile) / 17 : 0;
      const fill = tile ? `hsl(${50 - 50 * depth} ${40 + 50 * depth}% ${92 - 55 * depth}%)` : "#cdc1b4";
      const ring = i === frame.fresh ? { stroke: "#0072b2", "stroke-width": 3 } : {};
      svg.append(element("rect", { x, y, width: 70, height: 70, rx: 4, fill, ...ring }));
      if (tile) svg.append(element("text", { x: x + 35, y: y + 44, "text-anchor": "middle", "font-size": tile > 9999 ? 18 : 26, "font-family": "sans-serif", fill: depth > 0.5 ? "#fff" : "#222" }, tile));
    });
  };
  const drawAbalone = (svg, frame) => {
    const [rows, , lostBlack, lostWhite] = frame.position.split(" ");
    rows.split("/").forEach((row, r) => {
      const cells = [...row].flatMap((c) => /\d/.test(c) ? Array(Number(c)).fill("") : [c]);
      cells.forEach((cell, c) => {
        const [x, y] = [160 + 33 * (c - (cells.length - 1) / 2), 28 + 29 * r];
        const fill = cell === "b" ? "#222" : cell === "w" ? "#fff" : "#e6dcc8";
        svg.append(element("circle", { cx: x, cy: y, r: 13, fill, stroke: "#555", "stroke-width": cell ? 1.5 : 0.5 }));
      });
    });
    svg.append(element("text", { x: 160, y: 312, "text-anchor": "middle", "font-size": 13, "font-family": "sans-serif" }, `lost: black ${lostBlack}, white ${lostWhite}`));
  };

  const svg = element("svg", { viewBox: "0 0 320 320", width: 320, height: 320, role: "img" });
  const controls = document.createElement("div");
  controls.className = "controls";
  const labelled = (name, node) => {
    const label = document.createElement("label");
    label.append(`${name} `, node);
    return label;
  };
  const rows = new Map();
  for (const game of games) {
    if (!rows.has(game.row)) rows.set(game.row, []);
    rows.get(game.row).push(game);
  }
  const row = document.createElement("select");
  for (const name of rows.keys()) row.add(new Option(name));
  const number = Object.assign(document.createElement("input"), { type: "number", min: 1, value: 1 });
  const slider = Object.assign(document.createElement("input"), { type: "range", min: 0, value: 0 });
  slider.setAttribute("aria-label", "move");
  const speed = document.createElement("select");
  for (const factor of [1, 10, 100]) speed.add(new Option(`${factor} times`, factor));
  const button = Object.assign(document.createElement("button"), { textContent: "Play" });
  const state = document.createElement("output");
  const count = document.createElement("span");
  const gameLabel = labelled("game", number);
  gameLabel.append(" ", count);
  controls.append(labelled("row", row), gameLabel, slider, button, labelled("speed", speed), state);
  root.append(svg, controls);

  let frames = [], timer = null;
  const show = () => {
    const frame = frames[slider.value];
    svg.replaceChildren();
    if (!frame) return;
    (frame.board ? draw2048 : drawAbalone)(svg, frame);
    state.textContent = `${slider.value} of ${frames.length - 1}: ${frame.label}${frame.score === undefined ? "" : `, ${frame.score} points`}`;
  };
  const stop = () => { clearInterval(timer); timer = null; button.textContent = "Play"; };
  const open = () => {
    stop();
    const list = rows.get(row.value);
    number.max = list.length;
    count.textContent = `of ${list.length}`;
    const game = list[Math.min(Math.max(1, Math.floor(number.value) || 1), list.length) - 1];
    frames = game.moves === undefined ? framesAbalone(game.positions) : frames2048(game);
    slider.max = Math.max(0, frames.length - 1);
    slider.value = 0;
    show();
  };
  row.addEventListener("change", open);
  number.addEventListener("change", open);
  slider.addEventListener("input", show);
  button.addEventListener("click", () => {
    if (timer) return stop();
    if (slider.value === slider.max) slider.value = 0;
    button.textContent = "Pause";
    timer = setInterval(() => {
      if (Number(slider.value) >= Number(slider.max)) return stop();
      slider.value = Math.min(Number(slider.max), Number(slider.value) + Number(speed.value));
      show();
    }, 120);
  });
  // A link with #game=ROW/NUMBER opens that game.
  const wanted = /^#game=(.*)\/(\d+)$/.exec(decodeURIComponent(location.hash));
  if (wanted && rows.has(wanted[1])) { row.value = wanted[1]; number.value = wanted[2]; }
  open();
})();
