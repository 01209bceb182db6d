// @ts-check
// Components that several pages share.

import { attribute, moment } from "../shared/format.js";
import { copyButton, glyph, h, icon, replace } from "./dom.js";
import { focusPage } from "./focus.js";
import { equals, name as fieldName } from "../lib/query-text.js";
import { menuOf } from "./popover.js";

/** A value that opens a menu of `[title, run]`. */
export function valueMenu(content, label, entries) {
  const button = h("button", { type: "button", class: "cell", title: label }, content);
  return [button, menuOf(button, (close) => menuList(entries, close))];
}

/** Entries `[title, run]` of a menu. */
export function menuList(entries, close) {
  return h("div", { class: "menu-list" }, entries.map(([title, run]) =>
    h("button", { type: "button", class: "menu-item", onclick: () => { close(); run(); } }, title)));
}

/** A button that opens a menu. `fill(close)` makes what is in it, each time. */
export function menuButton(title, picture, fill) {
  const button = h("button", { type: "button", "aria-label": title }, icon(picture), h("span", { class: "wide" }, title));
  return h("span", {}, button, menuOf(button, fill));
}

const navigate = (path) => dispatchEvent(new CustomEvent("navigate", { detail: path }));

/** Opens a query in Explore. */
export function explore(query) {
  navigate(`/explore?q=${encodeURIComponent(query)}`);
}

/** The longest term of a search. */
const termLimit = 200;

/** Lists the traces with an attribute whose value begins with a text. */
function searchTraces(key, text) {
  navigate(`/traces?q=${encodeURIComponent(`"${`${key}=${text}`.slice(0, termLimit)}"`)}`);
}

/** A name that may be broken after its dots and before its parentheses. */
export function breakable(text) {
  return text.split(/(?<=\.)|(?=\()/).flatMap((part, index) => (index ? [h("wbr"), part] : [part]));
}

/** If a value may be higher than its place, where it scrolls by keys. */
const isLong = (text) => text.length > 200 || text.split("\n").length > 8;

/**
 * A table of attributes. Strings, numbers and Boolean values look different.
 *
 * With a `dataset`, `spans` or `events`, each value opens the records that have it, and each name their groups. Queries do
 * not have the attributes of span events, links and scopes. With `traces`, their names and values search the traces.
 */
export function attributeTable(attributes, dataset) {
  const entries = Object.entries(attributes ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  if (!entries.length) return h("p", { class: "faint" }, "No attributes.");
  return h("dl", { class: "attributes" }, entries.map(([name, value]) => {
    const { text, kind } = attribute(value);
    // A quote has no place in a term of a search.
    const isSearched = dataset !== "traces" || !`${name}${text}`.includes("\"");
    if (!dataset || !isSearched || !["string", "number", "truth"].includes(kind)) return [h("dt", {}, breakable(name)), h("dd", { class: kind, ...(isLong(text) ? { tabindex: "0" } : {}) }, text)];
    if (dataset === "traces") {
      return [
        h("dt", {}, valueMenu(h("span", {}, breakable(name)), `Search ${name}`, [["Traces with this attribute", () => searchTraces(name, "")]])),
        h("dd", { class: kind }, valueMenu(text, `Search ${name}`, [["Traces with this value", () => searchTraces(name, text)]]))];
    }
    const of = dataset === "spans" ? "" : ` of ${dataset}`;
    const field = fieldName(name);
    return [
      h("dt", {}, valueMenu(h("span", {}, breakable(name)), `Explore ${name}`, [["Group records by this", () => explore(`count${of} by ${field}`)]])),
      h("dd", { class: kind }, valueMenu(text, `Explore ${name}`, [
        ["Records with this value", () => explore(`count${of} where ${equals(field, value)}`)],
        ["Sessions with this value", () => explore(`count, count_distinct(session.id)${of} by session.id where ${equals(field, value)}`)],
      ]))];
  }));
}

/** An empty page that explains where to send telemetry, and how. */
export function howToSend(title, explanation, more = null) {
  const endpoint = location.origin;
  const lines = [
    ["endpoint", `export OTEL_EXPORTER_OTLP_ENDPOINT=${endpoint}`],
    ["protocol", "export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf"],
    ["request", `curl ${endpoint}/v1/traces -H 'content-type: application/json' -d @trace.json`],
  ];
  return h(
    "div", { class: "empty" }, glyph(), h("h2", {}, title), h("p", {}, explanation), more,
    h("div", { class: "recipe" }, lines.map(([what, text]) => h("div", {}, h("code", {}, text), copyButton(text, what)))),
  );
}

export function emptyPage(title, explanation, ...more) {
  return h("div", { class: "empty" }, glyph(), h("h2", {}, title), h("p", {}, explanation), more);
}

export function failurePage(error, retry) {
  return emptyPage(error.status === 404 ? "Not found" : "Something went wrong", error.message,
    h("button", { type: "button", onclick: retry }, "Try again"));
}

/** Shows a failure in place of a page, with a heading of its own. */
export function failedPage(root, error, retry) {
  const shown = failurePage(error, retry);
  shown.querySelector("h2")?.replaceWith(h("h1", {}, shown.querySelector("h2")?.textContent));
  replace(root, shown);
}

/** The failure of a list. A search that the console does not understand is not an error of the console. */
export function listFailure(error, retry, covers) {
  return error.status === 400 ? emptyPage("Search not understood", error.message, h("p", {}, covers)) : failurePage(error, retry);
}

const foundPages = {
  trace: ({ id }) => ["Open the trace", `/traces/${id}`],
  span: ({ id, traceId }) => ["Open the span", `/traces/${traceId}?span=${id}`],
  session: ({ id }) => ["Open the session", `/sessions/${encodeURIComponent(id)}`],
  device: ({ id }) => ["Open the device", `/devices/${encodeURIComponent(id)}`],
};

/** Links to the records of other kinds whose id was searched for, or nothing. */
export function foundElsewhere(found = []) {
  if (!found.length) return null;
  return h("p", { class: "found" }, "This is the id of another record. ", found.map((record) => {
    const [title, href] = foundPages[record.kind](record);
    return [h("a", { class: "link", href }, title), " "];
  }));
}

/** Says what a search covers, while there is one. */
export function searchNote(text, covers) {
  return text ? h("p", { class: "search-note faint" }, covers, " All words must match.") : null;
}

/** Says how far an incomplete search came. The position starts with a time in nanoseconds. */
export function searchedBack(next) {
  return h("span", {}, `Searched back to ${moment(Number(next.split(".")[0]) / 1e3)}.`);
}

/** A search field that calls `onSearch` with a delay while the user types, and immediately on Enter. */
export function searchField(label, value, onSearch) {
  let timer;
  const input = h("input", {
    type: "search", "aria-label": label, placeholder: label, value, spellcheck: "false", autocomplete: "off",
    oninput: () => { clearTimeout(timer); timer = setTimeout(() => onSearch(input.value), 180); },
    onkeydown: (event) => {
      if (event.key === "Enter") { clearTimeout(timer); onSearch(input.value); focusPage(); }
    },
  });
  const element = h("div", { class: "search", role: "search" }, icon("search"), input, h("kbd", { "aria-hidden": "true" }, "/"));
  return { element, input };
}

export function toggleChip(label, isOn, onToggle, count) {
  return h(
    "button", { class: "chip", type: "button", "data-key": String(label), "aria-pressed": String(isOn), onclick: onToggle },
    label, count === undefined ? null : h("span", { class: "count" }, count),
  );
}

/**
 * The head of a list. A column is `[title, key, className]`; one with a key sorts what is loaded by it.
 *
 * `sort` is a key for the largest first, or a key with `-asc`. `onSort` gets the next one: largest, smallest, none.
 */
export function listHead(columns, sort, onSort) {
  const [sorted, direction] = sort.split("-");
  return h("div", { class: "list-head" }, columns.map(([title, key, className]) => {
    if (!key) return h("span", { class: className, "aria-hidden": "true" }, title);
    const isSorted = sorted === key;
    const next = !isSorted ? key : direction ? "" : `${key}-asc`;
    return h("span", { class: className }, h("button", { type: "button", class: "sort", "aria-pressed": String(isSorted), "aria-label": `Sort by ${title.toLowerCase()}${isSorted ? `, ${direction ? "smallest" : "largest"} first` : ""}`, onclick: () => onSort(next) },
      title, isSorted ? h("span", { "aria-hidden": "true" }, direction ? " ▲" : " ▼") : null));
  }));
}

/**
 * Makes a list a table for screen readers. Returns its rows, the head among them, whose children are the cells. The list
 * has the focus for the keys that scroll, because its rows may have no link.
 */
export function describeTable(list, label, rows) {
  list.tabIndex = 0;
  list.setAttribute("role", "table");
  list.setAttribute("aria-label", label);
  for (const row of rows) {
    row.setAttribute("role", "row");
    for (const cell of row.children) cell.setAttribute("role", row.matches(".list-head") ? "columnheader" : "cell");
  }
  return rows;
}

/** A frame for a table, which scrolls when the table needs more room. It has the focus for the keys that scroll. */
export function tableFrame(label, table) {
  return h("div", { class: "table-frame", tabindex: "0", role: "group", "aria-label": label }, table);
}

/** Sorts rows as `listHead` says, by `keys`, functions from a row to a number or text. */
export function sortedRows(rows, sort, keys) {
  const [name, direction] = sort.split("-");
  const key = keys[name];
  if (!key) return rows;
  const sign = direction === "asc" ? -1 : 1;
  return rows.toSorted((one, other) => sign * (key(other) > key(one) ? 1 : key(other) < key(one) ? -1 : 0));
}

/** Says that only what is loaded is sorted, if there is more. */
export function sortNote(sort, loaded, next) {
  return sort && next ? h("p", { class: "search-note faint" }, `Sorted: the newest ${loaded} that are loaded.`) : null;
}

/** Badges for crashes and errors, or nothing if there were none. */
export function badges({ crashes, errors }) {
  return [
    crashes > 0 ? h("span", { class: "badge crash" }, crashes === 1 ? "Crash" : `${crashes} crashes`) : null,
    errors > 0 ? h("span", { class: "badge bad" }, errors === 1 ? "1 error" : `${errors} errors`) : null,
  ];
}
