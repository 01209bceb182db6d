// @ts-check
// What a panel shows of a service level objective: the error budget that is left, its course, and burn rates.

import { arrivedNote } from "./arrived.js";
import { chart } from "./charts.js";
import { h } from "./dom.js";
import { budgetOf, burnRate, burnTimes, shareOf } from "../lib/objective.js";
import { count, measure, percent } from "../shared/format.js";

/** The height of the texts above the chart, in pixels. */
const textHeight = 100;

/**
 * @param {{ target: string, window?: string }} objective
 * @param {any[]} answers To `objectiveQueries`.
 * @param {number} height
 */
export function objectiveView(objective, [answer, ...burns], height) {
  const target = shareOf(objective.target);
  const { good, total, left, series } = budgetOf(answer, target);
  if (left === null) return [h("p", { class: "chart-empty faint" }, "No records in the time of the objective.")];
  const course = { ...answer, columns: [{ name: "ratio(of the error budget that is left)", unit: "1" }], rows: [{ key: [], values: [left], series }] };
  const note = arrivedNote(answer);
  const facts = `${percent(good, 4)} of ${count(total)} in ${objective.window ?? "28d"}, target ${percent(target, 4)}${note ? ` · ${note}` : ""}`;
  return [
    h("div", { class: "objective" },
      h("p", { class: left < 0 ? "objective-left bad" : "objective-left" }, h("b", { class: "value" }, percent(left)), " of the error budget left"),
      h("p", { class: "faint clip", title: facts }, facts),
      h("ul", { class: "objective-burns", "aria-label": "Burn rates" }, burns.map((burn, index) => {
        const rate = burnRate(burn, target);
        return h("li", { class: rate !== null && rate > 1 ? "bad" : "" }, rate === null ? "no records" : `${measure(Number(rate.toPrecision(2)))}× burn`, h("span", { class: "faint" }, ` in ${burnTimes[index]}`));
      }))),
    chart(course, { as: "line", hasTable: false, height: height - textHeight })];
}
