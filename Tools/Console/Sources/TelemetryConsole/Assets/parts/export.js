// @ts-check
// Saves what a page shows as files.

import { menuButton } from "./components.js";
import { csvTable } from "../lib/csv.js";
import { h, toast } from "./dom.js";
import { zoneName } from "../shared/zone.js";

/** Lets the browser save a file. */
export function save(name, content, type) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export const saveCSV = (name, text) => save(`${name}.csv`, text, "text/csv");
/** Saves an object, or the `rows` of a list, with the `timeZone` in which the page has shown them. */
export function saveJSON(name, value) {
  const content = { timeZone: zoneName(), ...(Array.isArray(value) ? { rows: value } : value) };
  save(`${name}.json`, JSON.stringify(content, null, 2), "application/json");
}

/**
 * A button that saves the rows that a page shows, as CSV or JSON.
 *
 * - `name`: the name of the file without its ending.
 * - `tables()`: what the page shows now, as `[{ title, rows }]`. In place of `rows`, a table may have `csv`, its text, and
 *   `json`, its value.
 */
export function exportButton(name, tables) {
  const csvOf = ({ rows, csv }) => csv ?? csvTable(rows);
  const jsonOf = ({ rows, json }) => json ?? rows;
  return menuButton("Export", "export", (close) => {
    const all = tables().filter(({ rows }) => !rows || rows.length);
    const item = (title, run) => h("button", { type: "button", class: "menu-item", onclick: () => { close(); run(); } }, title);
    const file = (title) => `${name}-${title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;
    if (!all.length) return h("div", { class: "menu-list" }, item("Nothing to export", () => toast("The page shows no rows.")));
    if (all.length === 1) {
      return h("div", { class: "menu-list" }, item("Save as CSV", () => saveCSV(name, csvOf(all[0]))), item("Save as JSON", () => saveJSON(name, jsonOf(all[0]))));
    }
    return h("div", { class: "menu-list" },
      all.map((table) => item(`${table.title} as CSV`, () => saveCSV(file(table.title), csvOf(table)))),
      item("Everything as JSON", () => saveJSON(name, Object.fromEntries(all.map((table) => [table.title, jsonOf(table)])))));
  });
}
