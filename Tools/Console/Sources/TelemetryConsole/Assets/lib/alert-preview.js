// @ts-check
// The threshold of an alert in the unit of its value, and how often the alert would have fired in the past.

import { nanoseconds } from "../shared/format.js";

/** The windows that an editor offers: a duration and the words for it. */
export const windows = [["15m", "15 minutes"], ["1h", "1 hour"], ["6h", "6 hours"], ["24h", "1 day"]];

/** The units of durations in a query, with the lengths that `format.js` knows. */
const units = /** @type {Record<string, string>} */ ({ ns: "ns", us: "us", "µs": "us", ms: "ms", s: "s", m: "min", min: "min", h: "h" });

/**
 * Reads a threshold such as `500 ms`, `2 %` or `12`. Returns its value in the unit of the column, and the text for a board's
 * file; `undefined` if it is none of such a value.
 *
 * @param {string} written
 * @param {{ name: string, unit?: string }} column That of the calculation.
 * @returns {{ value: number, text: string } | undefined}
 */
export function thresholdOf(written, { name, unit = "" }) {
  const [, digits, word] = /^(-?[\d.]+(?:e[+-]?\d+)?)\s*(%|[a-zµ]*)$/i.exec(written.trim()) ?? [];
  const number = Number(digits);
  if (digits === undefined || !Number.isFinite(number)) return undefined;
  if (!word) return { value: number, text: digits };
  if (word === "%") return name.startsWith("ratio(") ? { value: number / 100, text: `${digits}%` } : undefined;
  const length = nanoseconds[units[word] ?? ""];
  if (length === undefined || unit === "1" || unit === "By") return undefined;
  // The file's durations are nanoseconds. A value in seconds is compared with a number.
  if (unit === "s") return { value: number * length / 1e9, text: String(number * length / 1e9) };
  return { value: number * length, text: `${digits}${units[word] === "min" ? "m" : units[word]}` };
}

/**
 * The query for the values of a week, one for each window.
 *
 * @param {string} query One calculation, without a time.
 * @param {string} window
 */
export function previewQuery(query, window) {
  return `${query} last 7d every ${window}`;
}

/**
 * How often a threshold was crossed by a group that did not cross it in the window before.
 *
 * @param {{ rows: { other?: boolean, series?: any[][] }[] }} answer To `previewQuery`.
 * @param {"above" | "below"} side
 * @param {number} limit
 */
export function timesFired({ rows }, side, limit) {
  /** @param {any} value */
  const isCrossed = (value) => typeof value === "number" && (side === "above" ? value > limit : value < limit);
  let times = 0;
  for (const { other, series = [] } of rows) {
    if (other) continue;
    series.forEach(([value], step) => { if (isCrossed(value) && !(step > 0 && isCrossed(series[step - 1][0]))) times += 1; });
  }
  return times;
}
