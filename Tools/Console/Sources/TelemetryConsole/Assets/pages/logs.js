// @ts-check
// The list of log records and events of all services, newest first.

import { replaceAddress } from "../lib/address.js";
import { get } from "../lib/api.js";
import { announce, h, replace, update, updateList } from "../parts/dom.js";
import { filled } from "../parts/loading.js";
import { exportButton } from "../parts/export.js";
import { attribute, count, date, moment, time } from "../shared/format.js";
import { moveFocus } from "../parts/keys.js";
import { profileView, withoutStacks } from "../parts/profile.js";
import { attributeTable, emptyPage, foundElsewhere, howToSend, listFailure, searchField, searchNote, searchedBack, toggleChip } from "../parts/components.js";
import { frequentNames, patternsCover, severityCounts, showPatterns } from "../parts/log-patterns.js";
import { arrivalTag, flagsText, observedTag, scopeTag, timeTag } from "../parts/provenance.js";
import { tone } from "../parts/theme.js";
import { addressParameters, chooseTime, readAddress, timeParameters, timePicker } from "../parts/time-range.js";

const levels = [[9, "Info"], [13, "Warnings"], [17, "Errors"]];
const covers = "The search covers the names, bodies and attributes of records, and the ids of their traces, spans, sessions and devices.";

export function logsPage(root, context) {
  readAddress();
  const query = new URLSearchParams(location.search);
  const filter = { q: query.get("q") ?? "", service: query.get("service") ?? "", severity: Number(query.get("severity")) || "", view: query.get("view") === "patterns" ? "patterns" : "" };
  /** Of the last `load`; an answer to an earlier one is not shown. */
  let abort = new AbortController();
  const picker = timePicker(() => change({}), { isList: true });
  const search = searchField("Search logs", filter.q, (text) => change({ q: text.trim() }));
  const chips = h("div", { class: "chips", role: "group", "aria-label": "Severity at least" });
  const views = h("div", { class: "chips", role: "group", "aria-label": "View" });
  const names = h("div", { class: "chips log-names", role: "group", "aria-label": "Frequent names" });
  const note = h("div", {});
  const body = h("div", { class: "list logs", role: "group", "aria-label": "Log records" });
  const rows = new Map();
  const origins = new Map();
  const scopes = new Map();
  const known = new Map();
  let patterns = [];
  /** What the patterns are of. */
  let foldedFor = "";
  let next;
  let severities;

  replace(root,
    h("header", { class: "page-head" }, h("h1", {}, "Logs"), views, h("div", { class: "spacer" }), search.element, chips, exportButton("logs", shownRecords), picker.element),
    names, note, body);

  function change(part) {
    Object.assign(filter, part);
    const parameters = new URLSearchParams(addressParameters());
    for (const [name, value] of Object.entries(filter)) if (value) parameters.set(name, String(value));
    replaceAddress(`/logs${parameters.size ? `?${parameters}` : ""}`);
    dispatchEvent(new Event("filterchange"));
    load();
  }

  const showAll = () => { search.input.value = ""; chooseTime(); change({ q: "", service: "", severity: "" }); };

  async function fetchPage(cursor, { isAsked = true } = {}) {
    const { q, service, severity } = filter;
    const page = await get("logs", { q, service, severity, ...timeParameters(), cursor, limit: 100 }, abort.signal);
    for (const origin of page.origins) origins.set(origin.id, origin);
    for (const scope of page.scopes) scopes.set(scope.id, scope);
    for (const log of page.logs) known.set(log.seq, log);
    const fresh = new Map(page.logs.map((log) => [log.seq, rows.get(log.seq) ?? row(log)]));
    const before = cursor ? new Map(rows) : new Map();
    rows.clear();
    for (const [seq, element] of [...before, ...fresh]) rows.set(seq, element);
    for (const seq of known.keys()) if (!rows.has(seq)) known.delete(seq);
    next = page.next;
    draw(page, isAsked);
  }

  async function load() {
    abort.abort();
    abort = new AbortController();
    document.title = `${filter.view ? "Log patterns" : "Logs"} · Astrolabe`;
    drawSeverities();
    update(views, [["", "Records"], ["patterns", "Patterns"]].map(([view, title]) => toggleChip(title, filter.view === view, () => change({ view }))));
    replace(note, searchNote(filter.q, filter.view ? patternsCover : covers));
    drawNames();
    if (filter.view) { await loadPatterns(); return; }
    await filled(body, "Loading the records", async () => {
      await fetchPage();
      if (filter.q) announce(`${count(rows.size)}${next ? " or more" : ""} records found`);
    }, { fail: (error) => listFailure(error, load, covers) });
  }

  async function loadPatterns() {
    const asked = JSON.stringify(filter);
    if (!body.querySelector(".log-pattern")) { rows.clear(); replace(body); }
    await filled(body, "Folding the records", async () => { patterns = await showPatterns(body, filter, abort.signal); },
      { isRefresh: asked === foldedFor, fail: (error) => listFailure(error, load, patternsCover) });
    foldedFor = asked;
    if (asked !== JSON.stringify(filter)) await load();
  }

  /** Draws the severities, each with the number of records of it or above in this time. */
  async function drawSeverities() {
    const asked = JSON.stringify(filter);
    const drawChips = () => update(chips, levels.map(([severity, title]) =>
      toggleChip(title, filter.severity === severity, () => change({ severity: filter.severity === severity ? "" : severity }),
        severities && count(severities.reduce((sum, item) => sum + (item.severity >= severity ? item.count : 0), 0)))),
    filter.service ? toggleChip(`${filter.service} ×`, true, () => change({ service: "" })) : null);
    drawChips();
    const found = await severityCounts(filter, abort.signal).catch(() => undefined);
    if (asked !== JSON.stringify(filter)) return;
    severities = found;
    drawChips();
  }

  /** The names that occur most often in this time, as searches. */
  async function drawNames() {
    const { signal } = abort;
    const found = await frequentNames(filter, signal).catch(() => []);
    if (!signal.aborted) update(names, found.map(({ name, count: records }) => toggleChip(name, filter.q === name, () => { search.input.value = filter.q === name ? "" : name; change({ q: search.input.value }); }, count(records))));
  }

  /** The records or patterns of the list. A record has its service, and its scope's name. */
  function shownRecords() {
    if (filter.view) return [{ rows: patterns.map(({ examples: _examples, ...pattern }) => pattern) }];
    return [{ rows: [...rows.keys()].map((seq) => {
      const { origin, scope, seq: _seq, ...log } = known.get(seq);
      return { ...log, service: origins.get(origin)?.service ?? "", scope: scopes.get(scope)?.name ?? "" };
    }) }];
  }

  function draw(page, isAsked) {
    if (!rows.size && !next) {
      replace(body, filter.q || filter.service || filter.severity || timeParameters().fromUs
        ? emptyPage("No log record matches", covers, foundElsewhere(page.found), h("button", { type: "button", onclick: showAll }, "Show all log records"))
        : howToSend("Waiting for the first log record", "Send logs from an app or any OpenTelemetry SDK to this console. A record needs neither a trace nor a session."));
      return;
    }
    updateList(body, { rows: [...rows.values()], isAsked, foot: next
      ? h("div", { class: "more" }, foundElsewhere(page.found), page.complete ? null : searchedBack(next),
        h("button", { type: "button", onclick: () => fetchPage(next).catch(() => {}) }, page.complete ? "Older records" : "Search further back"))
      : null });
  }

  function row(log) {
    const service = origins.get(log.origin)?.service ?? "";
    const text = [log.name, log.body === undefined ? "" : attribute(log.body).text].filter(Boolean).join(" · ");
    const element = h("details", { class: `entry log-record ${log.error ? "severe" : ""}`, "data-key": log.seq },
      h("summary", {},
        h("span", { class: "num muted" }, h("span", { class: "log-date" }, `${date(log.timeUs)} `), time(log.timeUs)),
        h("span", { class: `status ${log.severity >= 17 ? "bad" : log.severity >= 13 ? "warn" : ""}` }, level(log)),
        h("span", { class: "clip" }, h("i", { class: "dot", style: { "--tone": tone(service) } }), " ", service),
        h("span", { class: "log-text clip" }, text || "(no text)")));
    element.addEventListener("toggle", () => {
      if (element.childElementCount === 1) element.append(details(log));
    });
    return element;
  }

  function details(log) {
    const origin = origins.get(log.origin);
    return h("div", { class: "log-details" },
      h("div", { class: "unfold-tools" },
        log.traceId ? h("a", { class: "link", href: `/traces/${log.traceId}${log.spanId ? `?span=${log.spanId}` : ""}` }, "Open in trace") : null,
        log.session ? h("a", { class: "link", href: `/sessions/${encodeURIComponent(log.session)}` }, "Open session") : null,
        h("span", { class: "tag" }, moment(log.timeUs)), arrivalTag(log), observedTag(log), timeTag(log),
        log.severity ? h("span", { class: "tag" }, `severity ${log.severity}`) : null,
        flagsText(log.flags) ? h("span", { class: "tag" }, flagsText(log.flags)) : null, scopeTag(scopes.get(log.scope))),
      log.body === undefined ? null : h("p", { class: "mono" }, attribute(log.body).text),
      profileView(log.attributes),
      h("h2", {}, "Attributes"), attributeTable(withoutStacks(log.attributes), "events"), h("h2", {}, "Resource"), attributeTable(origin?.attributes, "events"));
  }

  // Refresh only the first page, so that the list does not jump for a reader who loaded older records.
  const stopRecords = context.onLive(async () => { if (!filter.view && rows.size <= 100) await fetchPage(undefined, { isAsked: false }).catch(() => {}); });
  const stopCounts = context.onLive(async () => {
    if (filter.view) await loadPatterns();
    await drawSeverities();
  }, { spacing: 5_000 });
  load();

  return {
    destroy() { abort.abort(); stopRecords(); stopCounts(); picker.destroy(); },
    keys: [
      { keys: ["j", "ArrowDown"], label: "Next record", run: () => moveFocus(body, "summary", 1) },
      { keys: ["k", "ArrowUp"], label: "Previous record", run: () => moveFocus(body, "summary", -1) },
      { keys: ["Enter"], label: "Expand or collapse", run: () => body.querySelector("summary")?.click() },
      { keys: ["e"], label: "Only errors", run: () => change({ severity: filter.severity === 17 ? "" : 17 }) },
      { keys: ["p"], label: "Records or patterns", run: () => change({ view: filter.view ? "" : "patterns" }) },
      { keys: ["Escape"], label: "All records", run: () => { if (!leaveRecord()) showAll(); } },
    ],
  };
}

/** Moves the focus from what an unfolded record shows to the record. Returns whether it was there. */
function leaveRecord() {
  const focused = document.activeElement;
  /** @type {HTMLElement | null | undefined} */
  const summary = focused?.closest(".log-record[open]")?.querySelector("summary");
  if (!summary || summary === focused) return false;
  summary.focus();
  return true;
}

/** The severity in the sender's words, or OTLP's name of its number. */
function level({ severity, severityText }) {
  return severityText || (severity ? ["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"][Math.min(Math.floor((severity - 1) / 4), 5)] : "–");
}
