// @ts-check
// Two traces side by side: spans at the same place in the tree are one row, with both durations and their difference.

import { pushAddress } from "../lib/address.js";
import { get } from "../lib/api.js";
import { compareTabs } from "./compare-groups.js";
import { emptyPage, tableFrame } from "../parts/components.js";
import { h, icon, replace } from "../parts/dom.js";
import { filled } from "../parts/loading.js";
import { exportButton } from "../parts/export.js";
import { duration, moment, plural } from "../shared/format.js";
import { literal } from "../lib/query-text.js";
import { compared, nodeOf } from "../lib/trace-diff.js";
import { tone } from "../parts/theme.js";

/** The number of rows that are drawn. */
const rowLimit = 1000;

export function comparePage(root, context) {
  const address = new URLSearchParams(location.search);
  const abort = new AbortController();
  let [a, b] = [address.get("a") ?? "", address.get("b") ?? ""];
  const head = h("div", { class: "compare-head" });
  const body = h("div", {});
  let exported = [];

  document.title = "Compare traces · Astrolabe";
  replace(root,
    h("header", { class: "page-head" }, h("button", { class: "quiet", type: "button", "aria-label": "Back", onclick: back }, icon("back")), h("h1", {}, "Compare"), compareTabs("traces"), h("div", { class: "spacer" }), exportButton("compare", () => [{ rows: exported }])),
    h("div", { class: "explore-body compare" }, head, body));

  function back() {
    context.goBack(a ? `/traces/${a}` : "/traces");
  }

  function show(first, second) {
    [a, b] = [first, second];
    pushAddress(`/compare?${new URLSearchParams({ a, ...(b ? { b } : {}) })}`);
    load();
  }

  async function load() {
    if (!a) {
      replace(body, emptyPage("Choose a trace", "Open a trace and choose Compare.", h("a", { class: "link", href: "/traces" }, "Traces")));
      return;
    }
    await filled(body, "Loading the traces", async () => {
      const [one, other] = await Promise.all([get(`traces/${a}`, {}, abort.signal), b ? get(`traces/${b}`, {}, abort.signal) : undefined]);
      drawHead(one, other);
      const rows = other ? compared(one, other) : [];
      exported = rows.map((row) => ({ depth: row.depth, service: nodeOf(row).service, name: nodeOf(row).span.name,
        aDurationNs: row.a?.span.durationNs, bDurationNs: row.b?.span.durationNs, ownDifferenceNs: row.own }));
      if (other) replace(body, difference(rows, one, other));
      else await choose(one);
    }, { retry: load });
  }

  function drawHead(one, other) {
    const card = (title, trace, mark) => h("div", { class: `compare-card ${mark}` }, h("b", {}, title),
      trace ? [h("a", { class: "link clip", href: `/traces/${trace.traceId}` }, trace.spans[0]?.name ?? "Trace without spans"), h("span", { class: "num" }, duration(trace.durationNs)),
        h("span", { class: "faint num" }, `${plural(trace.spans.length, "span")} · ${moment(trace.startUs)}`)] : h("span", { class: "faint" }, "Choose a trace below"));
    replace(head, card("A", one, "first"), card("B", other, "second"),
      other ? h("div", { class: "chips" }, h("button", { type: "button", onclick: () => show(b, a) }, "Swap"), h("button", { type: "button", onclick: () => show(a, "") }, "Choose another")) : null);
  }

  /** Lists traces with the same root span, the slowest and the fastest. */
  async function choose(trace) {
    const lead = trace.spans[0];
    const service = trace.origins.find((origin) => origin.id === lead?.origin)?.service ?? "";
    const q = (order) => `max(duration), min(time) by trace.id where name = ${literal(lead?.name ?? "")} and service.name = ${literal(service)} and parent.id not exists order max(duration) ${order} limit 10 last 3650d every total`;
    const [slow, fast] = await Promise.all(["desc", "asc"].map((order) => get("query", { q: q(order) }, abort.signal)));
    const list = (title, answer) => h("section", {}, h("h2", {}, title), h("ul", { class: "compare-choices" }, answer.rows.filter((row) => !row.other && row.key[0] && row.key[0] !== a).map((row) =>
      h("li", {}, h("button", { type: "button", class: "menu-item", onclick: () => show(a, row.key[0]) }, h("b", { class: "num" }, duration(row.values[0])), h("span", { class: "muted num" }, moment(row.values[1] / 1e3)), h("span", { class: "mono faint clip" }, row.key[0]))))));
    replace(body, h("div", { class: "compare-lists" }, list(`Fastest ${lead?.name ?? ""}`, fast), list(`Slowest ${lead?.name ?? ""}`, slow)));
  }

  load();
  return {
    destroy() { abort.abort(); },
    keys: [{ keys: ["x"], label: "Swap the traces", run: () => { if (b) show(b, a); } }, { keys: ["Escape"], label: "Back", run: back }],
  };
}

function difference(rows, one, other) {
  const total = Math.max(one.durationNs, other.durationNs, 1);
  const slower = other.durationNs - one.durationNs;
  const causes = rows.filter((row) => row.own * slower > 0 && Math.abs(row.own) >= Math.abs(slower) / 20).toSorted((x, y) => Math.abs(y.own) - Math.abs(x.own)).slice(0, 3);
  const unpaired = (side) => rows.filter((row) => !row[side]).length;
  return [
    h("p", { class: "compare-summary" }, slower === 0 ? "Both took equally long. " : [h("b", {}, `B took ${duration(Math.abs(slower))} ${slower > 0 ? "longer" : "less"}`), causes.length ? ". Most of it: " : ". "],
      causes.map((row, index) => [index ? ", " : "", h("b", {}, nodeOf(row).span.name), ` ${signed(row.own)}`]), causes.length ? ` of ${causes.length === 1 ? "its" : "their"} own. ` : "",
      unpaired("b") ? `${plural(unpaired("b"), "span")} only in A. ` : "", unpaired("a") ? `${plural(unpaired("a"), "span")} only in B.` : ""),
    tableFrame("Spans of A and B", h("table", { class: "results plain compare-table" },
      h("thead", {}, h("tr", {}, ["Span", "A and B", "A", "B", "Difference", "Of its own"].map((title, index) => h("th", { scope: "col", class: index > 1 ? "end" : "" }, title)))),
      h("tbody", {}, rows.slice(0, rowLimit).map((row) => line(row, total, one, other))))),
    rows.length > rowLimit ? h("p", { class: "faint tab-note" }, `The first ${plural(rowLimit, "row")} of ${rows.length} are shown.`) : null,
  ];
}

function line(row, total, one, other) {
  const { span, service } = nodeOf(row);
  const bar = (node, mark) => (node ? h("i", { class: `${mark} ${node.span.error ? "error" : ""}`, style: { left: `${(node.span.offsetNs / total) * 100}%`, width: `${(node.span.durationNs / total) * 100}%` } }) : null);
  const time = (node, trace) => h("td", { class: `end num ${node?.span.error ? "bad" : ""}` }, node ? h("a", { class: "link-quiet", href: `/traces/${trace.traceId}?span=${node.span.spanId}` }, duration(node.span.durationNs)) : "–");
  const change = row.a && row.b ? row.b.span.durationNs - row.a.span.durationNs : undefined;
  return h("tr", { class: row.a && row.b ? "" : "unpaired" },
    h("th", { scope: "row", style: { "padding-left": `${10 + Math.min(row.depth, 24) * 14}px` } }, h("i", { class: "dot", style: { "--tone": tone(service) } }), span.name || "(no name)",
      row.a && row.b ? null : h("span", { class: "tag" }, ` only in ${row.a ? "A" : "B"}`)),
    h("td", { class: "compare-bars" }, h("div", {}, bar(row.a, "first"), bar(row.b, "second"))),
    time(row.a, one), time(row.b, other), h("td", { class: `end num ${weight(change, total)}` }, change === undefined ? "" : signed(change)),
    h("td", { class: `end num ${weight(row.own, total)}` }, signed(row.own)));
}

/** A difference of less than 2 % of the trace is no news. */
function weight(change, total) {
  if (change === undefined || Math.abs(change) < total / 50) return "faint";
  return change > 0 ? "slower" : "faster";
}

function signed(nanoseconds) {
  return nanoseconds === 0 ? "0" : `${nanoseconds > 0 ? "+" : "−"}${duration(Math.abs(nanoseconds))}`;
}
