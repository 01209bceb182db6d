// @ts-check
// The time range of the whole console, and its picker. Pages that ask for a range share the choice.

import { h, icon, replace } from "./dom.js";
import { dayAndMinute, minute } from "../shared/format.js";
import { menuOf } from "./popover.js";
import { clockText, offsetText, timesOf, zoneTitle } from "../shared/zone.js";

const key = "astrolabe.time";
const presets = [["15m", "Last 15 minutes"], ["1h", "Last hour"], ["6h", "Last 6 hours"], ["24h", "Last 24 hours"], ["48h", "Last 2 days"], ["7d", "Last 7 days"], ["30d", "Last 30 days"]];
const comparisons = [["", "No comparison"], ["previous", "The time before"], ["24h", "A day earlier"], ["7d", "A week earlier"]];
const units = { s: 1e6, m: 60e6, h: 3600e6, d: 86400e6, w: 604800e6 };

/** `{ last }`, or `{ fromUs, toUs }` in microseconds since 1970. Until one is chosen, lists show all times and queries those of a day. */
let chosen;
let comparison = "";

function read(text) {
  const [from, to] = text.split("~").map(Number);
  if (from < to) return { fromUs: from, toUs: to };
  return /^[1-9][0-9]{0,4}[smhdw]$/.test(text) ? { last: text } : undefined;
}

const usual = { last: "24h" };

function written() {
  return chosen ? chosen.last ?? `${chosen.fromUs}~${chosen.toUs}` : "";
}

try { [chosen, comparison] = [read(sessionStorage.getItem(key) ?? ""), sessionStorage.getItem(`${key}.compare`) ?? ""]; } catch { /* the range lasts for this page only */ }

/** Takes the range of the address, so that a link shows what its sender saw. */
export function readAddress() {
  const address = new URLSearchParams(location.search);
  const found = read(address.get("time") ?? "");
  if (found) { chosen = found; comparison = ""; }
  const compared = address.get("compare");
  if (compared !== null && comparisons.some(([value]) => value === compared)) comparison = compared;
  keep();
}

function keep() {
  try {
    sessionStorage.setItem(key, written());
    sessionStorage.setItem(`${key}.compare`, comparison);
  } catch { /* the range lasts for this page only */ }
}

/** The parameters of an address that give the range again. */
export function addressParameters() {
  return { ...(chosen ? { time: written() } : {}), ...(comparison ? { compare: comparison } : {}) };
}

/** The range as clauses of a query. With `isPlain`, without the comparison. */
export function timeClauses({ isPlain = false } = {}) {
  const range = chosen ?? usual;
  const clauses = range.last ? `last ${range.last}` : `from ${new Date(range.fromUs / 1e3).toISOString()} to ${new Date(range.toUs / 1e3).toISOString()}`;
  return comparison && !isPlain ? `${clauses} compare ${comparison}` : clauses;
}

/** Whether the range ends now, so that a page follows the data. */
export function isUntilNow() {
  return Boolean((chosen ?? usual).last);
}

/** The range of a list as parameters of the API, empty until one is chosen. */
export function timeParameters() {
  if (!chosen) return {};
  return chosen.last ? { fromUs: Math.round(timeBounds().fromUs) } : { fromUs: chosen.fromUs, toUs: chosen.toUs };
}

/** The range in microseconds since 1970. A range until now ends now. */
export function timeBounds() {
  const range = chosen ?? usual;
  if (!range.last) return { fromUs: range.fromUs, toUs: range.toUs };
  const toUs = Date.now() * 1e3;
  return { fromUs: toUs - Number.parseInt(range.last) * units[range.last.at(-1)], toUs };
}

/** Chooses a range; `{ last }`, `{ fromUs, toUs }`, or nothing for any time. */
export function chooseTime(range) {
  chosen = !range || range.last ? range : { fromUs: Math.floor(range.fromUs), toUs: Math.max(Math.ceil(range.toUs), Math.floor(range.fromUs) + 1e3) };
  keep();
  dispatchEvent(new Event("timechange"));
}

function chooseComparison(value) {
  comparison = value;
  keep();
  dispatchEvent(new Event("timechange"));
}

function title(isList) {
  if (isList && !chosen) return "Any time";
  const range = chosen ?? usual;
  if (range.last) return presets.find(([value]) => value === range.last)?.[1] ?? `Last ${range.last}`;
  const isOneDay = clockText(range.fromUs).slice(0, 10) === clockText(range.toUs).slice(0, 10);
  return `${dayAndMinute(range.fromUs)} – ${(isOneDay ? minute : dayAndMinute)(range.toUs)}`;
}

/** What the range is called. */
export const timeTitle = () => title(false);

/** A field of a moment in the chosen zone. Where the clock shows a time twice, it also asks which of the two is meant. */
function momentField(label, initialUs) {
  const input = h("input", { type: "datetime-local", step: "1", value: clockText(initialUs), "aria-label": label, oninput: draw });
  const initial = input.value;
  const which = h("select", { "aria-label": `${label}: which of the two`, hidden: true });

  function draw() {
    const times = timesOf(input.value);
    which.hidden = times.length < 2;
    replace(which, times.map((timeUs, index) => h("option", { value: index, selected: offsetText(timeUs) === offsetText(initialUs) }, offsetText(timeUs))));
  }

  draw();
  return {
    input, element: h("label", {}, label, input, which),
    /** The moment, or NaN. The one that was shown is not rounded to the second of the field. */
    read() {
      const time = timesOf(input.value)[which.hidden ? 0 : Number(which.value)] ?? Number.NaN;
      return input.value === initial && offsetText(time) === offsetText(initialUs) ? initialUs : time;
    },
  };
}

/**
 * A button that opens the ranges. Set `comparable` if the page can compare, and `isList` if it can show any time.
 * Call the returned `destroy` when the page closes.
 */
export function timePicker(onChange, { comparable = false, isList = false } = {}) {
  const label = h("span", {});
  const button = h("button", { type: "button", class: "time-button", "aria-haspopup": "dialog" }, icon("clock"), label, icon("down"));
  const menu = menuOf(button, choices, { class: "popover time-menu", role: "dialog", "aria-label": "Time range" });

  function draw() {
    const compared = comparable ? comparisons.find(([value]) => value === comparison)?.[1] : "";
    replace(label, title(isList), comparison && comparable ? h("small", {}, ` vs. ${compared?.toLowerCase()}`) : null);
    button.title = `Times in ${zoneTitle()}`;
  }

  function choices(close) {
    const { fromUs, toUs } = timeBounds();
    const from = momentField("From", fromUs);
    const to = momentField("To", toUs);
    const problem = h("p", { class: "bad", role: "alert", id: "time-problem" });
    const apply = () => {
      const range = { fromUs: from.read(), toUs: to.read() };
      if (!(range.fromUs < range.toUs)) {
        replace(problem, "Expected a start before the end.");
        for (const { input } of [from, to]) { input.setAttribute("aria-invalid", "true"); input.setAttribute("aria-describedby", problem.id); }
        from.input.focus();
        return;
      }
      close();
      chooseTime(range);
    };
    return [
      h("div", { class: "menu-list" }, [...(isList ? [["", "Any time"]] : []), ...presets].map(([value, text]) => h("button", { type: "button", class: "menu-item",
        "aria-pressed": String(value === (chosen ?? (isList ? { last: "" } : usual)).last), onclick: () => { close(); chooseTime(value ? { last: value } : undefined); } }, text))),
      h("form", { class: "time-form", onsubmit: (event) => { event.preventDefault(); apply(); } },
        from.element, to.element, h("p", { class: "faint" }, `In ${zoneTitle(toUs)}`), problem, h("button", { type: "submit" }, "Show this time")),
      comparable ? h("label", { class: "time-compare" }, "Compare with", h("select", { "aria-label": "Compare with", onchange: (event) => chooseComparison(event.target.value) },
        comparisons.map(([value, text]) => h("option", { value, selected: value === comparison }, text)))) : null,
    ];
  }

  const changed = () => { draw(); onChange(); };
  addEventListener("timechange", changed);
  draw();
  return { element: h("span", { class: "time-picker" }, button, menu), destroy: () => removeEventListener("timechange", changed) };
}

/** Takes the time of a query's clauses, if it has any that the picker knows. Returns the clauses without it. */
export function takeTime(parts) {
  const given = read(parts.last) ?? interval(parts.from);
  if (given) { chosen = given; comparison = ""; }
  if (comparisons.some(([value]) => value && value === parts.compare)) comparison = parts.compare;
  else if (parts.compare) return parts;
  keep();
  return given ? { ...parts, last: "", from: "", compare: "" } : { ...parts, compare: "" };
}

function interval(text) {
  const [from, to] = text.split(/\s+to\s+/).map((moment) => Date.parse(moment) * 1e3);
  return from < to ? { fromUs: from, toUs: to } : undefined;
}
