// @ts-check
// Explore: a query, its charts and groups, and the records, traces and sessions behind every number.

import { takeDraft } from "../lib/access.js";
import { pushAddress, replaceAddress, withZone } from "../lib/address.js";
import { get } from "../lib/api.js";
import { loadBoard, saveBoard } from "../lib/board-api.js";
import { alertOn } from "../parts/alert-dialog.js";
import { boardChoices } from "../parts/board-choices.js";
import { forms } from "../parts/board-panel.js";
import { calculations, chart, csv, isChartInUse } from "../parts/charts.js";
import { differencesPanel } from "../parts/differences.js";
import { emptyPage, menuButton } from "../parts/components.js";
import { announce, copy, h, replace, toast, update } from "../parts/dom.js";
import { saveCSV, saveJSON } from "../parts/export.js";
import { formDialog } from "../parts/form-dialog.js";
import { filled, stale } from "../parts/loading.js";
import { count, plural } from "../shared/format.js";
import { queryBuilder } from "../parts/query-builder.js";
import { groupTable, linkTable, recordList } from "../parts/query-results.js";
import { both, equals, items, join, name, split } from "../lib/query-text.js";
import { choosePromoted, knowsPromoted, promotedChoice, promotedChoices } from "../lib/recorder.js";
import { addressParameters, chooseTime, isUntilNow, readAddress, takeTime, timeClauses, timePicker } from "../parts/time-range.js";

const historyKey = "astrolabe.queries";
/** Questions to start with: a title, a query, and a condition if its records are to be compared with the rest. */
const starts = [
  ["Slowest screens", "p95(duration), count by app.screen.name where view.lifecycle = body and app.screen.name exists"],
  ["Slow starts by device model", "p90(duration), count by device.model.identifier where name = \"app.start\" and astrolabe.start.type = cold"],
  ["Requests over time", "heatmap(duration), p99(duration) where kind = client"],
  ["Latency by route", "p50(duration), p95(duration), p99(duration) by http.route where kind = server and http.route exists"],
  ["Latency of the backends", "heatmap(duration) where kind = server"],
  ["Error rate by release", "ratio(where status = error), count by service.version where kind = client and device.model.identifier exists"],
  ["Failing requests by route", "count by http.route, service.name where http.response.status_code >= 500"],
  ["What failing requests have in common", "count where kind = client", "status = error"],
  ["Crashes by release", "count of issues by service.version"],
  ["Sessions without a crash by system", "ratio(where crashed = false), count of sessions by os.version"],
  ["Sessions by device model", "count of sessions by device.model.identifier"],
  ["This hour and the one before", "count, p95(duration) by service.name last 1h compare previous"],
];

export function explorePage(root, context) {
  readAddress();
  const address = new URLSearchParams(location.search);
  let parts = takeTime(split(address.get("q") ?? "count, p99(duration)"));
  let tab = address.get("tab") ?? "groups";
  /** A condition that is compared with the rest, and the box of a heatmap that it came from. */
  let selection = address.get("selection") ?? "";
  let box;
  let answer;
  let abort = new AbortController();
  const highlighted = new Set();

  // Another dataset has another condition for the same choice.
  const builder = queryBuilder((changed) => show(takeTime(changed.of === parts.of ? changed : { ...choosePromoted(changed, promotedChoice(changed)), raw: changed.raw })));
  const promoted = h("select", { class: "dataset", "aria-label": "Records of the flight recorder", onchange: () => show(choosePromoted(parts, promoted.value)) });
  const picker = timePicker(() => run({ isNewPlace: true }), { comparable: true });
  const status = h("p", { class: "result-line faint" });
  const figures = h("div", { class: "charts" });
  const tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "Result", onkeydown: tabPressed });
  const panel = h("div", { class: "tab-panel", role: "tabpanel", id: "result-panel" });
  const progress = h("div", { class: "query-progress", hidden: true });
  document.title = "Explore · Astrolabe";
  const body = h("div", { class: "explore-body" }, builder.element, status, figures, tabs, panel);

  replace(root,
    h("header", { class: "page-head" }, h("h1", {}, "Explore"), builder.dataset, promoted, h("div", { class: "spacer" }), menuButton("Queries", "clock", queryMenu), menuButton("Export", "export", exportMenu), picker.element),
    progress, body);

  // The query

  const text = ({ isPlain = false } = {}) => {
    const { having, order, limit, every, raw, with: derived, ...rest } = parts;
    return `${join({ ...rest, having, order, limit, every, raw, with: derived })}${parts.last || parts.from ? "" : ` ${timeClauses({ isPlain: isPlain || Boolean(parts.compare) })}`}`;
  };

  /** Another query for the same records: the same dataset, condition, derived fields and time. */
  const related = (changed) => {
    const { of, where, with: derived, arriving, last, from, raw } = parts;
    return `${join({ of, where, with: derived, arriving, last, from, raw, ...changed })}${last || from ? "" : ` ${timeClauses({ isPlain: true })}`}`;
  };

  function link(changes = {}) {
    const state = { q: join(parts), ...addressParameters(), ...(tab === "groups" ? {} : { tab }), ...(selection ? { selection } : {}), ...changes };
    return `/explore?${new URLSearchParams(state).toString().replaceAll("+", "%20")}`;
  }

  /** Shows another query, as a new place in the browser's history, so that its back button is undo. */
  function show(changed, { newTab = tab } = {}) {
    parts = changed;
    tab = newTab;
    selection = newTab === "differences" ? selection : "";
    box = newTab === "differences" ? box : undefined;
    run({ isNewPlace: true });
  }

  function start(query, chosen = "") {
    selection = chosen;
    show(takeTime(split(query)), { newTab: chosen ? "differences" : "groups" });
  }

  const addCondition = (condition) => show({ ...parts, where: both(parts.where, condition) });

  async function run({ isNewPlace = false, isRefresh = false } = {}) {
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    if (!isRefresh) {
      builder.show(parts);
      drawPromoted();
    }
    if (isNewPlace) pushAddress(link());
    const asked = text();
    const slow = setTimeout(() => { progress.hidden = false; }, 150);
    let isAnswered = false;
    await filled(figures, "Asking", async () => {
      const started = performance.now();
      answer = await get("query", { q: asked }, signal);
      isAnswered = true;
      builder.fail();
      remember(join(parts));
      update(status, `${plural(answer.matchedRecords, "record")} in ${Math.max(1, Math.round(performance.now() - started))} ms`,
        answer.completeness?.total.text ? ` · ${answer.completeness.total.text}` : "",
        answer.completenessUnknown && isUntilNow() ? h("span", { title: answer.completenessUnknown }, " · completeness is not known") : "",
        answer.warnings.map((warning) => h("span", { class: "warn" }, ` · ${warning}`)));
      if (!isRefresh) announce(status.textContent ?? "");
      drawCharts();
    }, { isRefresh, fail: (error) => {
      builder.fail(error, asked);
      replace(status, "");
      if (panel.children.length) stale(panel, before);
      return before;
    } });
    if (isAnswered) await drawPanel({ isRefresh });
    clearTimeout(slow);
    if (!signal.aborted) progress.hidden = true;
  }

  function drawPromoted() {
    promoted.hidden = !knowsPromoted(parts);
    replace(promoted, promotedChoices(parts).map(([value, title]) =>
      h("option", { value, selected: value === promotedChoice(parts) }, title)));
  }

  // Charts

  function drawCharts() {
    const all = calculations(answer);
    if (!answer.matchedRecords && !answer.rows.some((row) => row.comparison)) {
      replace(figures, emptyPage("No record matches", "Widen the time, remove a condition, or start with one of these questions.",
        h("div", { class: "chips" }, starts.map(([title, query, chosen]) => h("button", { type: "button", class: "chip", onclick: () => start(query, chosen) }, title)))));
      return;
    }
    replace(figures, all.map((calculation) => chart(answer, {
      column: calculation.index, height: all.length > 2 ? 170 : 220, highlighted, selected: box,
      onZoom: (fromUs, toUs) => chooseTime({ fromUs, toUs }),
      onBox: (chosen) => choose(boxCondition(calculation, chosen), chosen),
    })));
  }

  /** The condition for the records in a box of a heatmap. */
  function boxCondition(calculation, { fromUs, toUs, low, high }) {
    const operand = calculation.name.slice("heatmap(".length, -1);
    const written = (value) => (calculation.unit === "ns" ? `${Math.round(value / 1e3)}us` : String(Number(value.toPrecision(6))));
    return `time >= ${Math.round(fromUs)}us and time < ${Math.round(toUs)}us and ${operand} >= ${written(low)} and ${operand} < ${written(high)}`;
  }

  function choose(condition, chosen) {
    const isFromChart = figures.contains(document.activeElement);
    selection = condition;
    box = chosen;
    tab = "differences";
    pushAddress(link());
    drawCharts();
    drawPanel();
    // The chart that had the focus was drawn again.
    if (isFromChart) focusTab();
  }

  // Results

  /** The tab that the panel shows. */
  let shownTab = "";
  const before = "Below is the answer before. This query has an error.";
  const titles = { groups: "Groups", records: "Records", traces: "Traces", sessions: "Sessions", differences: "What is different?" };

  function tabNames() {
    return Object.keys(titles).filter((value) => !(value === "traces" && !["", "spans", "events"].includes(parts.of)) && !(value === "sessions" && parts.of === "sessions"));
  }

  function clearSelection() {
    if (!selection && !box) return;
    box = undefined;
    selection = "";
    tab = "groups";
    drawCharts();
    drawPanel();
  }

  function chooseTab(value) {
    tab = value;
    replaceAddress(link());
    drawPanel();
  }

  /** Chooses a tab for the keyboard, whose next Tab goes to what the tab shows. */
  function openTab(value) {
    chooseTab(value);
    focusTab();
  }

  function focusTab() {
    /** @type {HTMLElement | null} */ (tabs.querySelector("[aria-selected=true]"))?.focus({ preventScroll: true });
  }

  /** Arrow keys, Home and End choose another tab. */
  function tabPressed(event) {
    const all = tabNames();
    const index = all.indexOf(tab);
    const next = { ArrowRight: index + 1, ArrowLeft: index - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    openTab(all[next % all.length]);
  }

  async function drawPanel({ isRefresh = false } = {}) {
    if (!tabNames().includes(tab)) tab = "groups";
    document.title = `${tab === "groups" ? "" : `${titles[tab]} · `}Explore · Astrolabe`;
    panel.setAttribute("aria-labelledby", `tab-${tab}`);
    update(tabs, tabNames().map((value) => h("button", { type: "button", role: "tab", class: "tab", "data-key": value, id: `tab-${value}`, "aria-controls": "result-panel",
      "aria-selected": String(tab === value), tabindex: tab === value ? "0" : "-1", onclick: () => chooseTab(value) },
      titles[value], value === "groups" ? h("span", { class: "count" }, count(answer.rows.length)) : null)));
    const { signal } = abort;
    if (shownTab !== tab) replace(panel);
    shownTab = tab;
    panel.removeAttribute("data-stale");
    // The comparison has a head of its own, which asks for what is compared.
    if (tab === "differences") {
      if (!isRefresh) await differences(signal);
      return;
    }
    await filled(panel, `Loading: ${titles[tab].toLowerCase()}`, async () => {
      if (tab === "groups") update(panel, groupTable(answer, groupActions()));
      else if (tab === "records") await records(signal);
      else if (tab === "traces") await behind("trace.id", "count, max(duration), min(time)", "No record of the result belongs to a trace.", signal);
      else await behind("session.id", "count, min(time)", "No record of the result belongs to a session.", signal);
    }, { isRefresh, fail: (error) => h("p", { class: "notice bad" }, error.message) });
  }

  function groupActions() {
    return {
      sorted: (column) => show({ ...parts, order: parts.order === `${column} desc` ? `${column} asc` : `${column} desc` }),
      order: parts.order,
      only: (condition) => addCondition(condition),
      differ: (condition) => choose(condition),
      highlight: (index) => { if (index === undefined) highlighted.clear(); else highlighted.add(index); drawCharts(); },
    };
  }

  let order = "newest";

  async function records(signal) {
    const found = await get("query/records", { q: related({ calculate: "count" }), limit: 50, order }, signal);
    replace(panel, recordList(found, {
      order, orders: parts.of === "" || parts.of === "spans" ? ["newest", "slowest"] : ["newest"],
      sorted: (chosen) => { order = chosen; drawPanel(); },
      only: (field, value) => addCondition(equals(name(field), value)),
      not: (field, value) => addCondition(equals(name(field), value, { isNot: true })),
      has: (field) => addCondition(`${name(field)} exists`),
      group: (field) => show({ ...parts, by: [...new Set([...items(parts.by, ","), name(field)])].join(", ") }, { newTab: "groups" }),
    }));
  }

  async function behind(field, calculate, nothing, signal) {
    const where = both(parts.where, `${field} exists`);
    const found = await get("query", { q: related({ calculate, where, by: field, order: field === "trace.id" && parts.of !== "events" ? "max(duration) desc" : "count desc", limit: "50", every: "total" }), }, signal);
    update(panel, found.rows.length ? linkTable(found, field) : h("p", { class: "faint tab-note" }, nothing));
  }

  async function differences(signal) {
    await differencesPanel(panel, {
      selection, box, signal, query: related({ calculate: "count" }), dataset: parts.of || "spans",
      choose: (condition) => choose(condition),
      only: (condition) => addCondition(condition),
      select: () => addCondition(selection),
      group: (field) => show({ ...parts, by: [...new Set([...items(parts.by, ","), name(field)])].join(", ") }, { newTab: "groups" }),
    });
  }

  // Menus

  function remembered() {
    try { return JSON.parse(localStorage.getItem(historyKey) ?? "[]"); } catch { return []; }
  }

  function remember(query) {
    try { localStorage.setItem(historyKey, JSON.stringify([query, ...remembered().filter((other) => other !== query)].slice(0, 20))); } catch { /* no history is kept */ }
  }

  function queryMenu(close) {
    const entry = (title, query, chosen) => h("button", { type: "button", class: "menu-item", title: query, onclick: () => { close(); start(query, chosen); } }, h("span", { class: "clip" }, title));
    const recent = remembered();
    return h("div", { class: "menu-list query-menu" }, h("p", { class: "side-title" }, "Questions to start with"), starts.map((question) => entry(...question)),
      recent.length ? [h("p", { class: "side-title" }, "Recent"), recent.map((query) => entry(query, query))] : null);
  }

  function exportMenu(close) {
    const item = (title, act) => h("button", { type: "button", class: "menu-item", onclick: () => { close(); act(); } }, title);
    return h("div", { class: "menu-list" },
      item("Add to a board…", addToBoard),
      item("Alert on this…", () => alertOn(join(parts), { done: () => context.navigate("/alerts") })),
      item("Copy the link", () => copy(location.origin + withZone(link()), "the link")),
      item("Copy the query", () => copy(text(), "the query")),
      item("Copy the command", () => copy(`astrolabe query '${text().replaceAll("'", "'\\''")}'`, "the command")),
      item("Save as CSV", () => (answer ? saveCSV("query", csv(answer)) : nothing())),
      item("Save as JSON", () => (answer ? saveJSON("query", answer) : nothing())));
  }

  async function addToBoard() {
    const boards = await boardChoices();
    if (!boards) return;
    formDialog({
      title: "Add to a board", action: "Add",
      fields: [
        { name: "board", label: "Board", value: boards[0][0], choices: boards },
        { name: "title", label: "Title", value: "", required: true, maxlength: 120 },
        { name: "as", label: "Show as", value: parts.calculate.startsWith("heatmap(") ? "heatmap" : "line", choices: forms },
      ],
      submit: async ({ board, title, as }) => {
        const { board: stored, tag } = await loadBoard(board);
        // The board adds its own time.
        const query = join({ ...parts, last: "", from: "", compare: "" });
        await saveBoard(board, { board: { ...stored, panels: [...(stored.panels ?? []), { title, query, as, width: 6 }] }, tag });
        context.navigate(`/boards/${encodeURIComponent(board)}`);
      },
    });
  }

  const nothing = () => toast("There is no result to save.");

  // A result of the latest time follows the data, at most every five seconds, while the user does not work in it.
  const stopListening = context.onLive(async () => {
    const isBusy = box || isChartInUse() || root.contains(document.activeElement) && document.activeElement?.matches("input, select") || tab === "records"
      // The refresh would end what the reader has asked for, and not repeat it.
      || [figures, panel, panel.querySelector(".differences")].some((it) => it?.getAttribute("aria-busy") === "true");
    if (answer && !isBusy && isUntilNow()) await run({ isRefresh: true });
  }, { spacing: 5_000 });
  run();
  const kept = takeDraft();
  if (kept) builder.type(kept);

  return {
    destroy() { abort.abort(); stopListening(); picker.destroy(); },
    draft: () => builder.typed(),
    keys: [
      { keys: ["e"], label: "Edit the condition", run: () => builder.element.querySelector("[data-clause=where]")?.focus() },
      ...Object.entries(titles).map(([value, title], index) => ({ keys: [String(index + 1)], label: title, run: () => {
        if (tabNames().includes(value)) openTab(value);
      } })),
      { keys: ["Escape"], label: "Clear the selection", run: clearSelection },
    ],
  };
}
