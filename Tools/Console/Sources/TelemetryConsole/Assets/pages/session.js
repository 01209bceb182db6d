// @ts-check
// One session: the records of phone and backend on one timeline, with the replay.

import { replaceAddress } from "../lib/address.js";
import { get } from "../lib/api.js";
import { conditionOf, isStrained, relateConditions } from "../parts/conditions.js";
import { copyButton, h, icon, replace, update } from "../parts/dom.js";
import { offerFocus } from "../parts/focus.js";
import { attribute, count, duration, moment, offset, time } from "../shared/format.js";
import { ledgerBar, ledgerFigure, ledgerLine, verdict } from "../parts/ledger.js";
import { VirtualList } from "../parts/list.js";
import { reasonOf, triggerOf } from "../lib/recorder.js";
import { SessionOverview } from "../parts/overview.js";
import { attributeTable, badges, searchField, toggleChip } from "../parts/components.js";
import { filledPage } from "../parts/loading.js";
import { arrivalTag, clockNotice, flagsText, observedTag, scopeTag, severityTag, timeTag } from "../parts/provenance.js";
import { lastUpTo, note, searchable, status, title } from "../parts/records.js";
import { promotionNotices } from "../parts/recorder.js";
import { ReplayPlayer } from "../parts/replay.js";
import { deviceName } from "./sessions.js";
import { healthEventOf, setHangDurations } from "../parts/health-events.js";

const pageSize = 2_000;
/** The maximum number of records that the page loads. Longer sessions show a notice. */
const recordLimit = 50_000;

/** @type {[name: string, title: string, test: (item: any) => boolean][]} */
const filters = [
  ["all", "All", () => true],
  ["view", "Views", (item) => item.kind === "view"],
  ["request", "Requests", (item) => item.kind === "request"],
  ["span", "Spans", (item) => item.kind === "span"],
  ["backend", "Backend", (item) => item.side === "backend"],
  ["event", "Events", (item) => item.kind === "event" || item.kind === "log" || item.kind === "crash"],
  ["condition", "Conditions", (item) => conditionOf(item) !== undefined],
  ["error", "Errors", (item) => item.failure],
  ["health", "Health", (item) => healthEventOf(item) !== undefined],
  ["crash", "Crashes", (item) => item.kind === "crash"],
  ["backend-error", "Backend errors", (item) => item.failure && item.side === "backend"],
  ["promoted", "Promoted", (item) => triggerOf(item) !== ""],
];

export function sessionPage(root, context, id) {
  const abort = new AbortController();
  /**
   * @type {{ session: any, items: any[], shown: any[], origins: Map<number, any>, scopes: Map<number, any>, shiftNs: number,
   *   cursor: number, filter: string, text: string, unfolded: Set<number>, asSent: Set<number>, ledger: any,
   *   isLedgerOpen: boolean, isCut: boolean, remembering?: ReturnType<typeof setTimeout> }}
   */
  const state = { session: undefined, items: [], shown: [], origins: new Map(), scopes: new Map(), shiftNs: 0, cursor: 0, filter: "all", text: "", unfolded: new Set(), asSent: new Set(), ledger: undefined, isLedgerOpen: false, isCut: false };
  const headline = h("div", {});
  const ledger = h("div", {});
  const chips = h("div", { class: "chips", role: "group", "aria-label": "Record types" });
  const search = searchField("Filter this session", "", (text) => { state.text = text.trim().toLowerCase(); apply(); });
  const overview = new SessionOverview((fraction) => jump(fraction));
  const player = new ReplayPlayer(id, { signal: abort.signal, onMoment: followReplay });
  const replayLine = h("div", {});
  /** Whether the replay is moving the selection, and whether the selection is moving the replay. */
  let isFollowing = false;
  let isLeading = false;
  const list = new VirtualList({
    label: "Timeline", role: "tree", rowHeight: 34, id: "moment",
    key: (item) => item.seq,
    isUnfolded: (item) => state.unfolded.has(item.seq),
    rowAttributes: (item) => ({ role: "treeitem", "aria-level": item.side === "backend" ? 2 : 1, "aria-expanded": String(state.unfolded.has(item.seq)), "aria-label": label(item) }),
    render: (item, index) => [row(item), state.unfolded.has(item.seq) ? details(item, index) : null],
    onActivate: (item, index) => toggle(item, index),
    onSelect: (item) => lead(item),
    onScroll: (first, last) => overview.setWindow(state.shown[first], state.shown[last]),
    activatesOnClick: true,
  });

  document.title = "Session · Astrolabe";
  const body = h("div", { class: "session-body" },
    h("div", { class: "session-main" }, ledger, replayLine, overview.element, h("div", { class: "toolbar" }, chips, h("div", { class: "spacer" }), search.element), list.element),
    player.element);
  replace(root, headline, body);

  function label(item) {
    return `${offset(item.timeUs - state.session.startUs)}, ${item.side === "backend" ? "backend" : "phone"}, ${item.kind} ${title(item)}${item.error ? ", error" : ""}`;
  }

  async function load() {
    await filledPage(root, "Loading the session", async () => {
      state.session = await get(`sessions/${encodeURIComponent(id)}`, {}, abort.signal);
      context.offerZone(state.session.device.timeZone);
      drawHead();
      let next;
      do {
        const page = await get(`sessions/${encodeURIComponent(id)}/timeline`, { cursor: next, limit: pageSize }, abort.signal);
        take(page);
        next = page.next;
        apply();
        state.isCut = Boolean(next) && state.items.length >= recordLimit;
      } while (next && !state.isCut);
      drawHead();
      await Promise.all([loadLedger(), loadReplay()]);
      const at = Number(new URLSearchParams(location.search).get("at"));
      if (at > 0) player.seek(Math.max(at, player.frames.start));
      offerFocus(list.element);
    }, { part: headline, retry: () => context.navigate(location.pathname, { replaceEntry: true }) });
  }

  function take(page) {
    for (const origin of page.origins) state.origins.set(origin.id, origin);
    for (const scope of page.scopes) state.scopes.set(scope.id, scope);
    moveBackend(page.backendShiftNs ?? 0);
    for (const item of page.items) {
      item.side = state.origins.get(item.origin)?.side ?? "backend";
      item.service = state.origins.get(item.origin)?.service ?? "";
      state.items.push(item);
    }
    markPassedOn(page.items);
    state.cursor = Math.max(state.cursor, page.cursor);
  }

  /** Marks that loaded spans only pass on the failures of children that arrived later. */
  function markPassedOn(items) {
    const parents = new Set(items.filter((item) => item.error && item.parentId && item.parentId !== item.spanId).map((item) => `${item.traceId} ${item.parentId}`));
    if (parents.size) for (const item of state.items) if (item.failure && parents.has(`${item.traceId} ${item.spanId}`)) item.failure = false;
  }

  /** Corrects the loaded records of the backend, if a later page knows the difference of the clocks better. */
  function moveBackend(shiftNs) {
    const by = Math.round((shiftNs - state.shiftNs) / 1e3);
    state.shiftNs = shiftNs;
    if (by) for (const item of state.items) if (item.side === "backend") item.timeUs += by;
  }

  const stopListening = context.onLive(async () => {
    if (!state.session || state.isCut) return;
    const [session, page] = await Promise.all([
      get(`sessions/${encodeURIComponent(id)}`, {}, abort.signal),
      get(`sessions/${encodeURIComponent(id)}/timeline`, { since: state.cursor, limit: 5_000 }, abort.signal),
    ]).catch(() => []);
    if (!session) return;
    await Promise.all([loadLedger(), session.cursor === state.session.cursor ? undefined : loadReplay(session)]);
    if (session.cursor === state.session.cursor) return;
    state.session = session;
    take(page);
    state.items.sort((a, b) => a.timeUs - b.timeUs || a.seq - b.seq);
    drawHead();
    apply();
  });

  function drawHead() {
    const { session } = state;
    const { device } = session;
    const system = [device.systemName, device.systemVersion].filter(Boolean).join(" ");
    const fact = (term, value, small) => value ? h("div", {}, h("dt", {}, term), h("dd", {}, value, small ? h("small", {}, ` ${small}`) : null)) : null;
    const [reason, more] = reasonOf(state.items) ?? [];
    document.title = `${deviceName(device)}, ${time(session.startUs)} · Astrolabe`;
    update(headline,
      h("header", { class: "page-head" },
        h("button", { class: "quiet", type: "button", "aria-label": "Back to sessions", onclick: () => context.goBack("/sessions") }, icon("back")),
        h("h1", {}, deviceName(device)), badges(session), h("div", { class: "spacer" }),
        h("span", { class: "tag clip" }, session.id), copyButton(session.id, "session id"),
        h("a", { class: "link", href: `/compare?${new URLSearchParams({ of: "sessions", b: session.id })}` }, "Compare")),
      h("dl", { class: "facts" },
        fact("App", device.service, device.appVersion), fact("System", system), fact("Model", device.modelIdentifier),
        fact("Started", moment(session.startUs)), fact("Length", duration((session.endUs - session.startUs) * 1e3)),
        fact("Requests", count(session.requests), session.failedRequests ? `${session.failedRequests} failed` : ""),
        fact("Records", count(session.spans + session.events), `in ${count(session.traces)} traces`),
        fact("Why it is here", reason, more),
        fact("Screens", session.screens.slice(0, 4).join(" › "), session.screens.length > 4 ? `+${session.screens.length - 4}` : "")),
      promotionNotices(state.items, session),
      state.shiftNs ? h("p", { class: "notice" }, clockNotice(state.shiftNs)) : null,
      session.trimmed ? h("p", { class: "notice" }, "Retention removed the oldest records of this session. The counts still include them.") : null,
      state.isCut ? h("p", { class: "notice" }, `Showing the first ${count(recordLimit)} records. Use the trace search to find others.`) : null);
  }

  /** Shows the replay, or explains how to record one. */
  async function loadReplay(session = state.session) {
    if (session.replay) await player.update().catch(() => {});
    player.setItems(state.items, session);
    body.classList.toggle("has-replay", !player.isEmpty);
    update(replayLine, !player.isEmpty || session.side !== "device" ? null
      : h("p", { class: "replay-line faint" }, "This session has no replay. To record one, set ", h("code", {}, "configuration.replay.isEnabled = true"), "."));
  }

  function lead(item) {
    if (isFollowing) return;
    isLeading = true;
    player.seek(item.timeUs);
    isLeading = false;
  }

  /** Moves the mark in the overview and the selection in the list along with the replay. */
  function followReplay(at, isPlaying) {
    overview.setMoment(at);
    if (!isPlaying) rememberMoment(at);
    if (isLeading) return;
    const index = lastUpTo(state.shown, at);
    if (index < 0 || state.shown[index].timeUs === state.shown[list.selected]?.timeUs) return;
    isFollowing = true;
    list.select(index, { scroll: false });
    list.reveal(index, { center: isPlaying });
    isFollowing = false;
  }

  /** Stores the moment in the URL, so that it can be shared. */
  function rememberMoment(at) {
    clearTimeout(state.remembering);
    state.remembering = setTimeout(() => {
      if (!abort.signal.aborted) replaceAddress(`${location.pathname}?at=${Math.round(at)}`);
    }, 300);
  }

  /** Loads the device's ledger for the time of the session. Ledger snapshots carry no session id. */
  async function loadLedger() {
    if (!state.session.device.installation) return;
    state.ledger = await get(`sessions/${encodeURIComponent(id)}/ledger`, {}, abort.signal).catch(() => state.ledger);
    drawLedger();
  }

  function drawLedger() {
    const { account, during } = state.ledger ?? {};
    const link = h("a", { class: "link", href: deviceLink(state.session) }, "Open device");
    if (!account) {
      return update(ledger, h("div", { class: "ledger-strip" },
        h("span", { class: "faint" }, "This device has not sent a ledger."), h("span", {}), h("span", {}), link));
    }
    const shown = during ?? account;
    const heading = during ? "Ledger of this session" : `Ledger of the device, ${seenFrom(account.timeUs, state.session.endUs, "end")}`;
    const isOpen = state.isLedgerOpen;
    const strip = h("button", { class: "ledger-strip", type: "button", "aria-expanded": String(isOpen), onclick: toggleLedger },
      isOpen
        ? [h("h2", {}, during ? "Ledger of the device during this session" : "Ledger of the device"),
          verdict(shown), h("span", { class: "muted" }, during ? `from ${seenFrom(during.fromUs, state.session.startUs, "start")} to ${seenFrom(during.timeUs, state.session.endUs, "end")}` : seenFrom(account.timeUs, state.session.endUs, "end"))]
        : [h("span", { class: "muted" }, heading), ledgerBar(shown), ledgerLine(shown), verdict(shown, { short: true })],
      icon("chevron"));
    update(ledger, strip, isOpen ? h("section", { class: "panel session-ledger", "aria-label": heading },
      ledgerFigure(shown),
      h("div", { class: "ledger-foot" },
        during ? [h("span", { class: "muted" }, "Since installation"), ledgerLine(account), verdict(account, { short: true })] : null,
        h("div", { class: "spacer" }), link)) : null);
  }

  function toggleLedger() {
    if (!state.ledger?.account) return;
    state.isLedgerOpen = !state.isLedgerOpen;
    drawLedger();
  }

  function drawChips() {
    update(chips, filters.map(([name, words, test]) => {
      const number = name === "all" ? state.items.length : state.items.reduce((sum, item) => sum + (test(item) ? 1 : 0), 0);
      if (!number && name !== "all" && name !== state.filter) return null;
      const chip = toggleChip(words, state.filter === name, () => { state.filter = name; apply(); }, count(number));
      chip.dataset.filter = name;
      return chip;
    }));
  }

  function apply() {
    // The keys of the filters also work while the session loads, and if there is no such session.
    if (!state.session) return;
    relateConditions(state.items);
    setHangDurations(state.items);
    const [, , test] = filters.find(([name]) => name === state.filter) ?? filters[0];
    state.shown = state.items.filter((item) => test(item) && (!state.text || searchable(item).includes(state.text)));
    drawChips();
    overview.setItems(state.items, state.session);
    list.setItems(state.shown);
    player.setItems(state.items, state.session);
  }

  function jump(fraction) {
    if (!state.session) return;
    const { startUs, endUs } = state.session;
    const at = startUs + fraction * Math.max(endUs - startUs, 1);
    if (!player.isEmpty) return player.seek(at);
    const index = state.shown.findIndex((item) => item.timeUs >= at);
    list.select(index < 0 ? state.shown.length - 1 : index, { scroll: false });
    if (list.selected >= 0) list.reveal(list.selected, { center: true });
  }

  function toggle(item, index) {
    if (!state.unfolded.delete(item.seq)) state.unfolded.add(item.seq);
    list.refresh(index);
    list.reveal(index);
  }

  function fold(isOpen) {
    const item = state.shown[list.selected];
    if (item && state.unfolded.has(item.seq) !== isOpen) toggle(item, list.selected);
  }

  function nextError(by) {
    for (let index = list.selected + by; index >= 0 && index < state.shown.length; index += by) {
      if (state.shown[index].error) return list.goTo(index);
    }
  }

  function openTrace() {
    const item = state.shown[list.selected];
    if (item?.traceId) context.navigate(traceLink(item));
  }

  function row(item) {
    const { startUs, endUs } = state.session;
    const length = Math.max(endUs - startUs, 1);
    const left = Math.min(Math.max(((item.timeUs - startUs) / length) * 100, 0), 100);
    const width = item.durationNs === undefined ? 0 : Math.min((item.durationNs / 1e3 / length) * 100, 100 - left);
    const isPoint = item.durationNs === undefined;
    const condition = conditionOf(item);
    const description = condition ?? healthEventOf(item);
    return h(
      "div", { class: `moment ${item.kind} ${item.side} ${item.error ? "error" : ""} ${condition ? `condition ${isStrained(item) ? "strained" : ""}` : ""}` },
      h("span", { class: "when" }, offset(item.timeUs - startUs)),
      h("span", { class: `lane ${item.side}` }, item.side === "backend" ? "Backend" : "Phone"),
      h("div", { class: "what" },
        h("span", { class: "kind", title: item.kind }, icon(description?.icon ?? item.kind)),
        status(item), item.severityText && item.kind === "log" ? h("span", { class: `status severity ${item.error ? "bad" : ""}` }, item.severityText) : null,
        h("span", { class: "name clip" }, title(item)), h("span", { class: "note clip" }, note(item))),
      h("div", { class: "track", "aria-hidden": "true" },
        h("i", { class: `${item.side} ${item.error ? "error" : ""} ${isPoint ? "point" : ""}`, style: { left: `${left}%`, ...(isPoint ? {} : { width: `${width}%` }) } }),
        isPoint ? null : h("span", { style: left + width > 70 ? { right: `${100 - left}%`, "padding-right": "8px" } : { left: `calc(${left + width}% + 8px)` } }, duration(item.durationNs))),
    );
  }

  function details(item, index) {
    const message = item.details?.message;
    const description = conditionOf(item) ?? healthEventOf(item);
    return h(
      "div", { class: "unfolded" },
      h("div", { class: "unfold-tools" },
        item.traceId ? h("a", { class: "link", href: traceLink(item) }, "Open in trace") : null,
        h("span", { class: "tag" }, item.service), description ? h("span", { class: "tag" }, item.name) : null,
        h("span", { class: "tag" }, moment(item.timeUs)),
        item.spanId ? h("span", { class: "tag" }, `span ${item.spanId}`) : null,
        severityTag(item), arrivalTag(item), observedTag(item), timeTag(item),
        flagsText(item.flags) ? h("span", { class: "tag" }, flagsText(item.flags)) : null,
        scopeTag(state.scopes.get(item.scope))),
      message ? h("p", { class: item.error ? "failure" : "" }, message) : null,
      item.body !== undefined && !description?.details ? h("p", { class: "mono" }, attribute(item.body).text) : null,
      description?.details?.(item),
      description ? asSent(item, index) : attributeTable(item.attributes, datasetOf(item)),
      (item.details?.events ?? []).map((event) => h("section", {}, h("h3", {}, `${event.name} at ${duration(event.offset)}`), attributeTable(event.attributes, "traces"))),
    );
  }

  /** The collapsed attributes of a record that has a description. */
  function asSent(item, index) {
    return h("details", { class: "as-sent", open: state.asSent.has(item.seq), ontoggle: ({ currentTarget: disclosure }) => {
      if (disclosure.open) state.asSent.add(item.seq); else state.asSent.delete(item.seq);
      if (disclosure.isConnected) list.measure(index);
    } }, h("summary", {}, "Raw attributes"), attributeTable(item.attributes, datasetOf(item)));
  }

  load();

  return {
    destroy() { abort.abort(); stopListening(); clearTimeout(state.remembering); list.destroy(); overview.destroy(); player.destroy(); },
    keys: [
      { keys: ["j", "ArrowDown"], label: "Next record", run: () => list.move(1) },
      { keys: ["k", "ArrowUp"], label: "Previous record", run: () => list.move(-1) },
      { keys: ["PageDown"], run: () => list.move(list.pageSize) },
      { keys: ["PageUp"], run: () => list.move(-list.pageSize) },
      { keys: ["Home"], run: () => list.goTo(0) },
      { keys: ["End"], run: () => list.goTo(state.shown.length - 1) },
      { keys: ["Enter"], label: "Expand or collapse", run: () => list.activate() },
      { keys: [" ", "p"], label: "Play or pause the replay", run: () => (player.isEmpty ? list.activate() : player.toggle()) },
      { keys: [","], label: "Replay: previous frame", run: () => player.frame(-1) },
      { keys: ["."], label: "Replay: next frame", run: () => player.frame(1) },
      { keys: ["ArrowRight"], run: () => fold(true) },
      { keys: ["ArrowLeft"], run: () => fold(false) },
      { keys: ["n"], label: "Next error", run: () => nextError(1) },
      { keys: ["N"], label: "Previous error", run: () => nextError(-1) },
      { keys: ["l"], label: "Show ledger", run: toggleLedger },
      { keys: ["d"], label: "Open device", run: () => { if (state.session?.device.installation) context.navigate(deviceLink(state.session)); } },
      { keys: ["o"], label: "Open trace", run: openTrace },
      // A key is one digit.
      ...filters.slice(0, 9).map(([name, words], index) => ({ keys: [String(index + 1)], label: index < 2 ? `Show ${words.toLowerCase()}` : undefined, run: () => { state.filter = name; apply(); } })),
      { keys: ["Escape"], label: "Back to sessions", run: () => context.goBack("/sessions") },
    ],
  };
}

/** Where queries find a record. Only spans have a duration or a parent. */
function datasetOf(item) {
  return ["event", "log", "crash"].includes(item.kind) ? "events" : "spans";
}

function traceLink(item) {
  return `/traces/${item.traceId}${item.spanId ? `?span=${item.spanId}` : ""}`;
}

function deviceLink(session) {
  return `/devices/${encodeURIComponent(session.device.installation)}`;
}

/** Formats when a snapshot was taken, relative to a moment of the session. */
function seenFrom(timeUs, momentUs, name) {
  const distance = timeUs - momentUs;
  if (Math.abs(distance) < 1e6) return `its ${name}`;
  return `${duration(Math.abs(distance) * 1e3)} ${distance < 0 ? "before" : "after"} its ${name}`;
}
