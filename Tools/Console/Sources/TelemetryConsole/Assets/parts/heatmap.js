// @ts-check
// A heatmap over time: how many records have a value in each bin, and a box that selects a part of them.

import { replace, h, svg } from "./dom.js";
import { powerTicks, tickRoom, valueTicks } from "../lib/axes.js";
import { unfinishedMark } from "./arrived.js";
import { axes, readable, showTip, timeText } from "./chart-frame.js";
import { lastUnfinished, stepText, unfinished } from "../lib/completeness.js";
import { count, quantity } from "../shared/format.js";
import { token } from "./theme.js";

/** Draws the bins of the first row, logarithmic if all values are positive. Calls `onBox` when the user selected a box. */
export function heatmap(frame, answer, calculation, { width, height, margin, onBox, selected, dots = [], figure }) {
  const operand = { ...calculation, name: calculation.name, unit: calculation.unit };
  const times = answer.stepsUs ?? [answer.fromUs];
  const stepUs = answer.stepNs ? answer.stepNs / 1e3 : answer.toUs - answer.fromUs;
  // All groups together: a heatmap has one color for a number of records.
  const columns = times.map((_, step) => {
    const bins = new Map();
    for (const row of answer.rows) {
      for (const bin of (answer.stepsUs ? row.series[step] : row.values)[calculation.index] ?? []) {
        const sum = bins.get(bin.low);
        if (sum) sum.count += bin.count; else bins.set(bin.low, { ...bin });
      }
    }
    return [...bins.values()];
  });
  const all = columns.flat();
  if (!all.length) { replace(frame, h("p", { class: "chart-empty faint" }, "No values in this time.")); return; }
  const low = Math.min(...all.map((bin) => bin.low));
  const high = Math.max(...all.map((bin) => bin.high));
  const most = Math.max(...all.map((bin) => bin.count));
  const isPower = low > 0 && high / low > 8;
  const wanted = Math.max(2, Math.floor(height / 44));
  const linear = isPower ? undefined : valueTicks(Math.min(low, 0), high, operand, wanted);
  const bottomValue = isPower ? low : Math.min(low, 0);
  const topValue = linear?.high ?? high;
  const ticks = linear?.ticks ?? powerTicks(low, high, operand, wanted);
  const inner = { left: tickRoom(ticks, margin.left), right: width - margin.right, top: margin.top, bottom: height - margin.bottom };
  const share = (value) => (isPower ? Math.log(Math.max(value, low) / low) / Math.log(topValue / low) : (value - bottomValue) / (topValue - bottomValue));
  const x = (timeUs) => inner.left + ((timeUs - answer.fromUs) / (answer.toUs - answer.fromUs)) * (inner.right - inner.left);
  const y = (value) => inner.bottom - Math.min(Math.max(share(value), 0), 1) * (inner.bottom - inner.top);
  const timeAt = (position) => answer.fromUs + (Math.min(Math.max((position - inner.left) / (inner.right - inner.left), 0), 1)) * (answer.toUs - answer.fromUs);
  const valueAt = (position) => {
    const part = Math.min(Math.max((inner.bottom - position) / (inner.bottom - inner.top), 0), 1);
    return isPower ? low * (topValue / low) ** part : bottomValue + part * (topValue - bottomValue);
  };

  const canvas = h("canvas", { width: width * devicePixelRatio, height: height * devicePixelRatio, style: { width: `${width}px`, height: `${height}px` } });
  const ink = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  ink.scale(devicePixelRatio, devicePixelRatio);
  ink.fillStyle = token("--accent");
  columns.forEach((bins, step) => {
    const [left, right] = [Math.max(x(times[step]), inner.left), Math.min(x(times[step] + stepUs), inner.right)];
    if (unfinished(answer, step)) {
      ink.globalAlpha = 0.5;
      ink.setLineDash([3, 3]);
      ink.strokeStyle = token("--text-3");
      ink.strokeRect(left, inner.top, Math.max(right - left, 1), inner.bottom - inner.top);
    }
    for (const bin of bins) {
      ink.globalAlpha = 0.12 + 0.88 * Math.sqrt(bin.count / most);
      const [top, bottom] = [y(bin.high), y(bin.low)];
      ink.fillRect(left, top, Math.max(right - left - 0.5, 1), Math.max(bottom - top - 0.5, 1.5));
    }
  });

  const box = svg("rect", { class: "brush", visibility: "hidden" });
  const tip = h("div", { class: "chart-tip", hidden: true });
  const open = lastUnfinished(answer);
  const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${calculation.name}: ${quantity(low, operand)} to ${quantity(high, operand)}, at most ${count(most)} in a cell${open < 0 ? "" : `; ${stepText(answer, open)}`}` },
    axes({ inner, x, y, ticks, answer, width }), unfinishedMark(answer, { inner, center: (step) => x(times[step] + stepUs / 2) }), box,
    dots.filter(({ timeUs, value }) => timeUs >= answer.fromUs && timeUs <= answer.toUs && value >= bottomValue && value <= topValue).map(({ timeUs, value, href, title }) =>
      // A slider has no parts for screen readers and the keyboard. The page has these traces as a table too.
      svg("a", { href, tabindex: "-1", "aria-hidden": "true" }, svg("circle", { class: "dot-mark", cx: x(timeUs), cy: y(value), r: 4 }, svg("title", {}, title)))));
  replace(frame, canvas, picture, tip);

  const rising = columns.map((bins) => bins.toSorted((one, other) => one.low - other.low));
  const binText = (bin) => `${quantity(bin.low, operand)} – ${quantity(bin.high, operand)}`;
  let place = 0;
  readable(picture, {
    count: times.length, hide: () => { tip.hidden = true; endBox(); },
    // The fullest bin of a step comes first; up and down go to the others.
    show(step) { place = rising[step].reduce((best, bin, index) => (bin.count > rising[step][best].count ? index : best), 0); return read(step); },
    move(step, by) { place = Math.min(Math.max(place + by, 0), Math.max(rising[step].length - 1, 0)); return read(step); },
    press: onBox && press, cancel,
  });

  /** The cell at the first corner of a box that the keyboard selects. */
  let first;

  function cell(step) {
    const bin = rising[step][place];
    return bin && { fromUs: times[step], toUs: times[step] + stepUs, low: bin.low, high: bin.high };
  }

  /** Enter starts a box at a cell, and selects it at another. */
  function press(step) {
    const here = cell(step);
    if (!here) return read(step);
    if (first === undefined) { first = here; return `${read(step)}. A box starts here. Enter selects it.`; }
    onBox(around(first, here));
    return read(step);
  }

  /** Ends a box that was started. Returns whether there was one. */
  function cancel() {
    const wasStarted = first !== undefined;
    endBox();
    return wasStarted;
  }

  function endBox() {
    first = undefined;
    if (selected) showBox(selected); else box.setAttribute("visibility", "hidden");
  }

  function read(step) {
    const bin = rising[step][place];
    const lines = bin ? [[token("--accent"), binText(bin), count(Math.round(bin.count)), ""]] : [];
    if (first && bin) showBox(around(first, cell(step)));
    const missing = stepText(answer, step);
    showTip(tip, frame, x(times[step]), [timeText(times[step], stepUs), ...lines], missing);
    return `${timeText(times[step], stepUs)}: ${bin ? `${count(Math.round(bin.count))} of ${binText(bin)}` : "no value"}${missing ? `, ${missing}` : ""}`;
  }

  const around = (one, other) => ({ fromUs: Math.min(one.fromUs, other.fromUs), toUs: Math.max(one.toUs, other.toUs), low: Math.min(one.low, other.low), high: Math.max(one.high, other.high) });
  const showBox = ({ fromUs, toUs, low: from, high: to }) => {
    const [left, right, top, bottom] = [x(fromUs), x(toUs), y(to), y(from)];
    for (const [name, value] of Object.entries({ x: left, y: top, width: Math.max(right - left, 1), height: Math.max(bottom - top, 1), visibility: "visible" })) box.setAttribute(name, value);
  };
  if (selected) showBox(selected);

  let start;
  const corner = (event) => ({ timeUs: timeAt(event.offsetX), value: valueAt(event.offsetY) });
  const between = (a, b) => ({ fromUs: Math.min(a.timeUs, b.timeUs), toUs: Math.max(a.timeUs, b.timeUs), low: Math.min(a.value, b.value), high: Math.max(a.value, b.value) });
  picture.addEventListener("pointermove", (event) => {
    const here = corner(event);
    if (start) showBox(between(start, here));
    const step = Math.max(times.findLastIndex((timeUs) => timeUs <= here.timeUs), 0);
    const bin = columns[step].find((item) => item.low <= here.value && here.value < item.high);
    if (bin) showTip(tip, frame, event.offsetX, [timeText(times[step], stepUs), [token("--accent"), binText(bin), count(Math.round(bin.count)), ""]], stepText(answer, step));
    else tip.hidden = true;
  });
  picture.addEventListener("pointerleave", () => { tip.hidden = true; });
  if (!onBox) return;
  figure.classList.add("zoomable");
  picture.addEventListener("pointerdown", (event) => { if (event.button === 0) { start = corner(event); picture.setPointerCapture(event.pointerId); } });
  picture.addEventListener("pointerup", (event) => {
    if (!start) return;
    const chosen = between(start, corner(event));
    start = undefined;
    if (x(chosen.toUs) - x(chosen.fromUs) > 4 && y(chosen.low) - y(chosen.high) > 4) onBox(chosen);
    else if (selected) showBox(selected); else box.setAttribute("visibility", "hidden");
  });
}
