// @ts-check
// How much of what phones recorded has arrived, as words. The numbers come with an answer of /api/v1/query.

import { count, dayAndMinute, minute, moment, percent, plural, time } from "../shared/format.js";

/**
 * The completeness of a time. A time that is complete has its `share` alone.
 *
 * @typedef {{ share: number, estimated?: boolean, running?: boolean, pending?: number, holding?: number, dropped?: number, silent?: number, active?: number, reported?: number }} Completeness
 */

/** The share below which a step is drawn as unfinished. */
const finished = 0.99;
const minuteUs = 60e6;
const dayUs = 86_400e6;

/**
 * The completeness of a step that is not finished; `undefined` of one that is, or if nothing is known.
 *
 * @param {any} answer
 * @param {number} step
 * @returns {Completeness | undefined}
 */
export function unfinished(answer, step) {
  const found = answer.completeness?.steps?.[step];
  return found && (found.running || found.share < finished) ? found : undefined;
}

/**
 * The last step that is unfinished although its time has passed, or else the one that is running; -1 if there is none.
 *
 * @param {any} answer
 */
export function lastUnfinished(answer) {
  let running = -1;
  for (let step = (answer.stepsUs ?? []).length - 1; step >= 0; step -= 1) {
    const found = unfinished(answer, step);
    if (found && found.share < finished) {
      if (!found.running) return step;
      running = Math.max(running, step);
    }
  }
  return running;
}

/**
 * The share that has arrived: "87 %", or "≈ 87 %" if it is estimated. What is not complete is never 100 %.
 *
 * @param {Completeness} found
 */
export function shareText({ share, estimated }) {
  const text = percent(share < 1 ? Math.min(share, 0.999) : 1, share > 0.99 ? 3 : 2);
  return estimated ? `≈ ${text}` : text;
}

/**
 * A sentence without an end, such as "87 % of 08:00 to 09:00 has arrived; 41 phones hold 2,310 records".
 *
 * @param {Completeness} found
 * @param {number} fromUs
 * @param {number} toUs
 */
export function completenessText(found, fromUs, toUs) {
  const { share, estimated, running, pending = 0, holding = 0, silent = 0, dropped = 0, active, reported } = found;
  const clock = toUs - fromUs >= dayUs ? dayAndMinute : toUs - fromUs >= minuteUs ? minute : time;
  const span = running ? `the time since ${clock(fromUs)}` : `${clock(fromUs)} to ${clock(toUs)}`;
  const parts = [`${estimated ? "about " : ""}${shareText({ share })} of ${span} has arrived${estimated ? " (estimated)" : ""}`];
  if (pending) parts.push(`${plural(holding, "phone")} ${holding === 1 ? "holds" : "hold"} ${plural(pending, "record")}`);
  if (active !== undefined && reported !== undefined) parts.push(`${count(reported)} of ${plural(active, "active phone")} ${reported === 1 ? "has" : "have"} reported since`);
  if (estimated) parts.push(`${plural(silent, "phone")} ${silent === 1 ? "is" : "are"} silent since`);
  if (dropped) parts.push(`${plural(dropped, "record")} ${dropped === 1 ? "was" : "were"} dropped`);
  return parts.join("; ");
}

/** The difference of two shares up to which two times are compared at equal completeness, with room for rounding. */
const equal = 0.02 + 1e-9;

/**
 * A sentence about two times that are not equally complete; empty if they are.
 *
 * @param {any} answer
 */
export function inequalityText(answer) {
  const now = answer.completeness?.total;
  const before = answer.comparison?.completeness?.total;
  if (!now || !before || Math.abs(now.share - before.share) <= equal) return "";
  return `These times are not equally complete: ${shareText(before)} of A has arrived, and ${shareText(now)} of B.`;
}

/**
 * A sentence about two times that are not equally complete by now: how they are compared; empty if they are.
 *
 * @param {any} answer
 */
export function comparisonText(answer) {
  const { asOfUs, completeness } = answer.comparison ?? {};
  if (asOfUs === undefined) return inequalityText(answer);
  return `A is counted as it looked at ${moment(asOfUs)}, when it was as old as B is now: ${shareText(completeness.total)} of it had arrived, and ${shareText(answer.completeness.total)} of B has.`;
}

/**
 * The text about a step of an answer; empty if it is finished.
 *
 * @param {any} answer
 * @param {number} step
 */
export function stepText(answer, step) {
  const found = unfinished(answer, step);
  if (!found) return "";
  const fromUs = answer.stepsUs[step];
  const toUs = answer.stepsUs[step + 1] ?? answer.toUs;
  return completenessText(found, fromUs, toUs);
}

/**
 * The parts of a line, in the order of time: those whose steps are finished, and those that are not. Neighbours share
 * the point at which they meet.
 *
 * @param {any} answer
 * @param {(number | undefined)[]} values
 * @returns {{ isUnfinished: boolean, values: (number | undefined)[] }[]}
 */
export function lineParts(answer, values) {
  const open = values.map((_, step) => Boolean(unfinished(answer, step)));
  if (!open.includes(true)) return [{ isUnfinished: false, values }];
  return [
    { isUnfinished: false, values: values.map((value, step) => (open[step] ? undefined : value)) },
    { isUnfinished: true, values: values.map((value, step) => (open[step] || open[step - 1] || open[step + 1] ? value : undefined)) }];
}
