// @ts-check
// The list of traces, newest first.

import { replaceAddress } from "../lib/address.js";
import { get } from "../lib/api.js";
import { announce, h, replace, update, updateList } from "../parts/dom.js";
import { filled } from "../parts/loading.js";
import { exportButton } from "../parts/export.js";
import { facetButton } from "../parts/facets.js";
import { ago, count, date, duration, plural, time } from "../shared/format.js";
import { moveFocus } from "../parts/keys.js";
import { badges, emptyPage, foundElsewhere, howToSend, listFailure, listHead, searchedBack, searchField, searchNote, sortedRows, sortNote, toggleChip } from "../parts/components.js";
import { addressParameters, readAddress, timeParameters, timePicker } from "../parts/time-range.js";
import { tone } from "../parts/theme.js";

const lengths = [["", "Any minimum"], ["100000", "At least 100 ms"], ["500000", "At least 500 ms"], ["1000000", "At least 1 s"], ["5000000", "At least 5 s"], ["30000000", "At least 30 s"]];
const bounds = [["", "Any maximum"], ...lengths.slice(1).map(([value, title]) => [value, title.replace("least", "most")])];
const facets = [["service.name", "Service"], ["service.version", "App version"], ["os.version", "System version"], ["http.route", "Route"], ["http.response.status_code", "Status code"]];
const columns = [["Started", "start"], ["Root", "name"], ["Services"], ["Duration", "duration"], ["Spans", "spans"], ["Errors", "errors"]];
const sortKeys = { start: (it) => it.startUs, name: (it) => it.name, duration: (it) => it.durationNs, spans: (it) => it.spans, errors: (it) => it.errors };
const covers = "The search covers the names and attributes of spans and log records. It also covers span events, links, scopes and resources. attribute=value matches the start of a value. The id of a trace, span, session or device finds its traces.";

export function tracesPage(root, context) {
  readAddress();
  const query = new URLSearchParams(location.search);
  const filter = { q: query.get("q") ?? "", service: query.get("service") ?? "", errors: query.get("errors") === "true", minUs: query.get("minUs") ?? "", maxUs: query.get("maxUs") ?? "" };
  let sort = query.get("sort") ?? "";
  /** Of the last `load`; an answer to an earlier one is not shown. */
  let abort = new AbortController();
  const picker = timePicker(() => change({}), { isList: true });
  const search = searchField("Search traces", filter.q, (text) => change({ q: text.trim() }));
  const chips = h("div", { class: "chips" });
  const body = h("div", { class: "list traces", role: "group", "aria-label": "Traces" });
  const note = h("div", {});
  const sorting = h("div", {});
  const facetMenu = facetButton({ query: "count_distinct(trace.id) of spans", fields: facets, text: () => filter.q, onSearch: (text) => { search.input.value = text; change({ q: text }); } });
  let traces = [];
  let next;
  let isComplete = true;
  let found;

  document.title = "Traces · Astrolabe";
  replace(root,
    h("header", { class: "page-head" }, h("h1", {}, "Traces"), h("div", { class: "spacer" }), search.element, chips, facetMenu, exportButton("traces", () => [{ rows: sortedRows(traces, sort, sortKeys) }]), picker.element),
    note, sorting, body);

  function change(part) {
    Object.assign(filter, part);
    const parameters = new URLSearchParams(addressParameters());
    if (Number(filter.maxUs) && Number(filter.maxUs) < Number(filter.minUs)) filter[part.maxUs ? "minUs" : "maxUs"] = "";
    for (const [name, value] of Object.entries({ ...filter, sort })) if (value) parameters.set(name, String(value));
    replaceAddress(`/traces${parameters.size ? `?${parameters}` : ""}`);
    dispatchEvent(new Event("filterchange"));
    load();
  }

  async function fetchPage(cursor, { isAsked = true } = {}) {
    const page = await get("traces", { ...filter, ...timeParameters(), cursor, limit: 50 }, abort.signal);
    traces = cursor ? [...traces, ...page.traces] : page.traces;
    next = page.next;
    isComplete = page.complete;
    found = page.found;
    draw(isAsked);
  }

  async function load() {
    abort.abort();
    abort = new AbortController();
    update(chips,
      durationSelect("Shortest duration", lengths, "minUs"), durationSelect("Longest duration", bounds, "maxUs"),
      toggleChip("With errors", filter.errors, () => change({ errors: !filter.errors })),
      filter.service ? toggleChip(`${filter.service} ×`, true, () => change({ service: "" })) : null);
    replace(note, searchNote(filter.q, covers));
    await filled(body, "Loading the traces", async () => {
      await fetchPage();
      if (filter.q) announce(`${count(traces.length)}${next ? " or more" : ""} traces found`);
    }, { fail: (error) => listFailure(error, load, covers) });
  }

  function durationSelect(label, options, name) {
    return h("select", { class: "chip", "aria-label": label, onchange: (event) => change({ [name]: event.target.value }) },
      options.map(([value, title]) => h("option", { value, selected: value === filter[name] }, title)));
  }

  function draw(isAsked) {
    update(sorting, sortNote(sort, traces.length, next));
    if (!traces.length && !next) {
      replace(body, filter.q || filter.service || filter.errors || filter.minUs || filter.maxUs || timeParameters().fromUs
        ? emptyPage("No trace matches", covers, foundElsewhere(found))
        : howToSend("Waiting for the first span", "Send telemetry from an app or any OpenTelemetry SDK to this console. A trace appears with its first span."));
      return;
    }
    const longest = Math.max(...traces.map((trace) => trace.durationNs), 1);
    const head = listHead(columns, sort, (chosen) => { sort = chosen; change({}); });
    const rows = sortedRows(traces, sort, sortKeys).map((trace) => row(trace, longest));
    updateList(body, { head, rows, isAsked, foot: next
      ? h("div", { class: "more" },
        foundElsewhere(found), isComplete ? null : searchedBack(next),
        h("button", { type: "button", onclick: () => fetchPage(next).catch(() => {}) }, isComplete ? "Older traces" : "Search further back"))
      : null });
  }

  // Refresh only the first page, so that the list does not jump for a reader who loaded older traces.
  const stopListening = context.onLive(async () => { if (traces.length <= 50) await fetchPage(undefined, { isAsked: false }).catch(() => {}); });
  load();

  return {
    destroy() { abort.abort(); stopListening(); picker.destroy(); },
    keys: [
      { keys: ["j", "ArrowDown"], label: "Next trace", run: () => moveFocus(body, ".entry", 1) },
      { keys: ["k", "ArrowUp"], label: "Previous trace", run: () => moveFocus(body, ".entry", -1) },
      { keys: ["Enter"], label: "Open", run: () => body.querySelector(".entry")?.click() },
      { keys: ["e"], label: "Only with errors", run: () => change({ errors: !filter.errors }) },
      { keys: ["Escape"], label: "All traces", run: () => { search.input.value = ""; change({ q: "", service: "", errors: false, minUs: "", maxUs: "" }); } },
    ],
  };
}

function row(trace, longest) {
  return h(
    "a", { class: "entry", href: `/traces/${trace.traceId}`, "data-trace": trace.traceId,
      "aria-label": `Trace ${trace.name}, ${duration(trace.durationNs)}, ${plural(trace.spans, "span")}, ${plural(trace.errors, "error")}` },
    h("div", { class: "two" },
      h("span", {}, ago(trace.startUs)), h("span", { class: "num" }, `${date(trace.startUs)} ${time(trace.startUs)}`)),
    h("div", { class: "two" },
      h("span", { class: "clip" }, trace.route && !trace.name.includes(trace.route) ? `${trace.name} ${trace.route}` : trace.name || "(no name)"),
      h("span", { class: "clip" }, h("span", { class: "tag" }, trace.traceId.slice(0, 16)),
        trace.sessions.length ? h("span", {}, " · in a session") : null, trace.hasRoot ? null : h("span", {}, " · root span missing"))),
    h("div", { class: "service-set" }, trace.services.map((service) =>
      h("span", {}, h("i", { class: "dot", style: { "--tone": tone(service) } }), service))),
    h("div", { class: "num" }, duration(trace.durationNs),
      h("div", { class: "durbar" }, h("i", { style: { width: `${Math.max((trace.durationNs / longest) * 100, 1)}%`, "--tone": tone(trace.service) } }))),
    h("span", { class: "num muted" }, count(trace.spans)),
    h("div", { class: "marks" }, badges({ crashes: 0, errors: trace.errors })),
  );
}
