// @ts-check
// The parts of a chart that say how much has arrived of what phones recorded.

import { inequalityText, lastUnfinished, shareText, stepText } from "../lib/completeness.js";
import { svg } from "./dom.js";

/** The share of a step that has arrived; a dash if nothing is known of it. */
export function arrivedText(found) {
  return found ? `${shareText(found)}${found.running ? " so far" : ""}` : "–";
}

/** How much of the time of a number has arrived, if that is not all, and of the time that it is compared with. */
export function arrivedNote(answer) {
  const now = answer.completeness?.total;
  const before = answer.comparison?.completeness?.total;
  if (!now || now.share >= 0.99) return "";
  if (answer.comparison?.asOfUs !== undefined) return `${shareText(now)} arrived, compared at the same age`;
  return inequalityText(answer) ? `${shareText(now)} arrived, ${shareText(before)} of the time before` : `${shareText(now)} arrived`;
}

/** The number of the last step of which something is missing, above it. */
export function unfinishedMark(answer, { inner, center }) {
  const step = lastUnfinished(answer);
  if (step < 0) return null;
  return svg("text", { class: "tick unfinished-mark", x: Math.min(center(step), inner.right - 4), y: inner.top + 8, "text-anchor": "end" }, shareText(answer.completeness.steps[step]),
    svg("title", {}, stepText(answer, step)));
}
