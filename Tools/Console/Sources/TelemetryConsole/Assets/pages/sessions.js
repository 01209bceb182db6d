// @ts-check
// The list of sessions, newest first, with search and live updates.

import { replaceAddress } from "../lib/address.js";
import { get } from "../lib/api.js";
import { announce, h, icon, replace, svg, update, updateList } from "../parts/dom.js";
import { filled } from "../parts/loading.js";
import { exportButton } from "../parts/export.js";
import { facetButton } from "../parts/facets.js";
import { ago, count, date, duration, plural, time } from "../shared/format.js";
import { moveFocus } from "../parts/keys.js";
import { badges, emptyPage, foundElsewhere, howToSend, listFailure, listHead, searchedBack, searchField, searchNote, sortedRows, sortNote, toggleChip } from "../parts/components.js";
import { recorderBadge } from "../parts/recorder.js";
import { addressParameters, readAddress, timeParameters, timePicker } from "../parts/time-range.js";
import { triggerNames, triggerTitle } from "../shared/triggers.js";
import { every } from "../lib/updates.js";

const covers = "The search covers session ids, devices, and the names, bodies and attributes of records. attribute=value matches the start of a value. The id of a trace, span or device finds its sessions.";

const facets = [["service.name", "App"], ["service.version", "App version"], ["os.version", "System version"], ["device.model.identifier", "Device model"]];
/** Whether the flight recorder sent sessions, and why. */
const promotions = [["", "Sampled or promoted"], ["false", "Not promoted"], ["true", "Promoted"], ...triggerNames.map((name) => [name, `Promoted: ${triggerTitle(name).toLowerCase()}`])];
const columns = [["Started", "start"], ["Device", "device"], ["Screens"], ["Activity"], ["Requests", "requests"], ["Errors", "errors"], ["Duration", "duration", "end"]];
const sortKeys = { start: (it) => it.startUs, device: (it) => deviceName(it.device), requests: (it) => it.requests, errors: (it) => it.crashes * 1e6 + it.errors, duration: (it) => it.endUs - it.startUs };

export function sessionsPage(root, context) {
  readAddress();
  const query = new URLSearchParams(location.search);
  const filter = { q: query.get("q") ?? "", service: query.get("service") ?? "", errors: query.get("errors") === "true", promoted: query.get("promoted") ?? "" };
  let sort = query.get("sort") ?? "";
  /** Of the last `load`; an answer to an earlier one is not shown. */
  let abort = new AbortController();
  const picker = timePicker(() => change({}), { isList: true });
  const search = searchField("Search sessions", filter.q, (text) => change({ q: text.trim() }));
  const chips = h("div", { class: "chips" });
  const body = h("div", { class: "list sessions", role: "group", "aria-label": "Sessions" });
  const note = h("div", {});
  const sorting = h("div", {});
  const facetMenu = facetButton({ query: "count of sessions", fields: facets, text: () => filter.q, onSearch: (text) => { search.input.value = text; change({ q: text }); } });
  const rows = new Map();
  const known = new Map();
  let next;
  let cursor = 0;
  /** The last page of the list, which says how far the search came. */
  let foundBefore;

  document.title = "Sessions · Astrolabe";
  replace(root,
    h("header", { class: "page-head" }, h("h1", {}, "Sessions"), h("div", { class: "spacer" }), search.element, chips, facetMenu, exportButton("sessions", shownSessions), picker.element),
    note, sorting, body);

  function change(part) {
    Object.assign(filter, part);
    const parameters = new URLSearchParams(addressParameters());
    for (const [name, value] of Object.entries({ ...filter, sort })) if (value) parameters.set(name, String(value));
    replaceAddress(`/sessions${parameters.size ? `?${parameters}` : ""}`);
    dispatchEvent(new Event("filterchange"));
    load();
  }

  function showAll() {
    search.input.value = "";
    change({ q: "", service: "", errors: false, promoted: "" });
  }

  /** A device may have a trigger of its own, which an address can name. */
  function choices() {
    return promotions.some(([value]) => value === filter.promoted) ? promotions : [...promotions, [filter.promoted, `Promoted: ${filter.promoted}`]];
  }

  function drawChips() {
    update(chips,
      toggleChip("With errors", filter.errors, () => change({ errors: !filter.errors })),
      h("select", { class: "chip", "aria-label": "Flight recorder", onchange: (event) => change({ promoted: event.target.value }) },
        choices().map(([value, title]) => h("option", { value, selected: value === filter.promoted }, title))),
      filter.service ? toggleChip(`${filter.service} ×`, true, () => change({ service: "" })) : null);
  }

  async function load() {
    abort.abort();
    abort = new AbortController();
    drawChips();
    replace(note, searchNote(filter.q, covers));
    await filled(body, "Loading the sessions", async () => {
      const page = await get("sessions", { ...filter, ...timeParameters(), limit: 50 }, abort.signal);
      rows.clear();
      known.clear();
      cursor = page.cursor;
      show(page, []);
      if (filter.q) announce(`${page.sessions.length}${page.next ? " or more" : ""} sessions found`);
    }, { fail: (error) => listFailure(error, load, covers) });
  }

  function show(page, before) {
    next = page.next;
    const sessions = [...before, ...page.sessions];
    if (!sessions.length && !next) {
      const isFiltered = filter.q || filter.service || filter.errors || filter.promoted || timeParameters().fromUs;
      replace(body, isFiltered
        ? emptyPage("No session matches", covers, foundElsewhere(page.found),
          h("button", { type: "button", onclick: showAll }, "Show all sessions"))
        : howToSend("Waiting for the first session",
          "Send telemetry from an app or any OpenTelemetry SDK to this console. A session appears with the first record that has session.id.",
          context.otherSections()));
      return;
    }
    for (const session of page.sessions) { rows.set(session.id, sessionRow(session)); known.set(session.id, session); }
    foundBefore = page;
    draw({ isAsked: true });
  }

  function draw({ isAsked = false } = {}) {
    update(sorting, sortNote(sort, rows.size, next));
    updateList(body, {
      head: sessionHead(sort, (chosen) => { sort = chosen; change({}); }), rows: sortedSessions().map(({ id }) => rows.get(id)),
      foot: more(foundBefore), isAsked,
    });
    for (const row of body.querySelectorAll("[data-session]")) rows.set(row.dataset.session, row);
  }

  function sortedSessions() {
    return sortedRows([...known.values()].sort((one, other) => other.startUs - one.startUs), sort, sortKeys);
  }

  /** The sessions of the list, without their small charts. */
  function shownSessions() {
    return [{ rows: sortedSessions().map(({ activity: _activity, activityErrors: _errors, ...session }) => session) }];
  }

  function more(page) {
    if (!next) return null;
    return h("div", { class: "more" },
      foundElsewhere(page.found), page.complete ? null : searchedBack(next),
      h("button", { type: "button", onclick: loadMore }, page.complete ? "Older sessions" : "Search further back"));
  }

  async function loadMore(event) {
    event.target.disabled = true;
    try {
      show(await get("sessions", { ...filter, ...timeParameters(), cursor: next, limit: 50 }, abort.signal), [...rows.values()]);
    } catch (error) {
      if (error.name !== "AbortError") replace(body, listFailure(error, load, covers));
    }
  }

  async function refresh() {
    const page = await get("sessions", { ...filter, ...timeParameters(), since: cursor, limit: 200 }, abort.signal).catch(() => undefined);
    if (!page) return;
    cursor = page.cursor;
    if (!page.sessions.length) return;
    if (!rows.size) return load();
    for (const session of page.sessions) {
      const fresh = sessionRow(session);
      if (!rows.has(session.id)) fresh.classList.add("fresh");
      known.set(session.id, session);
      rows.set(session.id, fresh);
    }
    draw();
  }

  const stopListening = context.onLive(refresh);
  const stopClock = every(10_000, () => {
    for (const element of body.querySelectorAll("[data-ago]")) element.textContent = ago(Number(element.dataset.ago));
  });
  load();

  return {
    destroy() { abort.abort(); stopListening(); picker.destroy(); stopClock(); },
    keys: [
      { keys: ["j", "ArrowDown"], label: "Next session", run: () => moveFocus(body, ".entry", 1) },
      { keys: ["k", "ArrowUp"], label: "Previous session", run: () => moveFocus(body, ".entry", -1) },
      { keys: ["Enter"], label: "Open", run: () => body.querySelector(".entry")?.click() },
      { keys: ["e"], label: "Only with errors", run: () => change({ errors: !filter.errors }) },
      { keys: ["Escape"], label: "All sessions", run: showAll },
    ],
  };
}

/**
 * The head of a list of `sessionRow`. Without `onSort` it does not sort.
 *
 * @param {string} sort
 * @param {(chosen: string) => void} [onSort]
 */
export function sessionHead(sort = "", onSort) {
  return listHead(columns.map(([title, key, className]) => [title, onSort && key, className]), sort, onSort);
}

/** The best known name of a device. */
export function deviceName(device) {
  return device.modelName || device.modelIdentifier || device.manufacturer || device.service || "Unknown device";
}

export function sessionRow(session) {
  const { device } = session;
  const system = [device.systemName, device.systemVersion].filter(Boolean).join(" ");
  const app = [device.service, device.appVersion].filter(Boolean).join(" ");
  const length = session.endUs - session.startUs;
  const marks = [...badges(session), recorderBadge(session.triggers), session.replay ? h("span", { class: "replay-mark", title: "Has a replay" }, icon("play")) : null];
  return h(
    "a",
    { class: "entry", href: `/sessions/${encodeURIComponent(session.id)}`, "data-session": session.id, "data-start": session.startUs,
      "aria-label": sessionLabel(session) },
    h("div", { class: "two" },
      h("span", { "data-ago": session.startUs }, ago(session.startUs)),
      h("span", { class: "num" }, `${date(session.startUs)} ${time(session.startUs)}`)),
    h("div", { class: "two" },
      h("span", { class: "clip" }, deviceName(device), system ? h("span", { class: "faint" }, ` · ${system}`) : null),
      h("span", { class: "clip" }, app)),
    screenPath(session.screens),
    sparkline(session),
    h("div", { class: "two num" },
      h("span", {}, session.requests ? count(session.requests) : h("span", { class: "faint" }, "–")),
      h("span", { class: session.failedRequests ? "bad" : null }, session.failedRequests ? `${session.failedRequests} failed` : session.requests ? "none failed" : "")),
    h("div", { class: "marks" }, marks.some(Boolean) ? marks : h("span", { class: "faint" }, "")),
    h("span", { class: "end num muted" }, length > 0 ? duration(length * 1e3) : "–"),
  );
}

/** How many screens a label names. */
const namedScreens = 6;

/** Says what a row of a session shows. */
export function sessionLabel(session) {
  const { device, screens } = session;
  const system = [device.systemName, device.systemVersion].filter(Boolean).join(" ");
  const length = session.endUs - session.startUs;
  return [
    `Session on ${[deviceName(device), system, [device.service, device.appVersion].filter(Boolean).join(" ")].filter(Boolean).join(", ")}`,
    `started ${date(session.startUs)} ${time(session.startUs)}`, length > 0 ? `lasted ${duration(length * 1e3)}` : "",
    session.crashes ? plural(session.crashes, "crash", "crashes") : "", plural(session.errors, "error"),
    `${plural(session.requests, "request")}${session.failedRequests ? `, ${session.failedRequests} failed` : ""}`,
    screens.length ? `screens ${screens.slice(0, namedScreens).join(", ")}${screens.length > namedScreens ? ` and ${screens.length - namedScreens} more` : ""}` : "no screens",
    session.triggers.length ? `sent by the flight recorder: ${session.triggers.map(triggerTitle).join(", ")}` : "",
    session.replay ? "has a replay" : "",
  ].filter(Boolean).join("; ");
}

export function screenPath(screens) {
  if (!screens.length) return h("div", { class: "path faint" }, "no screens");
  return h("div", { class: "path", title: screens.join(" → ") },
    screens.map((screen, index) => [index ? h("i", { "aria-hidden": "true" }, "›") : null, h("span", {}, screen)]));
}

/** A bar chart of records over the session's time. The red part of a bar shows errors. */
function sparkline(session) {
  const width = 132;
  const height = 26;
  const step = width / session.activity.length;
  const highest = Math.max(...session.activity, 1);
  const bars = session.activity.flatMap((records, index) => {
    if (!records) return [];
    const errors = session.activityErrors[index];
    const size = Math.max(3, Math.sqrt(records / highest) * (height - 2));
    const red = errors ? Math.max(3, (errors / records) * size) : 0;
    const bar = (y, high, isBad) => svg("rect", { x: index * step + 0.5, y, width: Math.min(step - 1.2, 9), height: high, rx: 0.8, class: isBad ? "bad" : null });
    return [size > red ? bar(height - size, size - red, false) : null, red ? bar(height - red, red, true) : null];
  });
  return svg("svg", { class: "spark", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${session.spans + session.events} records` },
    svg("line", { x1: 0, x2: width, y1: height + 0.5, y2: height + 0.5 }), bars);
}
