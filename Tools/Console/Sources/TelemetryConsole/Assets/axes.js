// The ticks of charts: round values of an axis, round times, and logarithmic ones.

import { nanoseconds, quantity } from "/assets/format.js";

const durations = [1, 1e3, 1e6, 1e9, 60e9, 3600e9, 86400e9];

/** Round ticks from `low` to at least `high`, and where the axis ends. */
export function valueTicks(low, high, calculation, wanted) {
  if (high <= low) high = low + 1;
  const factor = nanoseconds[calculation.unit];
  const scale = factor ? (durations.findLast((unit) => unit <= high * factor) ?? 1) / factor : 1;
  const rough = (high - low) / scale / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const whole = calculation.unit === "1" && calculation.isWhole !== false && !calculation.name.startsWith("ratio") && high <= 4;
  const step = (whole ? 1 : [1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) * power) * scale;
  const ticks = [];
  for (let index = Math.floor(low / step); index * step < high + step * 0.999; index += 1) {
    const value = Number((index * step).toPrecision(12));
    ticks.push({ value, text: quantity(value, calculation) });
  }
  return { ticks, high: ticks.at(-1).value };
}

/** Ticks at powers of ten between two positive values. */
export function powerTicks(low, high, calculation, wanted) {
  const ticks = [];
  for (let power = Math.ceil(Math.log10(low)); 10 ** power <= high; power += 1) ticks.push({ value: 10 ** power, text: quantity(10 ** power, calculation) });
  const every = Math.max(1, Math.ceil(ticks.length / wanted));
  return ticks.filter((_, index) => index % every === 0);
}

const steps = [1, 5, 15, 30, 60, 300, 900, 1800, 3600, 3 * 3600, 6 * 3600, 12 * 3600, 86400, 2 * 86400, 7 * 86400, 30 * 86400, 365 * 86400].map((seconds) => seconds * 1e6);
const second = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
const minute = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });

/** Round local times between two times in microseconds. */
export function timeTicks(fromUs, toUs, wanted) {
  const step = steps.find((length) => (toUs - fromUs) / length <= wanted) ?? steps.at(-1);
  const shift = new Date(fromUs / 1e3).getTimezoneOffset() * 60e6;
  const ticks = [];
  for (let timeUs = Math.ceil((fromUs - shift) / step) * step + shift; timeUs <= toUs; timeUs += step) {
    const date = new Date(timeUs / 1e3);
    const isMidnight = date.getHours() === 0 && date.getMinutes() === 0 && date.getSeconds() === 0;
    ticks.push({ timeUs, text: step < 60e6 ? second.format(date) : isMidnight || step >= 86400e6 ? day.format(date) : minute.format(date) });
  }
  return ticks;
}
