// @ts-check
// Charts of an answer of /api/v1/query: lines, bars, heatmaps and single numbers.

import { alertMarks, alertStates } from "./alert-marks.js";
import { arrivedNote, arrivedText, unfinishedMark } from "./arrived.js";
import { alertMarksOf } from "../lib/alert-marks.js";
import { lastUnfinished, lineParts, stepText, unfinished } from "../lib/completeness.js";
import { csvLine, timeColumn } from "../lib/csv.js";
import { axes, readable, showTip, timeText } from "./chart-frame.js";
import { tableFrame } from "./components.js";
import { h, replace, svg } from "./dom.js";
import { attribute, count as wholeNumber, dayAndTime, percent, quantity } from "../shared/format.js";
import { heatmap } from "./heatmap.js";
import { tickRoom, valueTicks } from "../lib/axes.js";
import { releaseMarkers, releaseMarks, releaseName, releasesWithin } from "./releases.js";
import { palette } from "./theme.js";
import { isoTime } from "../shared/zone.js";

const margin = { top: 10, right: 14, bottom: 22, left: 62 };

/** The columns of an answer that are calculations, each with its index in `values`. */
export function calculations(answer) {
  return answer.columns.filter((column) => !column.isGroup).map((column, index) => ({ ...column, index }));
}

/** What a row stands for, such as `GET /cart · 2.1.0`. */
export function rowTitle(row) {
  if (row.other) return "other";
  return row.key.map(keyText).join(" · ") || "all";
}

export function keyText(value) {
  return value === null ? "(missing)" : attribute(value).text || "(empty)";
}

/** The color of a row of an answer. */
export function rowColor(answer, index) {
  if (answer.rows[index]?.other) return "var(--text-3)";
  return answer.columns.some((column) => column.isGroup) ? palette(index) : "var(--accent)";
}

/** The class of a line and its mark that sets its dashes, where colors do not tell lines apart. */
const dash = (index) => `dash-${index % 4}`;

/** The mark of a row of an answer, in the color of its line. */
export function rowMark(answer, index) {
  return h("i", { class: `dot ${dash(index)}`, style: { "--tone": rowColor(answer, index) } });
}

/** The calculations whose values are shown as a table, over a redraw of their chart. */
const openTables = new Set();

/**
 * Draws one calculation of an answer. Below a course over time are its values as a table.
 *
 * - `as`: `line`, `bar`, `heatmap` or `number`. Without it, the best one for the calculation.
 * - `column`: the index of the calculation. Default 0.
 * - `height`: in pixels. It does not depend on the data, so a live page does not jump. Bars of groups take less if they are few.
 * - `onZoom(fromUs, toUs)`: the user dragged over a part of the time.
 * - `onBox({ fromUs, toUs, low, high })`: the user dragged a box over a heatmap.
 * - `dots`: `{ timeUs, value, href, title }` over a heatmap.
 * - `hasTable`: whether the table is offered. Default `true`.
 * - `highlighted`: a set of row indices that are drawn stronger.
 *
 * @param {any} answer
 * @param {{ as?: string, column?: number, height?: number, [more: string]: any }} options
 */
export function chart(answer, { as, column = 0, height = 200, hasTable = true, ...options } = {}) {
  const calculation = calculations(answer)[column];
  const kind = as ?? bestKind(answer, calculation);
  if (kind === "number") return number(answer, calculation, height);
  /** @type {(frame: HTMLElement, answer: any, calculation: any, options: any) => void} */
  const draw = kind === "heatmap" ? heatmap : kind === "bar" && !answer.stepsUs ? groups : series;
  const frame = h("div", draw === groups ? { class: "chart-frame of-groups", style: { "max-height": `${height}px` } } : { class: "chart-frame", style: { height: `${height}px` } });
  const figure = h("figure", { class: "plot" }, h("figcaption", {}, calculation.name), frame,
    hasTable && answer.stepsUs ? foldedTable(answer, calculation) : null);
  let width = 0;
  const redraw = () => draw(frame, answer, calculation, { width: Math.max(width, 220), height, margin, isBar: kind === "bar", figure, ...options });
  new ResizeObserver(([entry]) => {
    const now = Math.floor(entry.contentRect.width);
    if (now !== width) { width = now; redraw(); }
  }).observe(frame);
  return figure;
}

/** The table of a chart, which is made when it opens. */
function foldedTable(answer, calculation) {
  const { name } = calculation;
  const fold = h("details", { class: "chart-table", ontoggle: () => {
    if (fold.open) openTables.add(name); else openTables.delete(name);
    if (fold.open && fold.childElementCount === 1) fold.append(chartTable(answer, calculation));
  } }, h("summary", { "aria-label": `Values of ${name} as a table` }, "Values as a table"));
  fold.open = openTables.has(name);
  return fold;
}

/** The values of a chart over time: a row for each step, and a column for each group. */
export function chartTable(answer, calculation) {
  const text = (value) => {
    if (!Array.isArray(value)) return quantity(value, calculation);
    // A step of a heatmap has boxes.
    if (!value.length) return "–";
    return `${wholeNumber(value.reduce((sum, box) => sum + box.count, 0))}, ${quantity(value[0].low, calculation)} – ${quantity(value[value.length - 1].high, calculation)}`;
  };
  return tableFrame(`Values of ${calculation.name}`, h("table", { class: "results" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Time"), answer.rows.map((row) => h("th", { scope: "col", class: "end" }, rowTitle(row))),
      answer.completeness?.steps ? h("th", { scope: "col", class: "end" }, "Arrived") : null)),
    h("tbody", {}, answer.stepsUs.map((timeUs, step) => h("tr", {}, h("th", { scope: "row" }, dayAndTime(timeUs)),
      answer.rows.map((row) => h("td", { class: "end num" }, text(row.series?.[step]?.[calculation.index] ?? null))),
      answer.completeness?.steps ? h("td", { class: "end num", title: stepText(answer, step) }, arrivedText(answer.completeness.steps[step])) : null)))));
}

function bestKind(answer, calculation) {
  if (calculation.name.startsWith("heatmap(")) return "heatmap";
  if (answer.stepsUs) return "line";
  return answer.columns.some((column) => column.isGroup) ? "bar" : "number";
}

/** One number, and the change since the time that it is compared with. */
function number(answer, calculation, height) {
  const row = answer.rows[0];
  const value = row?.values[calculation.index];
  const before = row?.comparison?.values[calculation.index];
  return h("figure", { class: "plot big-number", style: { "min-height": `${height}px` } }, h("figcaption", {}, calculation.name),
    h("p", { class: "value" }, quantity(value, calculation)), change(value, before, calculation, arrivedNote(answer)));
}

/** The change from an earlier value, such as `▲ 12 % from 340`, and a note. */
export function change(value, before, calculation, note = "") {
  if (typeof before !== "number" || typeof value !== "number") return note ? h("p", { class: "change muted" }, note) : null;
  const share = before === 0 ? undefined : (value - before) / Math.abs(before);
  const sign = value > before ? "▲" : value < before ? "▼" : "=";
  return h("p", { class: "change muted", title: note }, `${sign} ${share === undefined ? "" : `${percent(Math.abs(share), 2)} `}from ${quantity(before, calculation)}${note ? ` · ${note}` : ""}`);
}

// Lines and bars over time

function series(frame, answer, calculation, { width, height, isBar, highlighted, onZoom, figure }) {
  const times = answer.stepsUs ?? [];
  const stepUs = (answer.stepNs ?? 0) / 1e3;
  const isCounted = /^(count|sum|rate|count_distinct|concurrency)\b/.test(calculation.name);
  const lines = answer.rows.map((row, index) => ({
    title: rowTitle(row), color: rowColor(answer, index), index,
    values: times.map((_, step) => valueAt(row.series?.[step]?.[calculation.index])),
    before: row.comparison ? times.map((_, step) => valueAt(row.comparison.series?.[step]?.[calculation.index])) : undefined,
  }));
  const stacked = isBar && isCounted && lines.length > 1;
  const tops = stacked ? times.map((_, step) => lines.reduce((total, line) => total + (line.values[step] ?? 0), 0))
    : lines.flatMap((line) => [...line.values, ...(line.before ?? [])]);
  const known = tops.filter((value) => value !== undefined);
  const { ticks, high } = valueTicks(Math.min(0, ...known), Math.max(...known, 0), calculation, Math.max(2, Math.floor(height / 48)));
  // The axis begins at a tick, which is below the lowest value.
  const low = ticks[0].value;
  const inner = { left: tickRoom(ticks, margin.left), right: width - margin.right, top: margin.top, bottom: height - margin.bottom };
  const x = (timeUs) => inner.left + ((timeUs - answer.fromUs) / (answer.toUs - answer.fromUs)) * (inner.right - inner.left);
  const y = (value) => inner.bottom - ((value - low) / (high - low || 1)) * (inner.bottom - inner.top);
  const center = (step) => Math.min(x(times[step] + stepUs / 2), inner.right);
  const faded = (line) => highlighted?.size && !highlighted.has(line.index);

  const shapes = isBar ? barShapes() : lines.toReversed().flatMap((line) => [
    line.before ? svg("path", { class: "trend before", d: path(line.before), style: { stroke: line.color } }) : null,
    lineParts(answer, line.values).map(({ isUnfinished, values }) => svg("path", { class: `trend ${dash(line.index)} ${faded(line) ? "faded" : ""} ${isUnfinished ? "unfinished" : ""}`, d: path(values), style: { stroke: line.color } })),
    lonely(line.values).map((step) => svg("circle", { class: "point", cx: center(step), cy: y(line.values[step]), r: 2, style: { fill: line.color } })),
  ]);

  function path(values) {
    let text = "";
    let isOpen = false;
    values.forEach((value, step) => {
      if (value === undefined) { isOpen = false; return; }
      text += `${isOpen ? "L" : "M"}${center(step).toFixed(1)} ${y(value).toFixed(1)}`;
      isOpen = true;
    });
    return text;
  }

  /** Values between two gaps, which a line would not show. */
  function lonely(values) {
    return values.flatMap((value, step) => (value !== undefined && values[step - 1] === undefined && values[step + 1] === undefined ? [step] : []));
  }

  function barShapes() {
    const wide = Math.max(x(times[0] + stepUs) - x(times[0]) - 1, 1);
    return times.flatMap((start, step) => {
      let below = 0;
      return lines.map((line, index) => {
        const value = line.values[step];
        if (!value) return null;
        const base = stacked ? below : 0;
        below += value;
        const part = stacked ? wide : wide / lines.length;
        return svg("rect", { class: `${faded(line) ? "faded" : ""} ${unfinished(answer, step) ? "unfinished" : ""}`, x: Math.max(x(start), inner.left) + (stacked ? 0 : part * index), width: Math.max(part - 0.5, 0.5),
          y: y(base + value), height: Math.max(y(base) - y(base + value), 0.5), style: unfinished(answer, step) ? { fill: line.color, stroke: line.color } : { fill: line.color } });
      });
    });
  }

  const cursor = svg("line", { class: "cursor", y1: inner.top, y2: inner.bottom, visibility: "hidden" });
  const brush = svg("rect", { class: "brush", y: inner.top, height: inner.bottom - inner.top, visibility: "hidden" });
  const tip = h("div", { class: "chart-tip", hidden: true });
  const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": summary() },
    axes({ inner, x, y, ticks, answer, width }), shapes, unfinishedMark(answer, { inner, center }), brush, cursor);
  const linesAt = (step) => lines.filter((line) => line.values[step] !== undefined).sort((a, b) => b.values[step] - a.values[step]).slice(0, 10);
  if (known.length) {
    readable(picture, {
      count: times.length, hide,
      show(step) {
        showStep(step);
        const values = linesAt(step).map((line) => `${line.title} ${quantity(line.values[step], calculation)}`);
        values.push(...releasesAt(step).map((release) => `release ${releaseName(release)}`), ...alertsAt(step).map(({ words }) => words), ...[stepText(answer, step)].filter(Boolean));
        return `${timeText(times[step], stepUs)}: ${values.join(", ") || "no value"}`;
      },
    });
  }
  replace(frame, picture, known.length ? null : h("p", { class: "chart-empty faint" }, "No values in this time."), tip);
  let releases = [];
  let alerts = [];
  const isAt = (step) => ({ timeUs }) => timeUs >= times[step] && timeUs < times[step] + stepUs;
  const releasesAt = (step) => releases.filter(isAt(step));
  const alertsAt = (step) => alerts.filter(isAt(step));
  if (times.length) {
    releaseMarkers().then((all) => {
      releases = releasesWithin(all, answer);
      if (releases.length) cursor.before(releaseMarks(releases, { inner, x }));
    });
    alertStates().then((all) => {
      alerts = alertMarksOf(all, answer, calculation);
      if (alerts.length) cursor.before(alertMarks(alerts, { inner, x }));
    });
  }

  function summary() {
    const total = answer.rows[0]?.values[calculation.index];
    const open = lastUnfinished(answer);
    return `${calculation.name}, ${lines.length} ${lines.length === 1 ? "line" : "lines"}; ${lines[0]?.title ?? ""}: ${quantity(total, calculation)}${open < 0 ? "" : `; ${stepText(answer, open)}`}`;
  }

  const stepAt = (position) => {
    const timeUs = answer.fromUs + ((position - inner.left) / (inner.right - inner.left)) * (answer.toUs - answer.fromUs);
    let step = times.findLastIndex((start) => start <= timeUs);
    if (step < 0) step = 0;
    return { step, timeUs: Math.min(Math.max(timeUs, answer.fromUs), answer.toUs) };
  };
  let from;
  picture.addEventListener("pointermove", (event) => {
    if (!times.length) return;
    const { step, timeUs } = stepAt(event.offsetX);
    showStep(step);
    if (from !== undefined) {
      const [left, right] = [x(Math.min(from, timeUs)), x(Math.max(from, timeUs))];
      brush.setAttribute("x", left);
      brush.setAttribute("width", right - left);
      brush.setAttribute("visibility", "visible");
    }
  });
  picture.addEventListener("pointerleave", hide);

  function showStep(step) {
    cursor.setAttribute("x1", center(step));
    cursor.setAttribute("x2", center(step));
    cursor.setAttribute("visibility", "visible");
    showTip(tip, frame, center(step), [timeText(times[step], stepUs), ...linesAt(step)
      .map((line) => [line.color, line.title, quantity(line.values[step], calculation), line.before?.[step] === undefined ? "" : `was ${quantity(line.before[step], calculation)}`]),
    ...releasesAt(step).map((release) => ["var(--text-3)", `Release ${releaseName(release)}`, release["vcs.ref.head.revision"]?.slice(0, 7) ?? ""]),
    ...alertsAt(step).map(({ isEnd, words }) => [isEnd ? "var(--good-fill)" : "var(--bad-fill)", words, ""])], stepText(answer, step));
  }

  function hide() {
    tip.hidden = true;
    cursor.setAttribute("visibility", "hidden");
  }

  if (!onZoom) return;
  figure.classList.add("zoomable");
  picture.addEventListener("pointerdown", (event) => { if (event.button === 0) { from = stepAt(event.offsetX).timeUs; picture.setPointerCapture(event.pointerId); } });
  picture.addEventListener("pointerup", (event) => {
    if (from === undefined) return;
    const to = stepAt(event.offsetX).timeUs;
    const [first, last] = [Math.min(from, to), Math.max(from, to)];
    from = undefined;
    brush.setAttribute("visibility", "hidden");
    if (x(last) - x(first) > 5) onZoom(first, last);
  });
}

/**
 * True if a person reads a chart with the keyboard, or has scrolled in its table. A page does not draw it again meanwhile,
 * because that would take the focus or the place away.
 *
 * @param {ParentNode & Node} root
 */
export function isChartInUse(root = document) {
  const focused = document.activeElement;
  if (focused !== null && root.contains(focused) && focused.matches(".chart-frame [role=slider], .chart-table .table-frame")) return true;
  return [...root.querySelectorAll(".chart-table .table-frame")].some(({ scrollTop, scrollLeft }) => scrollTop > 0 || scrollLeft > 0);
}

function valueAt(value) {
  return typeof value === "number" ? value : undefined;
}

// Bars of groups, for a query without steps

function groups(frame, answer, calculation) {
  const values = answer.rows.map((row) => valueAt(row.values[calculation.index]));
  const most = Math.max(...values.filter((value) => value !== undefined), 0) || 1;
  replace(frame, h("ol", { class: "group-bars" }, answer.rows.map((row, index) => h("li", {},
    h("span", { class: "clip", title: rowTitle(row) }, rowTitle(row)),
    h("span", { class: "bar" }, h("i", { style: { width: `${Math.max(((values[index] ?? 0) / most) * 100, 0)}%`, background: rowColor(answer, index) } })),
    h("b", {}, quantity(values[index], calculation))))),
  answer.rows.length ? null : h("p", { class: "chart-empty faint" }, "No values in this time."));
}

/** The rows of an answer as CSV, with the series as lines of their own if there is one. */
export function csv(answer) {
  const names = answer.columns.map((column) => column.name);
  const key = (row) => answer.columns.filter((column) => column.isGroup).map((_, index) => (row.other ? (index ? "" : "other") : row.key[index]));
  if (!answer.stepsUs) return [names, ...answer.rows.map((row) => [...key(row), ...row.values])].map(csvLine).join("\n");
  const arrived = answer.completeness?.steps;
  const share = (step) => (arrived ? [arrived[step]?.share ?? null] : []);
  const lines = answer.rows.flatMap((row) => answer.stepsUs.map((timeUs, step) => [isoTime(timeUs), ...key(row), ...row.series[step], ...share(step)]));
  return [[timeColumn("time"), ...names, ...(arrived ? ["completeness"] : [])], ...lines].map(csvLine).join("\n");
}
