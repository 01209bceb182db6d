// @ts-check
// Facets of a list: the most frequent values of some attributes, each of which narrows the list.

import { get } from "../lib/api.js";
import { keyText } from "./charts.js";
import { menuButton } from "./components.js";
import { h, replace } from "./dom.js";
import { count } from "../shared/format.js";
import { timeClauses, timeParameters } from "./time-range.js";

/** How many values of an attribute are offered. */
const valuesOfAFacet = 8;

/** The term of a search for a value. A quote has no place in it. */
const term = (field, value) => `"${field}=${value}"`;

/**
 * A button that opens the facets.
 *
 * - `query`: what counts the elements of the list, such as `count of sessions`.
 * - `fields`: `[field, title]`.
 * - `text()`: the search of the list, and `onSearch(text)` changes it. A value that is chosen already is taken away.
 */
export function facetButton({ query, fields, text, onSearch }) {
  return menuButton("Facets", "policy", (close) => {
    const sections = fields.map(([field, title]) => {
      const list = h("div", { class: "menu-list" }, h("p", { class: "faint facet-note" }, "Counting…"));
      fill(list, field, close).catch((error) => replace(list, h("p", { class: "bad facet-note" }, error.message)));
      return h("section", { "aria-label": title }, h("p", { class: "side-title" }, title), list);
    });
    return h("div", { class: "facets" }, sections);
  });

  async function fill(list, field, close) {
    // A list shows any time until one is chosen.
    const time = timeParameters().fromUs ? timeClauses({ isPlain: true }) : "last 3650d";
    const answer = await get("query", { q: `${query} where ${field} exists by ${field} limit ${valuesOfAFacet} ${time} every total`, kept: true });
    const found = answer.rows.filter((row) => !row.other && !keyText(row.key[0]).includes('"'));
    replace(list, found.length ? found.map((row) => {
      const wanted = term(field, keyText(row.key[0]));
      const isChosen = text().includes(wanted);
      return h("button", { type: "button", class: "menu-item facet", "aria-pressed": String(isChosen), onclick: () => {
        close();
        onSearch((isChosen ? text().replace(wanted, "") : `${text()} ${wanted}`).replace(/\s+/g, " ").trim());
      } }, h("span", { class: "clip" }, keyText(row.key[0])), h("span", { class: "count" }, count(Math.round(row.values[0]))));
    }) : h("p", { class: "faint facet-note" }, "No record has it."));
  }
}
