// @ts-check
// Mesh gradients, which are drawn on a small canvas that is scaled to the view.

import { color } from "../lib/style.js";

/** The size of the canvas, and the parts of a cell of the grid in each direction. */
const side = 64;
const parts = 12;

/**
 * Draws the grid: `mesh` lists x, y and color of each point, one row after another.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {{ mesh: [number, number, string][], meshWidth: number, smooth?: boolean }} properties
 */
export function drawMesh(canvas, { mesh, meshWidth, smooth = false }) {
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return;
  const tones = mesh.map(([, , tone]) => components(canvas, context, tone));
  context.clearRect(0, 0, side, side);
  for (let row = 0; row + 1 < mesh.length / meshWidth; row += 1) {
    for (let column = 0; column + 1 < meshWidth; column += 1) {
      const first = row * meshWidth + column;
      drawCell(context, [first, first + 1, first + meshWidth, first + meshWidth + 1].map((at) => ({ x: mesh[at][0], y: mesh[at][1], tone: tones[at] })), smooth);
    }
  }
}

/** The red, green, blue and opacity of a color as the view has it. */
function components(canvas, context, tone) {
  canvas.style.setProperty("color", color(tone));
  context.clearRect(0, 0, 1, 1);
  context.fillStyle = getComputedStyle(canvas).color;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data];
}

function drawCell(context, corners, smooth) {
  const at = (u, v, read) => mix(mix(read(corners[0]), read(corners[1]), u), mix(read(corners[2]), read(corners[3]), u), v);
  const place = (u, v) => [at(u, v, ({ x }) => x) * side, at(u, v, ({ y }) => y) * side];
  const ease = (share) => (smooth ? share * share * (3 - 2 * share) : share);
  for (let down = 0; down < parts; down += 1) {
    for (let across = 0; across < parts; across += 1) {
      const [u, v] = [across / parts, down / parts];
      // A part reaches a little under its neighbors, so that no line shows between them.
      const [right, bottom] = [(across + 1.2) / parts, (down + 1.2) / parts].map((share) => Math.min(share, 1));
      const tone = [0, 1, 2, 3].map((part) => at(ease(u + 0.5 / parts), ease(v + 0.5 / parts), ({ tone: each }) => each[part]));
      context.fillStyle = `rgba(${tone.slice(0, 3).map(Math.round).join(",")},${tone[3] / 255})`;
      context.beginPath();
      for (const point of [place(u, v), place(right, v), place(right, bottom), place(u, bottom)]) context.lineTo(point[0], point[1]);
      context.fill();
    }
  }
}

function mix(from, to, share) { return from + (to - from) * share; }
