// @ts-check
// A panel of a board: a chart, a table or a number, with its menu.

import { calculations, change, chart, chartTable, csv, isChartInUse, keyText, rowMark, rowTitle } from "./charts.js";
import { breakable, tableFrame } from "./components.js";
import { h, icon, replace, update } from "./dom.js";
import { saveCSV, saveJSON } from "./export.js";
import { flowChart, funnelChart } from "./journey-charts.js";
import { objectiveView } from "./objective.js";
import { quantity } from "../shared/format.js";
import { objectiveQueries } from "../lib/objective.js";
import { both, equals, join, split } from "../lib/query-text.js";
import { menuOf } from "./popover.js";
import { addressParameters, timeClauses } from "./time-range.js";

/** The forms in which a panel shows a query, with their titles. */
export const forms = [["line", "Lines"], ["bar", "Bars"], ["table", "Table"], ["number", "Number"], ["heatmap", "Heatmap"]];

/** Heights in pixels of what is below the title. They do not depend on the answer, so a live board does not jump. */
const heights = { number: 62, journey: 392 };
/** The form of a panel: that of its query, or what it is in place of one. */
const formOf = (panel) => (panel.query ? panel.as : panel.objective ? "objective" : "journey");
const defaultHeight = 236;
const noteHeight = 22;
const legendHeight = 24;
/** How many lines of text a legend shows at most. More scroll. */
const legendLimit = 4;
/** About how wide one of their letters is, in pixels. */
const letterWidth = 7;

/**
 * The query of a panel with the conditions `[field, value]` and the console's time. With `isPlain`, without the time.
 * A panel that does not show a course over time asks for totals.
 *
 * @param {any} panel
 * @param {[string, any][]} conditions
 * @param {{ isPlain?: boolean, condition?: string }} options
 */
export function panelQuery(panel, conditions, { isPlain = false, condition } = {}) {
  const parts = split(panel.query);
  for (const [field, value] of conditions) parts.where = both(parts.where, equals(field, value));
  if (condition) parts.where = both(parts.where, condition);
  if (!parts.every && !isPlain && ["number", "bar", "table"].includes(panel.as)) parts.every = "total";
  return isPlain ? join(parts) : `${join(parts)} ${timeClauses({ isPlain: Boolean(parts.compare) })}`;
}

/** What a panel asks the API, with the conditions `[field, value]`. An objective has a time of its own. */
export function panelRequests(panel, conditions) {
  if (!panel.objective) return [panelRequest(panel, conditions)];
  return objectiveQueries(panel.objective, conditions).map((q) => ({ path: "query", parameters: { q } }));
}

function panelRequest(panel, conditions) {
  if (panel.query) return { path: "query", parameters: { q: panelQuery(panel, conditions) } };
  const journey = panel.funnel ?? panel.flow;
  const where = conditions.reduce((all, [field, value]) => both(all, equals(field, value)), journey.where ?? "");
  const question = { ...journey, ...(where ? { where } : {}), time: timeClauses({ isPlain: true }) };
  return { path: panel.funnel ? "journeys/funnel" : "journeys/flow", parameters: { q: JSON.stringify(question) } };
}

/**
 * The address that opens a panel's question, with the console's time.
 *
 * @param {any} panel
 * @param {[string, any][]} conditions
 * @param {{ condition?: string }} options
 */
export function panelAddress(panel, conditions, { condition } = {}) {
  if (panel.objective) return panelAddress({ query: panel.objective.query }, conditions, { condition });
  /** @type {any} */
  const asked = panel.query ? {} : JSON.parse(panelRequest(panel, conditions).parameters.q);
  const { time: _time, ...question } = asked;
  /** @type {Record<string, string>} */
  const state = panel.query ? { q: panelQuery(panel, conditions, { isPlain: true, condition }) } : panel.funnel ? { q: JSON.stringify(question) } : { field: question.field };
  return `/${panel.query ? "explore" : "journeys"}?${new URLSearchParams({ ...state, ...addressParameters() }).toString().replaceAll("+", "%20")}`;
}

/**
 * Makes the element of a panel. `show` draws its answers into its `body`; the size does not depend on them. `fail` makes
 * what says that there is none.
 */
export function boardPanel(panel, actions) {
  const isNumber = panel.as === "number";
  const height = (heights[formOf(panel)] ?? defaultHeight) - (panel.note && !isNumber ? noteHeight : 0);
  const body = h("div", { class: "panel-body", style: { height: `${height}px` } });
  const file = panel.title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  let closeMenu = () => {};
  const item = (text, run, more = {}) => h("button", { type: "button", class: "menu-item", onclick: () => { closeMenu(); run(); }, ...more }, text);
  // Disabled until there is an answer, which may come while the menu is open.
  const saving = [
    ...(panel.query || panel.objective ? [item("Save as CSV", () => saveCSV(file, csv(answer)), { disabled: true })] : []),
    item("Save as JSON", () => saveJSON(file, answer), { disabled: true })];
  let isTable = panel.as === "table";
  const swap = item("Show as a table", () => { isTable = !isTable; swap.textContent = isTable ? "Show as a chart" : "Show as a table"; if (answer) draw(); });
  const measure = h("span", { class: "panel-measure" });
  const title = h("h2", { class: "clip", title: panel.note ?? panel.title }, panel.title);
  const element = h("section", { class: `board-panel panel-${formOf(panel)}`, style: { "--columns": panel.width ?? 6 }, "aria-label": panel.title },
    h("header", {}, title, measure, actions.isEdited ? editTools() : menu()),
    panel.note && !isNumber ? h("p", { class: "faint panel-note clip", title: panel.note }, panel.note) : null, body);
  let answer;
  let column = 0;
  // Of its legend, or 0.
  let lines = 0;
  new ResizeObserver(() => { if (lines && legendLines(answer, body.clientWidth) !== lines) draw(); }).observe(body);

  function show(fresh) {
    // A chart that someone reads with the keyboard keeps its values until the next answer.
    if (isChartInUse(body)) return;
    [answer] = fresh;
    for (const each of saving) each.disabled = false;
    if (panel.objective) { replace(body, objectiveView(panel.objective, fresh, height)); return; }
    if (!panel.query) { showJourney(); return; }
    const all = calculations(answer);
    column = Math.min(column, all.length - 1);
    drawMeasure(all);
    draw();
  }

  function showJourney() {
    const isEmpty = panel.funnel ? !answer.steps[0].count : !answer.nodes.length;
    replace(body, isEmpty ? h("p", { class: "chart-empty faint" }, "No journey in this time.") : panel.funnel ? funnelChart(answer) : flowChart(answer));
  }

  function draw() {
    lines = !isTable && hasLegend() ? legendLines(answer, body.clientWidth) : 0;
    if (isTable && panel.as !== "table" && answer.stepsUs) update(body, chartTable(answer, calculations(answer)[column]));
    else if (isTable) update(body, table(answer, actions));
    else replace(body, chart(answer, { as: panel.as, column, hasTable: false, height: height - 6 - Math.min(lines, legendLimit) * legendHeight }), lines ? legend(answer, lines) : null);
  }

  /** Whether the colors of a chart need names. Bars of groups have them beside the bars. */
  const hasLegend = () => Boolean(answer.stepsUs) && panel.as !== "heatmap" && answer.columns.some((each) => each.isGroup);

  function drawMeasure(all) {
    if (all.length < 2 || panel.as === "table" || panel.as === "number") { replace(measure); return; }
    if (measure.childElementCount) return;
    replace(measure, h("select", { "aria-label": "Calculation", onchange: (event) => { column = Number(event.target.value); draw(); } },
      all.map((calculation, index) => h("option", { value: index }, calculation.name))));
  }

  function fail(error) {
    lines = 0;
    return h("p", { class: "panel-problem bad" }, error.message);
  }

  function menu() {
    const list = h("div", { class: "menu-list" }, item(panel.query || panel.objective ? "Open in Explore" : "Open in Journeys", actions.explore), panel.query && panel.as !== "table" ? swap : null,
      panel.query && panel.as !== "heatmap" ? item("Alert on this…", () => actions.alert(column)) : null, saving);
    const button = h("button", { type: "button", class: "quiet", "aria-label": `Menu of ${panel.title}` }, icon("more"));
    return h("span", {}, button, menuOf(button, (close) => { closeMenu = close; return list; }));
  }

  function editTools() {
    const tool = (label, picture, run, more = {}) => h("button", { type: "button", class: "quiet", "aria-label": `${label}: ${panel.title}`, title: label, onclick: run, ...more }, icon(picture));
    return h("span", { class: "panel-tools" },
      tool("Move before", "back", () => actions.move(-1), { "data-move": "before" }), tool("Move after", "chevron", () => actions.move(1), { "data-move": "after" }),
      tool("Edit", "pencil", actions.edit), tool("Remove", "close", actions.remove, { "data-remove": "" }));
  }

  return { element, panel, body, show, fail, shownFor: "" };
}

/** How many lines of text the names need in a width of pixels. */
function legendLines(answer, width) {
  let [lines, taken] = [1, 0];
  for (const row of answer.rows) {
    const length = Math.min(rowTitle(row).length * letterWidth + 42, width);
    if (taken && taken + length > width - 28) [lines, taken] = [lines + 1, 0];
    taken += length;
  }
  return lines;
}

/** The names of a chart's lines, on lines of text. */
function legend(answer, lines) {
  const scrolls = lines > legendLimit ? { tabindex: "0", "aria-label": "Legend" } : {};
  return h("ul", { class: "panel-legend", style: { height: `${Math.min(lines, legendLimit) * legendHeight}px` }, ...scrolls }, answer.rows.map((row, index) =>
    h("li", { title: rowTitle(row) }, rowMark(answer, index), h("span", { class: "clip" }, rowTitle(row)))));
}

function table(answer, actions) {
  const groups = answer.columns.filter((column) => column.isGroup);
  const values = calculations(answer);
  if (!answer.rows.length) return h("p", { class: "chart-empty faint" }, "No values in this time.");
  const condition = (row) => groups.map((column, index) => equals(column.name, row.key[index])).join(" and ");
  return tableFrame("Values", h("table", { class: "results" },
    h("thead", {}, h("tr", {}, groups.length ? groups.map((column) => h("th", { scope: "col" }, breakable(column.name))) : h("td"), values.map((column) => h("th", { scope: "col", class: "end" }, breakable(column.name))))),
    h("tbody", {}, answer.rows.map((row) => h("tr", {},
      groups.length ? groups.map((_, part) => h(part ? "td" : "th", part ? {} : { scope: "row" },
        row.other ? (part ? "" : h("span", { class: "faint" }, "other")) : part ? keyText(row.key[part])
          : h("button", { type: "button", class: "cell", title: "Open these records in Explore", onclick: () => actions.only(condition(row)) }, keyText(row.key[0]))))
        : h("th", { scope: "row" }, rowTitle(row)),
      values.map((column) => h("td", { class: "end num" }, quantity(row.values[column.index], column), change(row.values[column.index], row.comparison?.values[column.index], column))))))));
}
