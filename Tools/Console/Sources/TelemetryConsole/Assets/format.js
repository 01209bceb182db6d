// Formatting of numbers and times.

/** Formats nanoseconds in the unit that leaves one to three digits before the decimal point. */
export function duration(nanoseconds) {
  const value = Math.abs(nanoseconds);
  if (value === 0) return "0";
  if (value < 1e3) return `${Math.round(nanoseconds)} ns`;
  if (value < 1e6) return `${short(nanoseconds / 1e3)} µs`;
  if (value < 1e9) return `${short(nanoseconds / 1e6)} ms`;
  if (value < 60e9) return `${short(nanoseconds / 1e9)} s`;
  const seconds = Math.round(nanoseconds / 1e9);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const [large, small] = hours > 0 ? [`${hours} h`, minutes && `${minutes} min`] : [`${minutes} min`, seconds % 60 && `${seconds % 60} s`];
  return small ? `${large} ${small}` : large;
}

function short(value) {
  const size = Math.abs(value);
  return String(Number(value.toFixed(size < 10 ? 2 : size < 100 ? 1 : 0)));
}

/** Formats a signed time offset in microseconds, for a column of times. */
export function offset(microseconds) {
  const sign = microseconds < 0 ? "−" : "+";
  const seconds = Math.abs(microseconds) / 1e6;
  if (seconds < 60) return `${sign}${seconds.toFixed(3)} s`;
  const minutes = Math.floor(seconds / 60);
  return `${sign}${minutes}:${(seconds % 60).toFixed(3).padStart(6, "0")}`;
}

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" });

export function time(microseconds) {
  return clock.format(microseconds / 1e3);
}

export function date(microseconds) {
  return new Date(microseconds / 1e3).toDateString() === new Date().toDateString() ? "today" : day.format(microseconds / 1e3);
}

export function moment(microseconds) {
  return full.format(microseconds / 1e3);
}

export function ago(microseconds) {
  const seconds = Math.round((Date.now() - microseconds / 1e3) / 1e3);
  if (seconds < -60) return "in the future";
  if (seconds < 5) return "now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86400)} d ago`;
}

const grouped = new Intl.NumberFormat();

export function count(value) {
  return grouped.format(value);
}

export function compact(value) {
  if (value < 10_000) return count(value);
  if (value < 1e6) return `${Math.round(value / 1e3)}k`;
  return `${(value / 1e6).toFixed(1)}M`;
}

export function bytes(value) {
  const units = ["B", "KiB", "MiB", "GiB"];
  let index = 0;
  while (value >= 1024 && index < units.length - 1) { value /= 1024; index += 1; }
  return `${index === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[index]}`;
}

/** Formats a measured value with at most four significant digits, but always with all digits of its integer part. */
export function measure(value) {
  if (value === undefined) return "–";
  if (Number.isInteger(value)) return count(value);
  if (Math.abs(value) >= 1000) return count(Math.round(value));
  return String(Number(value.toPrecision(4)));
}

/** Formats a value of a query's answer by the unit and the name of its column. */
export function quantity(value, { unit, name = "" } = {}) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "object") return attribute(value).text;
  if (typeof value !== "number") return String(value);
  if (unit in nanoseconds) return duration(value * nanoseconds[unit]);
  if (unit === "By") return bytes(value);
  if (name.startsWith("ratio(")) return `${Number((value * 100).toPrecision(3))} %`;
  if (unit?.endsWith("/s")) return `${unit === "By/s" ? bytes(value) : measure(value)}/s`;
  return Math.abs(value) >= 1e6 ? compactNumber.format(value) : measure(value);
}

/** The units of time in nanoseconds. */
export const nanoseconds = { ns: 1, us: 1e3, ms: 1e6, s: 1e9, min: 60e9, h: 3600e9 };

const compactNumber = new Intl.NumberFormat(undefined, { notation: "compact", maximumSignificantDigits: 4 });

export function plural(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** Formats an attribute's value and names its type. The store marks types that JSON does not have with a `$`. */
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

function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object") return value;
  if ("$int" in value || "$double" in value || "$bytes" in value) return attribute(value).text;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.replace(/^\$\$/, "$"), plain(item)]));
}
