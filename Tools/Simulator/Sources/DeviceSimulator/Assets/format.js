// Formatting of numbers and times.

const grouped = new Intl.NumberFormat("en");

export function count(value) {
  return grouped.format(value ?? 0);
}

export function plural(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

export function bytes(value) {
  const units = ["B", "KiB", "MiB", "GiB"];
  let index = 0;
  let rest = value ?? 0;
  while (rest >= 1024 && index < units.length - 1) { rest /= 1024; index += 1; }
  return `${index === 0 || rest >= 100 ? Math.round(rest) : rest.toFixed(1)} ${units[index]}`;
}

export function seconds(value) {
  if (value < 1) return `${Math.round(value * 1000)} ms`;
  if (value < 90) return `${Number(value.toFixed(1))} s`;
  return `${Math.round(value / 60)} min`;
}

export function duration(nanoseconds) {
  if (nanoseconds < 1e6) return `${Math.round(nanoseconds / 1e3)} µs`;
  if (nanoseconds < 1e9) return `${Number((nanoseconds / 1e6).toFixed(nanoseconds < 1e7 ? 1 : 0))} ms`;
  return seconds(nanoseconds / 1e9);
}

/** Formats the time that has passed since a time in seconds since 1970. */
export function ago(time) {
  const passed = Math.max(Math.round(Date.now() / 1000 - time), 0);
  if (passed < 2) return "just now";
  if (passed < 60) return `${passed} s ago`;
  if (passed < 3600) return `${Math.floor(passed / 60)} min ago`;
  return `${Math.floor(passed / 3600)} h ago`;
}

const clock = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });

export function time(microseconds) {
  return clock.format(microseconds / 1e3);
}

export function percent(share) {
  const value = share * 100;
  return `${value === Math.round(value) ? value : Number(value.toFixed(1))} %`;
}
