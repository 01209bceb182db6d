// @ts-check
// The time zone of all times on the pages: the browser's, UTC, or another that somebody has chosen, such as a device's.

const language = "en";
/** The offset of a zone changes at quarters of an hour at most. */
const quarter = 900e6;
const minuteLength = 60e6;
/** More than any clock is set back. */
const nearby = 3 * 3600e6;

/** The browser's zone. */
export const localZoneName = new Intl.DateTimeFormat().resolvedOptions().timeZone ?? "UTC";

let chosen = "local";
let name = localZoneName;
/** @type {Intl.DateTimeFormat | undefined} */
let offsetFormat;
/** The offsets of the quarters of an hour that were asked for, in minutes. @type {Map<number, number>} */
let offsets = new Map();

/** "local", or the name of the chosen zone, such as "UTC" or "Asia/Kolkata". */
export const zone = () => chosen;

/** The name of the zone in the IANA database. */
export const zoneName = () => name;

/**
 * Chooses the zone of all times. Returns whether there is such a zone.
 *
 * @param {string} wanted "local" or a name of the IANA database.
 */
export function chooseZone(wanted) {
  const named = wanted === "local" ? localZoneName : wanted;
  try {
    new Intl.DateTimeFormat(language, { timeZone: named }).format(0);
  } catch {
    return false;
  }
  chosen = wanted;
  name = named;
  offsetFormat = undefined;
  offsets = new Map();
  return true;
}

/**
 * How many minutes the zone's clock is ahead of UTC at a time in microseconds since 1970.
 *
 * @param {number} microseconds
 */
export function offsetMinutes(microseconds) {
  const place = Math.floor(microseconds / quarter);
  let found = offsets.get(place);
  if (found === undefined) {
    offsetFormat ??= new Intl.DateTimeFormat(language, { timeZone: name, timeZoneName: "longOffset" });
    const text = offsetFormat.formatToParts(place * quarter / 1e3).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const [, sign, hours, minutes] = /([+-])(\d+)(?::(\d+))?/.exec(text) ?? ["", "+", "0", "0"];
    found = (Number(hours) * 60 + Number(minutes ?? 0)) * (sign === "-" ? -1 : 1);
    if (offsets.size > 10_000) offsets.clear();
    offsets.set(place, found);
  }
  return found;
}

/**
 * "UTC−4", "UTC+5:30" or "UTC".
 *
 * @param {number} microseconds
 */
export function offsetText(microseconds) {
  const minutes = offsetMinutes(microseconds);
  if (!minutes) return "UTC";
  const rest = Math.abs(minutes) % 60;
  return `UTC${minutes < 0 ? "−" : "+"}${Math.floor(Math.abs(minutes) / 60)}${rest ? `:${String(rest).padStart(2, "0")}` : ""}`;
}

/** The name of the zone and its offset now: "Europe/Berlin, UTC+1". */
export function zoneTitle(microseconds = Date.now() * 1e3) {
  const now = offsetText(microseconds);
  return name === now ? name : `${name}, ${now}`;
}

/**
 * Whether the zone's clock shows this time twice, because it was set back. Only the offset tells the two apart.
 *
 * @param {number} microseconds
 */
export function isRepeated(microseconds) {
  const own = offsetMinutes(microseconds);
  return [-nearby, nearby].some((distance) => {
    const other = offsetMinutes(microseconds + distance);
    return other !== own && offsetMinutes(microseconds + (own - other) * minuteLength) === other;
  });
}

/**
 * What the zone's clock shows: "2026-11-27T14:05:09", as a field of a date and time has it.
 *
 * @param {number} microseconds
 */
export function clockText(microseconds) {
  return new Date(Math.floor((microseconds + offsetMinutes(microseconds) * minuteLength) / 1e3)).toISOString().slice(0, 19);
}

/**
 * The times at which the zone's clock shows a text, in microseconds since 1970: one, or two where it was set back. A text
 * that the clock passed over is taken as if it had not been set forward. None for a text that is no time.
 *
 * @param {string} text
 */
export function timesOf(text) {
  const shown = Date.parse(`${text}Z`) * 1e3;
  if (Number.isNaN(shown)) return [];
  const around = [...new Set([-86400e6, 86400e6].map((distance) => offsetMinutes(shown + distance)))];
  const found = around.map((minutes) => ({ minutes, time: shown - minutes * minuteLength }));
  const real = found.filter(({ minutes, time }) => offsetMinutes(time) === minutes);
  return (real.length ? real : found.slice(0, 1)).map(({ time }) => time).sort((one, other) => one - other);
}

/**
 * A time in ISO 8601 with microseconds and the zone's offset: "2026-11-27T14:05:09.000123+01:00", and with "Z" in UTC.
 *
 * @param {number} microseconds
 */
export function isoTime(microseconds) {
  const whole = Math.floor(microseconds);
  const minutes = offsetMinutes(whole);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const size = Math.abs(minutes);
  const end = minutes ? `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}` : "Z";
  return `${clockText(whole)}.${String(((whole % 1e6) + 1e6) % 1e6).padStart(6, "0")}${end}`;
}
