// @ts-check
// The changes of alerts that belong on a chart: those of alerts on the query that the chart shows.

import { join, split } from "./query-text.js";
import { quantity } from "../shared/format.js";

/** How many marks one chart has at most. The latest are shown. */
const markLimit = 40;

/**
 * A query without what an alert and a chart may say in different ways: its time, its steps, and the order of its groups.
 *
 * @param {string} query
 * @param {string} calculation
 */
function subject(query, calculation) {
  return join({ ...split(query), calculate: calculation, last: "", from: "", every: "", compare: "", order: "", limit: "" });
}

/**
 * The firings and recoveries within the time of an answer, newest first. A firing is at the time at which it happened.
 *
 * @param {any[]} alerts
 * @param {any} answer
 * @param {{ name: string, unit?: string }} calculation
 * @returns {{ timeUs: number, isEnd: boolean, words: string }[]}
 */
export function alertMarksOf(alerts, answer, calculation) {
  const shown = subject(answer.query ?? "", calculation.name);
  const marks = [];
  for (const { name, query, history } of alerts) {
    if (subject(query, split(query).calculate) !== shown) continue;
    for (const { state, group, value, timeUs, happenedUs } of history) {
      if (state !== "fired" && state !== "recovered") continue;
      const words = [`${name} ${state}`, group, value === undefined ? "" : quantity(value, calculation)].filter(Boolean).join(" · ");
      marks.push({ timeUs: state === "fired" ? (happenedUs ?? timeUs) : timeUs, isEnd: state === "recovered", words });
    }
  }
  return marks.filter(({ timeUs }) => timeUs >= answer.fromUs && timeUs < answer.toUs)
    .sort((one, other) => other.timeUs - one.timeUs).slice(0, markLimit);
}
