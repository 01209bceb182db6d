// @ts-check
// The builder of a query: one row of parts for each clause, and the whole query as one line of text.

import { complete } from "./completion.js";
import { h, icon, replace } from "./dom.js";
import { giveFocusBack } from "./focus.js";
import { clauseAt, isUnfinished, items, join, split } from "../lib/query-text.js";

const datasets = [["spans", "Spans"], ["events", "Events and logs"], ["sessions", "Sessions"], ["issues", "Crashes and hangs"], ["metrics", "Metric points"]];
const slots = [
  { clause: "calculate", label: "Calculate", separator: ",", hint: "count, p99(duration), heatmap(duration)…" },
  { clause: "by", label: "Group by", separator: ",", hint: "no groups" },
  { clause: "where", label: "Where", separator: "and", hint: "every record" },
];
const more = [
  { clause: "having", label: "Having", hint: "count > 100" },
  { clause: "order", label: "Order", hint: "first calculation, largest first" },
  { clause: "limit", label: "Limit", hint: "50" },
  { clause: "every", label: "Every", hint: "auto; 5m; total" },
  { clause: "with", label: "With", hint: "seconds = duration / 1s" },
];

/** Calls `onChange(parts)` when the user changed the query. */
export function queryBuilder(onChange) {
  let parts = split("count");
  let isTextShown = false;
  const problem = h("div", { class: "query-problem", role: "alert", id: "query-problem" });
  const text = h("input", { class: "query-line mono", type: "text", "aria-label": "Query as text", onkeydown: (event) => { if (event.key === "Enter") takeText(); }, onchange: () => takeText() });
  const textList = complete(text, (value, cursor) => ({ text: value, cursor }));
  const rows = h("div", { class: "builder-rows" });
  const dataset = h("select", { class: "dataset", "aria-label": "Records", onchange: () => change({ of: dataset.value === "spans" ? "" : dataset.value }) });
  const moreButton = h("button", { type: "button", class: "quiet", onclick: () => { isMoreShown = true; draw(); } }, "Order, limit, steps…");
  const textRow = h("div", { class: "slot-field" }, text, textList);
  const modes = h("button", { type: "button", class: "quiet", onclick: () => { isTextShown = !isTextShown; draw(); (isTextShown ? text : rows.querySelector("input"))?.focus(); } });
  const element = h("section", { class: "builder", "aria-label": "Query" }, rows, h("div", { class: "builder-foot" }, moreButton, modes, textRow), problem);
  let isMoreShown = false;
  /** What each clause is with the content of its field. */
  let written = {};

  const change = (part) => { parts = { ...parts, ...part }; draw(); onChange(parts); };
  function takeText() {
    if (text.value.trim() === join(parts)) return;
    change({ ...Object.fromEntries(Object.keys(parts).map((clause) => [clause, ""])), ...split(text.value) });
  }

  function draw() {
    text.value = join(parts);
    textRow.hidden = !isTextShown;
    replace(modes, isTextShown ? "Hide the text" : "Edit as text");
    const focused = rows.querySelector(":focus")?.dataset.clause;
    written = {};
    const others = more.filter(({ clause }) => isMoreShown || parts[clause]);
    replace(rows, slots.map(slotRow), others.length ? h("div", { class: "slot-line" }, others.map(plainSlot)) : null);
    replace(dataset, datasets.map(([value, title]) => h("option", { value, selected: value === (parts.of || "spans") }, title)));
    moreButton.hidden = others.length === more.length;
    if (focused) rows.querySelector(`[data-clause="${focused}"]`)?.focus();
  }

  /** A query for the records with a value for one clause, and where the cursor is in it. Mistakes elsewhere do not count. */
  function question(clause, before, value, cursor) {
    const mark = "\u0001";
    const marked = join({ of: parts.of, [clause]: before + value.slice(0, cursor) + mark + value.slice(cursor) });
    return { text: marked.replace(mark, ""), cursor: marked.indexOf(mark) };
  }

  function slotRow({ clause, label, separator, hint }) {
    const chips = items(parts[clause], separator);
    const glue = separator === "and" ? " and " : ", ";
    let edited;
    const input = h("input", { type: "text", "aria-label": `${label}: add`, "data-clause": clause, placeholder: chips.length ? "add…" : hint });
    const list = complete(input, (value, cursor) => question(clause, chips.length && edited === undefined ? chips.join(glue) + glue : chips.slice(0, edited).map((chip) => chip + glue).join(""), value, cursor));
    const commit = () => {
      const value = input.value.trim();
      if (edited === undefined && !value) return;
      // It stays in the field, where it can be finished.
      if (isUnfinished(clause, value)) return;
      change({ [clause]: whole() });
    };
    const whole = () => (edited === undefined ? [...chips, input.value.trim()] : chips.with(edited, input.value.trim())).filter(Boolean).join(glue);
    written[clause] = () => (edited === undefined && !input.value.trim() ? parts[clause] : whole());
    const edit = (index) => {
      edited = index;
      input.value = chips[index];
      box.children[index].replaceWith(h("span", { class: "edited" }));
      input.focus();
    };
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") commit();
      else if (event.key === "Backspace" && !input.value && chips.length && edited === undefined) { event.preventDefault(); edit(chips.length - 1); }
    });
    input.addEventListener("blur", ({ relatedTarget: next }) => {
      commit();
      // The field that gets the focus was drawn again.
      if (next instanceof HTMLElement && !next.isConnected) setTimeout(() => giveFocusBack(next));
    });
    const box = h("div", { class: "slot-field", onclick: (event) => { if (event.target === box) input.focus(); } },
      chips.map((chip, index) => h("span", { class: "part mono" },
        h("button", { type: "button", class: "part-text", title: "Edit", onclick: () => edit(index) }, chip),
        h("button", { type: "button", class: "part-remove", "aria-label": `Remove ${chip}`, onclick: () => change({ [clause]: chips.toSpliced(index, 1).join(glue) }) }, icon("close")))),
      input, list);
    return h("div", { class: `slot ${clause === "where" ? "wide" : ""}` }, h("span", { class: "slot-label" }, label), box);
  }

  function plainSlot({ clause, label, hint }) {
    const input = h("input", { type: "text", id: `slot-${clause}`, value: parts[clause], placeholder: hint, "data-clause": clause,
      onchange: () => change({ [clause]: input.value.trim() }), onkeydown: (event) => { if (event.key === "Enter") change({ [clause]: input.value.trim() }); } });
    const list = complete(input, (value, cursor) => question(clause, "", value, cursor));
    written[clause] = () => input.value.trim();
    return h("div", { class: "slot" }, h("label", { for: `slot-${clause}` }, label), h("div", { class: "slot-field" }, input, list));
  }

  /** Ties the message to the fields of a clause and to the text; to none if there is no message. */
  function markFaulty(clause) {
    for (const input of [text, ...rows.querySelectorAll("input")]) {
      const isFaulty = clause !== undefined && (input === text || input.dataset.clause === clause);
      input.setAttribute("aria-invalid", String(isFaulty));
      if (isFaulty) input.setAttribute("aria-describedby", problem.id); else input.removeAttribute("aria-describedby");
    }
  }

  return {
    element,
    dataset,
    show(shown) { parts = shown; draw(); },
    /** The query with what is typed and not yet a part of it, or undefined if there is nothing of the kind. */
    typed() {
      const taken = join(parts);
      const whole = text.value.trim() === taken ? join({ ...parts, ...Object.fromEntries(Object.entries(written).map(([clause, read]) => [clause, read()])) }) : text.value;
      return whole === taken ? undefined : whole;
    },
    /** Shows a query as text that is not taken yet. */
    type(whole) { isTextShown = true; draw(); text.value = whole; text.focus(); },
    /** Marks the place of an error in the text, or removes the mark. */
    fail(error, asked) {
      const clause = error?.column ? clauseAt(asked, error.column) : "";
      const isOwn = clause === "calculate" || Boolean(parts[clause]);
      markFaulty(error ? clause : undefined);
      replace(problem, error ? [h("p", {}, error.message),
        clause && !isOwn ? h("p", {}, "The query ends before it is complete. The page writes the time behind it.") : null,
        error.column ? h("pre", { class: "mono" }, asked.slice(0, error.column - 1), h("mark", {}, asked.slice(error.column - 1, error.column - 1 + Math.max(error.length ?? 1, 1)) || " "), asked.slice(error.column - 1 + Math.max(error.length ?? 1, 1))) : null,
        error.suggestions?.length ? h("p", { class: "faint" }, `Did you mean ${error.suggestions.join(", ")}?`) : null] : null);
    },
  };
}
