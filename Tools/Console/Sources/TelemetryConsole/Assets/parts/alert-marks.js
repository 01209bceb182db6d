// @ts-check
// The marks of fired and recovered alerts on charts over time.

import { get, keptList } from "../lib/api.js";
import { svg } from "./dom.js";
import { moment } from "../shared/format.js";

/** How long the list of alerts is used, in milliseconds. */
const freshness = 10_000;

/** The alerts with their changes. */
export const alertStates = keptList(freshness, () => get("alerts").then(({ alerts }) => alerts));

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
