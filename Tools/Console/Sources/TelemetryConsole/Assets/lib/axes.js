// @ts-check
// The ticks of charts: round values of an axis, round times, and logarithmic ones.

import { day, minute, nanoseconds, quantity, time } from "../shared/format.js";
import { clockText, offsetMinutes } from "../shared/zone.js";

/**
 * A column of an answer, and whether its values are whole numbers.
 *
 * @typedef {{ name: string, unit?: string, isWhole?: boolean }} Calculation
 */

/**
 * Round ticks from `low` to at least `high`, and where the axis ends.
 *
 * @param {number} low
 * @param {number} high
 * @param {Calculation} calculation
 * @param {number} wanted How many ticks there is room for.
 */
export function valueTicks(low, high, calculation, wanted) {
  if (high <= low) high = low + 1;
  const factor = nanoseconds[calculation.unit ?? ""];
  const scale = factor ? (Object.values(nanoseconds).findLast((unit) => unit <= high * factor) ?? 1) / factor : 1;
  const rough = (high - low) / scale / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const whole = calculation.unit === "1" && calculation.isWhole !== false && !calculation.name.startsWith("ratio") && high <= 4;
  const step = (whole ? 1 : ([1, 2, 2.5, 5].find((times) => times * power >= rough) ?? 10) * power) * scale;
  const ticks = [];
  for (let index = Math.floor(low / step); index * step < high + step * 0.999; index += 1) {
    const value = Number((index * step).toPrecision(12));
    ticks.push({ value, text: quantity(value, calculation) });
  }
  return { ticks, high: ticks[ticks.length - 1].value };
}

/**
 * The width in pixels that the longest text of these ticks needs beside a chart, and at least `least`.
 *
 * @param {{ text: string }[]} ticks
 * @param {number} least
 */
export function tickRoom(ticks, least) {
  return Math.max(least, ...ticks.map(({ text }) => text.length * 6 + 10));
}

/**
 * Ticks at powers of ten between two positive values.
 *
 * @param {number} low
 * @param {number} high
 * @param {Calculation} calculation
 * @param {number} wanted How many ticks there is room for.
 */
export function powerTicks(low, high, calculation, wanted) {
  const ticks = [];
  for (let power = Math.ceil(Math.log10(low)); 10 ** power <= high; power += 1) ticks.push({ value: 10 ** power, text: quantity(10 ** power, calculation) });
  const every = Math.max(1, Math.ceil(ticks.length / wanted));
  return ticks.filter((_, index) => index % every === 0);
}

const steps = [1, 5, 15, 30, 60, 300, 900, 1800, 3600, 3 * 3600, 6 * 3600, 12 * 3600, 86400, 2 * 86400, 7 * 86400, 30 * 86400, 365 * 86400].map((seconds) => seconds * 1e6);

/**
 * Times that are round in the chosen zone, between two times in microseconds.
 *
 * @param {number} fromUs
 * @param {number} toUs
 * @param {number} wanted How many ticks there is room for.
 */
export function timeTicks(fromUs, toUs, wanted) {
  const step = steps.find((length) => (toUs - fromUs) / length <= wanted) ?? steps[steps.length - 1];
  const offset = offsetMinutes(fromUs);
  const shift = -offset * 60e6;
  const ticks = [];
  for (let steady = Math.ceil((fromUs - shift) / step) * step + shift; steady <= toUs; steady += step) {
    // Steps of hours stay round over a change of the clock.
    const timeUs = step > 3600e6 ? steady + (offset - offsetMinutes(steady)) * 60e6 : steady;
    const isMidnight = clockText(timeUs).endsWith("T00:00:00");
    ticks.push({ timeUs, text: (step < 60e6 ? time : isMidnight || step >= 86400e6 ? day : minute)(timeUs) });
  }
  return ticks;
}
