// @ts-check
// The records of a session on its timeline: what its replay shows, and how the overview lays them out.

import { offset } from "../shared/format.js";
import { countUpTo } from "./sorted.js";

/** The maximum number of marks of one kind on a track. Marks that are closer to each other are merged. */
const marksOfAKind = 200;

/**
 * A record of a session as the API gives it, and its moments: what happened, with a title.
 *
 * @typedef {any} Item
 * @typedef {{ at: number, title: string, to?: number }} Mark
 * @typedef {Mark & { widget?: string, point?: (number | undefined)[] }} Tap
 * @typedef {Mark & { from: number, to: number, seq: number }} Hang
 * @typedef {Mark & { seq: number, message: string }} Crash
 */

/** @type {(item: Item, name: string) => string} */
const text = (item, name) => (typeof item.attributes?.[name] === "string" ? item.attributes[name] : "");
/** @type {(item: Item, name: string) => number | undefined} */
const number = (item, name) => (typeof item.attributes?.[name] === "number" ? item.attributes[name] : undefined);

/** @param {Item[]} items */
export function momentsOf(items) {
  /** @type {Tap[]} */
  const taps = [];
  /** @type {Mark[]} */
  const screens = [];
  /** @type {Mark[]} */
  const errors = [];
  /** @type {Hang[]} */
  const hangs = [];
  /** @type {Crash[]} */
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
    /**
     * The last moment up to the given one, and the first moment after it; `undefined` if there is none.
     *
     * @param {number} moment
     * @returns {number | undefined}
     */
    before: (moment) => times[countUpTo(times, moment, Number) - 1],
    /** @type {(moment: number) => number | undefined} */
    after: (moment) => times[countUpTo(times, moment, Number)],
  };
}

/**
 * The marks of a track. The most important ones come last, so that they are drawn on top.
 *
 * @param {{ taps: Mark[], screens: Mark[], errors: Mark[], hangs: Mark[], crashes: Mark[] }} moments
 * @param {{ start: number, end: number }} frames
 */
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

/**
 * The visited screens. Each lasts until the next one.
 *
 * @param {Item[]} items
 */
export function screensOf(items) {
  /** @type {{ text: string, from: number }[]} */
  const visits = [];
  for (const item of items) {
    const screen = item.side === "device" ? text(item, "app.screen.name") : "";
    if (screen && screen !== visits.at(-1)?.text) visits.push({ text: screen, from: item.timeUs });
  }
  return visits;
}

/**
 * Distributes overlapping items over rows. Items share the last row if none is free.
 *
 * @param {Item[]} items In the order of their times.
 * @param {number} count The number of rows.
 * @returns {[item: Item, row: number][]}
 */
export function inRows(items, count) {
  const free = new Array(count).fill(-Infinity);
  return items.map((item) => {
    const end = item.timeUs + (item.durationNs ?? 0) / 1e3;
    let row = free.findIndex((moment) => moment <= item.timeUs);
    if (row < 0) row = count - 1;
    free[row] = Math.max(end, free[row]);
    return [item, row];
  });
}
