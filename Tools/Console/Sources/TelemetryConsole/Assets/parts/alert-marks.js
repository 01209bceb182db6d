// @ts-check
// The marks of fired and recovered alerts on charts over time.

import { get } from "../lib/api.js";
import { svg } from "./dom.js";
import { moment } from "../shared/format.js";

/** How long the list of alerts is used, in milliseconds. */
const freshness = 10_000;

/** @type {Promise<any[]> | undefined} */
let list;
let listedAt = 0;

/** The alerts with their changes. Empty if they cannot be read, because a chart is useful without them. */
export function alertStates() {
  if (!list || performance.now() - listedAt > freshness) {
    listedAt = performance.now();
    list = get("alerts").then(({ alerts }) => alerts).catch(() => []);
  }
  return list;
}

/**
 * Vertical lines with a triangle: filled for a firing, and hollow for its end.
 *
 * @param {{ timeUs: number, isEnd: boolean, words: string }[]} marks
 * @param {{ inner: any, x: (timeUs: number) => number }} place
 */
export function alertMarks(marks, { inner, x }) {
  return svg("g", { class: "alert-marks" }, marks.map(({ timeUs, isEnd, words }) => {
    const at = x(timeUs);
    return svg("g", { class: isEnd ? "recovered" : "fired" }, svg("title", {}, `${words}, ${moment(timeUs)}`),
      svg("line", { x1: at, x2: at, y1: inner.top, y2: inner.bottom }), svg("path", { d: `M${at - 4} ${inner.bottom}h8l-4 -7z` }));
  }));
}
