// @ts-check
// What is different here? Ranks attributes by how much the selected records differ from the rest. Those that only one side
// has come after the others, and those that differ by chance are folded away.

import { get } from "../lib/api.js";
import { keyText } from "./charts.js";
import { complete } from "./completion.js";
import { h, replace } from "./dom.js";
import { filled } from "./loading.js";
import { count, decimalPercent, plural, quantity } from "../shared/format.js";
import { equals, fieldsOf, name } from "../lib/query-text.js";
import { largerThanChance, weightedByChance } from "../lib/significance.js";

const ideas = {
  spans: [["Failed", "status = error"], ["Slower than 1 s", "duration > 1s"], ["In sessions that crashed", "session.crashed = true"]],
  events: [["Errors", "severity >= 17"], ["In sessions that crashed", "session.crashed = true"]],
  sessions: [["Crashed", "crashed = true"], ["Hung", "hung = true"], ["With failed requests", "failed_requests > 0"], ["Converted", "converted = true"]],
  issues: [["Crashes", "kind = crash"]],
  metrics: [],
};

/** Shows the ranking for `selection`, or asks for a selection if it is empty. */
export async function differencesPanel(panel, { selection, box, signal, query, dataset, choose, only, select, group }) {
  const input = h("input", { type: "text", class: "mono", "aria-label": "Condition of the selection", value: box ? "" : selection,
    placeholder: box ? "The box in the heatmap" : "a condition, such as status = error", onchange: () => { if (input.value.trim()) choose(input.value.trim()); } });
  const list = complete(input, (value, cursor) => {
    const start = `count${dataset === "spans" ? "" : ` of ${dataset}`} where `;
    return { text: start + value, cursor: start.length + cursor };
  });
  const head = h("div", { class: "differences-head" },
    h("span", { class: "slot-label" }, "Selected"), h("div", { class: "slot-field" }, input, list),
    h("div", { class: "chips" }, (ideas[dataset] ?? []).map(([title, condition]) => h("button", { type: "button", class: "chip", "aria-pressed": String(selection === condition), onclick: () => choose(condition) }, title)),
      selection ? h("button", { type: "button", class: "chip", onclick: select }, "Only the selected records") : null));
  if (!selection) {
    replace(panel, head, h("p", { class: "tab-note muted" }, "Choose records: drag a box over a heatmap, or start and end it with Enter; click a group; or write a condition. All attributes are then ranked by how much these records differ from the rest, over all rows."));
    return;
  }
  const results = h("div", { class: "differences" });
  replace(panel, head, results);
  await filled(results, "Comparing all attributes of all records", () => rank(results, { selection, signal, query, only, group }), { fail: (error) => h("p", { class: "notice bad" }, error.message) });
}

async function rank(results, { selection, signal, query, only, group }) {
  const found = await get("query/differences", { q: query, selection }, signal);
  // The attributes that select the records set them apart by themselves.
  const selecting = fieldsOf(selection);
  const isShown = (attribute) => attribute.score > 0.005 && !selecting.has(attribute.field.replace(/^resource\./, ""));
  const all = [...found.attributes, ...found.presence].filter(isShown);
  const isLarger = largerThanChance(all.map((attribute) => byChance(attribute, found)));
  const real = new Set(all.filter((_, index) => isLarger[index]));
  const cards = (attributes, kind = "") => h("div", { class: `difference-cards ${kind}` }, attributes.map((attribute) => card(attribute, found, { only, group })));
  const [differing, one, chance] = [found.attributes.filter((it) => real.has(it)), found.presence.filter((it) => real.has(it)), all.filter((it) => !real.has(it))];
  const isCompared = found.selected > 0 && found.rest > 0;
  replace(results, h("p", { class: "tab-note muted" }, sides(found), found.warnings.map((warning) => h("span", { class: "warn" }, ` · ${warning}`))),
    differing.length ? cards(differing, "by-value") : isCompared ? h("p", { class: "tab-note" }, "No value of an attribute tells them apart by more than chance.") : null,
    one.length ? [h("h2", { class: "tab-note" }, "Missing on one side"), h("p", { class: "tab-note faint" }, "Whether a record has these attributes differs more than their values do."), cards(one, "by-presence")] : null,
    chance.length ? h("details", { class: "by-chance" }, h("summary", { class: "faint" }, `${plural(chance.length, "attribute")} that may differ by chance`), cards(chance)) : null,
    found.skipped.length ? h("p", { class: "tab-note faint" }, `Left out, because they have too many different values: ${found.skipped.join(", ")}.`) : null);
}

/** The probability that an attribute differs as much by chance, of its value that differs most among all that it has. */
function byChance({ values, valueCount }, { selected, rest, selectedSize, restSize }) {
  const [most] = values;
  const chance = weightedByChance({ part: most.selected, whole: selected, size: selectedSize }, { part: most.rest, whole: rest, size: restSize });
  return Math.min(1, chance * valueCount);
}

function sides({ selected, rest }) {
  if (!selected) return "No record is selected.";
  if (!rest) return "All records are selected, so there is nothing to compare them with.";
  return [h("i", { class: "dot selected" }), ` ${plural(Math.round(selected), "selected record")} and `, h("i", { class: "dot rest" }), ` ${count(Math.round(rest))} others`];
}

function card(attribute, { selected, rest }, { only, group }) {
  const values = attribute.values.slice(0, 6);
  const expression = name(attribute.field);
  return h("article", { class: "difference" },
    h("header", {}, h("h2", { class: "mono clip", title: attribute.field }, attribute.field), h("span", { class: "faint" }, decimalPercent(attribute.score, 0)),
      h("button", { type: "button", class: "quiet", onclick: () => group(attribute.field) }, "Group by")),
    values.map((value) => {
      const [inside, outside] = [value.selected / selected, value.rest / rest];
      const text = valueText(value, attribute);
      const condition = value.low === undefined ? equals(expression, value.value) : `${expression} >= ${value.low} and ${expression} < ${value.high}`;
      return h("button", { type: "button", class: "difference-value", title: `${text}: ${percent(inside)} of the selected, ${percent(outside)} of the others. Click to filter.`, onclick: () => only(condition) },
        h("span", { class: "clip mono" }, text),
        h("span", { class: "pair", "aria-hidden": "true" }, h("i", { class: "selected", style: { width: `${inside * 100}%` } }), h("i", { class: "rest", style: { width: `${outside * 100}%` } })),
        h("span", { class: "num" }, percent(inside), h("small", { class: "faint" }, ` · ${percent(outside)}`)));
    }));
}

function valueText(value, attribute) {
  if (value.low !== undefined) return `${quantity(value.low, attribute)} – ${quantity(value.high, attribute)}`;
  return typeof value.value === "number" ? quantity(value.value, attribute) : keyText(value.value);
}

function percent(share) {
  return share > 0 && share < 0.005 ? "<1 %" : decimalPercent(share, 0);
}
