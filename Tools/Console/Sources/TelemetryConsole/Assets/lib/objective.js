// @ts-check
// Service level objectives: what their panels ask, how much of an error budget is left, and how fast it burns.

import { both, equals, join, split } from "./query-text.js";

/** The times of which a panel shows the burn rate. */
export const burnTimes = ["1h", "6h", "3d"];

/**
 * A share that is written as `99.5%` or `0.995`.
 *
 * @param {string | number} text
 */
export function shareOf(text) {
  const written = String(text).trim();
  return written.endsWith("%") ? Number(written.slice(0, -1)) / 100 : Number(written);
}

/**
 * The queries of a panel: the objective's own time with its course, and then each of `burnTimes`.
 *
 * @param {{ query: string, window?: string }} objective
 * @param {[string, any][]} conditions
 */
export function objectiveQueries({ query, window = "28d" }, conditions) {
  const parts = split(query);
  for (const [field, value] of conditions) parts.where = both(parts.where, equals(field, value));
  return [`${join({ ...parts, calculate: `${parts.calculate}, count` })} last ${window}`, ...burnTimes.map((time) => `${join(parts)} last ${time} every total`)];
}

/**
 * The error budget at the end of each step and now: 1 if nothing of it is used up, and below 0 if the target is missed.
 *
 * @param {any} answer To the first of `objectiveQueries`.
 * @param {number} target
 * @returns {{ good: number | null, total: number, left: number | null, series: (number | null)[][] }}
 */
export function budgetOf(answer, target) {
  const [row] = answer.rows;
  const [good, total] = row?.values ?? [];
  if (typeof good !== "number" || !total) return { good: null, total: 0, left: null, series: (answer.stepsUs ?? []).map(() => [null]) };
  const budget = (1 - target) * total;
  let bad = 0;
  /** @type {any[][]} */
  const steps = row.series ?? [];
  const series = steps.map(([share, count]) => {
    if (typeof share === "number") bad += (1 - share) * count;
    return [1 - bad / budget];
  });
  return { good, total, left: 1 - (1 - good) / (1 - target), series };
}

/**
 * How much faster than allowed bad records come: 1 uses up the budget in exactly the objective's time.
 *
 * @param {any} answer To one of the `objectiveQueries` after the first.
 * @param {number} target
 * @returns {number | null} `null` without records.
 */
export function burnRate(answer, target) {
  const share = answer.rows[0]?.values[0];
  return typeof share === "number" ? (1 - share) / (1 - target) : null;
}
