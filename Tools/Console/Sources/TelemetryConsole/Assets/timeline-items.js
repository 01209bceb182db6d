// The records of a session that its replay shows: taps, screens, errors, hangs and crashes.

import { offset } from "/assets/format.js";

/** The maximum number of marks of one kind on a track. Marks that are closer to each other are merged. */
const marksOfAKind = 200;

const text = (item, name) => (typeof item.attributes?.[name] === "string" ? item.attributes[name] : "");
const number = (item, name) => (typeof item.attributes?.[name] === "number" ? item.attributes[name] : undefined);

export function momentsOf(items) {
  const taps = [];
  const screens = [];
  const errors = [];
  const hangs = [];
  const crashes = [];
  let screen;
  for (const item of items) {
    const at = item.timeUs;
    const name = item.side === "device" ? text(item, "app.screen.name") : "";
    if (name && name !== screen) screens.push({ at, title: `screen ${screen = name}` });
    if (item.name === "app.widget.click") {
      const widget = text(item, "app.widget.id");
      taps.push({ at, widget, title: `tap on ${text(item, "app.widget.name") || widget || "a control"}` });
    } else if (item.name === "app.screen.click") {
      const point = [number(item, "app.screen.coordinate.x"), number(item, "app.screen.coordinate.y")];
      taps.push({ at, point: point.includes(undefined) ? undefined : point, title: "tap" });
    } else if (item.name === "astrolabe.hang") {
      hangs.push({ at, from: at, to: at + (item.durationNs ?? 0) / 1e3, seq: item.seq, title: "hang" });
    } else if (item.kind === "crash") {
      crashes.push({ at, seq: item.seq, message: text(item, "exception.message") || text(item, "exception.type"), title: "crash" });
    } else if (item.error) errors.push({ at, title: `error, ${item.name}` });
  }
  const times = Float64Array.from([...taps, ...screens, ...errors, ...hangs, ...crashes].map(({ at }) => at)).sort();
  return {
    taps, screens, errors, hangs, crashes,
    /** The last moment up to the given one, and the first moment after it. */
    before: (moment) => times[upperBound(times, moment) - 1],
    after: (moment) => times[upperBound(times, moment)],
  };
}

function upperBound(times, moment) {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= moment) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The marks of a track. The most important ones come last, so that they are drawn on top. */
export function marksOf({ taps, screens, errors, hangs, crashes }, frames) {
  const [start, end] = [frames.start, frames.end];
  const kinds = { screen: screens, tap: taps, error: errors, hang: hangs, crash: crashes };
  return Object.entries(kinds).flatMap(([kind, list]) => {
    const least = (end - start) / marksOfAKind;
    let last = -Infinity;
    return list.filter(({ at }) => {
      if (at - last < least && list.length > marksOfAKind) return false;
      last = at;
      return true;
    }).map((mark) => ({ kind, from: mark.at, to: mark.to, title: `${offset(mark.at - start)} ${mark.title}` }));
  });
}
