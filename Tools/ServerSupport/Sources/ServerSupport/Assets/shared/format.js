// @ts-check
// Numbers, units and times, as the pages of all tools write them.

import { clockText, isRepeated, offsetText, zoneName } from "./zone.js";

/** The language of the pages, and so of all their numbers and times. Times have the zone of zone.js. */
const language = "en";

/** @type {Map<string, Intl.NumberFormat>} */
const numberFormats = new Map();

/**
 * @param {number} value
 * @param {Intl.NumberFormatOptions} options
 */
function written(value, options) {
  const key = JSON.stringify(options);
  const format = numberFormats.get(key) ?? new Intl.NumberFormat(language, options);
  numberFormats.set(key, format);
  // Without the sign of a negative zero.
  return format.format(value + 0);
}

/**
 * Formats a number with a limited precision.
 *
 * @param {number} value
 * @param {number} digits The most digits behind the decimal point.
 */
export function decimal(value, digits) {
  return written(Number(value.toFixed(digits)), { maximumFractionDigits: digits, useGrouping: false });
}

/**
 * @param {number} value
 * @param {number} digits The most digits, from the first that is not 0.
 */
function significant(value, digits) {
  return written(Number(value.toPrecision(digits)), { maximumSignificantDigits: digits, useGrouping: false });
}

const grouped = new Intl.NumberFormat(language);

/**
 * Formats a whole number, in groups of three digits.
 *
 * @param {number | bigint} value
 */
export function count(value) {
  return grouped.format(value);
}

/**
 * Formats a number and what it counts: "1 span", "2 spans".
 *
 * @param {number} number
 * @param {string} one
 */
export function plural(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false };

/**
 * Formats a count for a narrow place: "12k", "3.4M".
 *
 * @param {number} value
 */
export function compact(value) {
  if (value < 10_000) return count(value);
  if (value < 1e6) return `${Math.round(value / 1e3)}k`;
  return `${written(value / 1e6, oneDecimal)}M`;
}

/**
 * Formats a share, of which 1 is the whole: "12.5 %"; "–" without a whole.
 *
 * @param {number | null | undefined} share
 * @param {number} [digits] The most digits, from the first that is not 0. Default: 3, and 2 below a tenth.
 */
export function percent(share, digits) {
  if (share === null || share === undefined) return "–";
  return `${significant(share * 100, digits ?? (Math.abs(share) < 0.1 ? 2 : 3))} %`;
}

/**
 * Formats a share with a limited precision, for a column of shares: "99.98 %".
 *
 * @param {number} share
 * @param {number} digits The most digits behind the decimal point.
 */
export function decimalPercent(share, digits) {
  return `${decimal(share * 100, digits)} %`;
}

/** The units of time, the smallest first: the name in UCUM, as metrics and queries have it, and the name on pages. */
const timeUnits = [
  { name: "ns", text: "ns", length: 1 },
  { name: "us", text: "µs", length: 1e3 },
  { name: "ms", text: "ms", length: 1e6 },
  { name: "s", text: "s", length: 1e9 },
  { name: "min", text: "min", length: 60e9 },
  { name: "h", text: "h", length: 3600e9 },
  { name: "d", text: "d", length: 86400e9 },
];

/**
 * The nanoseconds of each unit of time, by its name in UCUM.
 *
 * @type {Record<string, number>}
 */
export const nanoseconds = Object.fromEntries(timeUnits.map(({ name, length }) => [name, length]));

const sizeUnits = ["B", "KiB", "MiB", "GiB"];

/**
 * Formats nanoseconds: below a minute in the unit that leaves one to three digits before the decimal point, and above in
 * two units, as in "1 min 35 s".
 *
 * @param {number} value
 */
export function duration(value) {
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size < nanoseconds.us) return `${Math.round(value)} ns`;
  if (size < nanoseconds.min) {
    const unit = timeUnits.find(({ length }) => size < length * 1e3 && length > 1) ?? timeUnits[3];
    return `${short(value / unit.length)} ${unit.text}`;
  }
  const seconds = Math.round(value / 1e9);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = seconds % 60;
  if (hours > 0) return minutes ? `${hours} h ${minutes} min` : `${hours} h`;
  return rest ? `${minutes} min ${rest} s` : `${minutes} min`;
}

/** @param {number} value */
function short(value) {
  const size = Math.abs(value);
  return decimal(value, size < 10 ? 2 : size < 100 ? 1 : 0);
}

/** @param {number} value */
export function bytes(value) {
  let index = 0;
  while (value >= 1024 && index < sizeUnits.length - 1) { value /= 1024; index += 1; }
  return `${index === 0 || value >= 100 ? decimal(value, 0) : written(value, oneDecimal)} ${sizeUnits[index]}`;
}

/**
 * Formats a measured value with at most four significant digits, but always with all digits of its integer part.
 *
 * @param {number | undefined} value
 */
export function measure(value) {
  if (value === undefined) return "–";
  if (Number.isInteger(value)) return count(value);
  if (Math.abs(value) >= 1000) return count(Math.round(value));
  return significant(value, 4);
}

/**
 * Formats a value of a query's answer by the unit and the name of its column.
 *
 * @param {any} value
 * @param {{ unit?: string, name?: string }} column
 * @returns {string}
 */
export function quantity(value, { unit = "", name = "" } = {}) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "object") return attribute(value).text;
  if (typeof value !== "number") return String(value);
  if (unit in nanoseconds) return duration(value * nanoseconds[unit]);
  if (unit === "By") return bytes(value);
  if (name.startsWith("ratio(")) return percent(value, 3);
  if (unit.endsWith("/s")) return `${unit === "By/s" ? bytes(value) : measure(value)}/s`;
  return Math.abs(value) >= 1e6 ? written(value, { notation: "compact", maximumSignificantDigits: 4 }) : measure(value);
}

/**
 * Formats a signed time offset in microseconds, for a column of times.
 *
 * @param {number} microseconds
 */
export function offset(microseconds) {
  const sign = microseconds < 0 ? "−" : "+";
  const seconds = Math.abs(microseconds) / 1e6;
  if (seconds < 60) return `${sign}${seconds.toFixed(3)} s`;
  const minutes = Math.floor(seconds / 60);
  return `${sign}${minutes}:${(seconds % 60).toFixed(3).padStart(6, "0")}`;
}

/**
 * Where the clock was set back, a time that it shows twice has its offset: "01:30 UTC−4".
 *
 * @param {Intl.DateTimeFormatOptions} options
 * @returns {(microseconds: number) => string} A formatter of times in microseconds since 1970.
 */
function timeFormat(options) {
  const hasHours = Boolean(options.hour ?? options.timeStyle);
  /** @type {Intl.DateTimeFormat | undefined} */
  let format;
  let formatZone = "";
  return (microseconds) => {
    if (!format || formatZone !== zoneName()) {
      formatZone = zoneName();
      format = new Intl.DateTimeFormat(language, { ...options, hourCycle: "h23", timeZone: formatZone });
    }
    const text = format.format(microseconds / 1e3);
    return hasHours && isRepeated(microseconds) ? `${text} ${offsetText(microseconds)}` : text;
  };
}

const hourAndMinute = /** @type {const} */ ({ hour: "2-digit", minute: "2-digit" });
const dayAndMonth = /** @type {const} */ ({ day: "numeric", month: "short" });

/** "14:05:09" */
export const time = timeFormat({ ...hourAndMinute, second: "2-digit" });
/** "14:05" */
export const minute = timeFormat(hourAndMinute);
/** "Nov 27" */
export const day = timeFormat(dayAndMonth);
/** "Nov 27, 14:05" */
export const dayAndMinute = timeFormat({ ...dayAndMonth, ...hourAndMinute });
/** "Nov 27, 14:05:09" */
export const dayAndTime = timeFormat({ ...dayAndMonth, ...hourAndMinute, second: "2-digit" });
/** "Nov 27, 2026, 14:05:09" */
export const moment = timeFormat({ dateStyle: "medium", timeStyle: "medium" });

/** @param {number} microseconds */
export function date(microseconds) {
  const isToday = clockText(microseconds).slice(0, 10) === clockText(Date.now() * 1e3).slice(0, 10);
  return isToday ? "today" : day(microseconds);
}

/**
 * Formats the time that has passed since a time in microseconds since 1970.
 *
 * @param {number} microseconds
 */
export function ago(microseconds, now = Date.now()) {
  const seconds = Math.round((now - microseconds / 1e3) / 1e3);
  if (seconds < -60) return "in the future";
  if (seconds < 5) return "now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86400)} d ago`;
}

/**
 * Formats an attribute's value and names its type. The store marks types that JSON does not have with a `$`.
 *
 * @param {any} value
 * @returns {{ text: string, kind: string }}
 */
export function attribute(value) {
  if (value === null) return { text: "(empty)", kind: "empty" };
  switch (typeof value) {
    case "string": return { text: value, kind: "string" };
    case "number": return { text: String(value), kind: "number" };
    case "boolean": return { text: String(value), kind: "truth" };
  }
  if ("$int" in value) return { text: value.$int, kind: "number" };
  if ("$double" in value) return { text: value.$double, kind: "number" };
  if ("$bytes" in value) return { text: value.$bytes, kind: "bytes" };
  return { text: JSON.stringify(plain(value), null, 2), kind: "structure" };
}

/**
 * @param {any} value
 * @returns {any}
 */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object") return value;
  if ("$int" in value || "$double" in value || "$bytes" in value) return attribute(value).text;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.replace(/^\$\$/, "$"), plain(item)]));
}
