// @ts-check
// CSV as in RFC 4180, with the line ends of Unix.

import { attribute } from "../shared/format.js";
import { isoTime, zoneName } from "../shared/zone.js";

/**
 * The name of a column of times, with their zone.
 *
 * @param {string} name
 */
export const timeColumn = (name) => `${name} (${zoneName()})`;

/**
 * The cells of a line. Objects become JSON. A spreadsheet takes a text that begins with `=`, `+`, `-` or `@` for a formula, and
 * texts come from outside, so one that is not a number gets an apostrophe before it.
 *
 * @param {any[]} cells
 */
export function csvLine(cells) {
  return cells.map((cell) => {
    let text = cell === null || cell === undefined ? "" : typeof cell === "object" ? JSON.stringify(cell) : String(cell);
    if (/^[=+\-@\t\r]/.test(text) && (text.trim() !== text || Number.isNaN(Number(text)))) text = `'${text}`;
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  }).join(",");
}

/**
 * Rows as CSV. An object in a row becomes columns such as `device.modelName`, a list of words one cell, and a moment such as
 * `startUs` the column `start (UTC)` in ISO 8601, with the name of the chosen zone. The columns are those of all rows, in the order in which they occur.
 *
 * @param {Record<string, any>[]} rows
 */
export function csvTable(rows) {
  const flat = rows.map((row) => flatten(row, "", new Map()));
  const columns = [...new Set(flat.flatMap((cells) => [...cells.keys()]))];
  return [csvLine(columns), ...flat.map((cells) => csvLine(columns.map((column) => cells.get(column))))].join("\n");
}

/**
 * @param {Record<string, any>} row
 * @param {string} prefix
 * @param {Map<string, any>} cells
 */
function flatten(row, prefix, cells) {
  for (const [key, value] of Object.entries(row)) {
    const name = prefix + key;
    if (key.endsWith("Us") && typeof value === "number") cells.set(timeColumn(name.slice(0, -2)), isoTime(value));
    else if (Array.isArray(value)) cells.set(name, value.every((item) => typeof item !== "object") ? value.join("; ") : value);
    else if (value === null || typeof value !== "object") cells.set(name, value);
    else if ("$int" in value || "$double" in value || "$bytes" in value) cells.set(name, attribute(value).text);
    else flatten(value, `${name}.`, cells);
  }
  return cells;
}
