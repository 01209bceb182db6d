// @ts-check
// One trace as a waterfall: the spans, their durations, and the critical path.

import { replaceAddress } from "../lib/address.js";
import { get } from "../lib/api.js";
import { copyButton, h, icon, replace, update } from "../parts/dom.js";
import { offerFocus } from "../parts/focus.js";
import { count, duration, moment, plural } from "../shared/format.js";
import { triggerCause } from "../shared/triggers.js";
import { VirtualList } from "../parts/list.js";
import { triggerOf } from "../lib/recorder.js";
import { Minimap } from "../parts/minimap.js";
import { badges, searchField, toggleChip } from "../parts/components.js";
import { filledPage } from "../parts/loading.js";
import { SpanInspector } from "../parts/inspector.js";
import { timeFault } from "../parts/provenance.js";
import { tone } from "../parts/theme.js";

export function tracePage(root, context, id) {
  const abort = new AbortController();
  /**
   * @type {{ trace: any, folded: Set<any>, text: string, onlyCritical: boolean, view: { from: number, to: number },
   *   shown: any[] }}
   */
  const state = { trace: undefined, folded: new Set(), text: "", onlyCritical: false, view: { from: 0, to: 1 }, shown: [] };
  const headline = h("div", {});
  const search = searchField("Find a span", "", (text) => { state.text = text.trim().toLowerCase(); apply(); });
  const legend = h("div", { class: "legend" });
  const choices = h("div", { class: "chips" });
  const toolbar = h("div", { class: "toolbar" }, legend, h("div", { class: "spacer" }), choices, search.element);
  const minimap = new Minimap((view) => { state.view = view; drawAxis(); list.redraw(); });
  const axis = h("div", { class: "axis", "aria-hidden": "true" });
  const inspector = new SpanInspector({ onClose: () => list.element.focus(), onSpan: (spanID) => selectSpan(spanID) });
  const list = new VirtualList({
    label: "Spans", role: "treegrid", rowHeight: 28, id: "span",
    key: (span) => span.key,
    rowAttributes: (span) => ({
      role: "row", "aria-level": span.depth + 1, "aria-label": label(span),
      "aria-expanded": span.descendants ? String(!state.folded.has(span.key)) : undefined,
      class: `vrow ${isFaded(span) ? "faded" : ""}`,
    }),
    render: (span) => row(span),
    onSelect: (span) => selected(span),
    onActivate: (span) => { selected(span); inspector.show(); },
    activatesOnClick: true,
  });

  document.title = "Trace · Astrolabe";
  replace(root, headline, h("div", { class: "trace-frame" },
    h("section", { class: "waterfall", "aria-label": "Waterfall" }, minimap.element, axis, list.element), inspector.element));
  if (SpanInspector.startsHidden()) inspector.element.hidden = true;
  list.element.prepend(h("div", { class: "grid-lines", "aria-hidden": "true" }));

  async function load({ isRefresh = false } = {}) {
    await filledPage(root, "Loading the trace", async () => {
      const trace = await get(`traces/${id}`, {}, abort.signal);
      if (state.trace && trace.spans.length === state.trace.spans.length && trace.events.length === state.trace.events.length) return;
      state.trace = trace;
      prepare(trace);
      drawHead();
      minimap.setTrace(trace);
      drawAxis();
      apply();
    }, { part: headline, isRefresh, retry: () => context.navigate(location.pathname, { replaceEntry: true }) });
  }

  function prepare(trace) {
    const origins = new Map(trace.origins.map((origin) => [origin.id, origin]));
    const scopes = new Map(trace.scopes.map((scope) => [scope.id, scope]));
    const events = new Map();
    for (const event of trace.events) {
      event.origin = origins.get(event.origin);
      if (event.spanId) events.set(event.spanId, [...(events.get(event.spanId) ?? []), event]);
    }
    const sides = new Map();
    for (const span of trace.spans) {
      // The two sides of a call may share an id.
      const side = (sides.get(span.spanId) ?? 0) + 1;
      sides.set(span.spanId, side);
      span.key = side === 1 ? span.spanId : `${span.spanId}.${side}`;
      span.originFacts = origins.get(span.origin);
      span.scopeFacts = scopes.get(span.scope);
      span.service = span.originFacts?.service ?? "";
      span.logs = events.get(span.spanId) ?? [];
    }
    const services = new Map(trace.spans.map((span) => [span.spanId, span.service]));
    for (const span of trace.spans) span.crossesService = services.get(span.parentId) !== span.service;
  }

  function label(span) {
    return `${span.name}, ${span.service}, ${duration(span.durationNs)}, starts at ${duration(span.offsetNs)}${span.error ? ", error" : ""}`;
  }

  const gridLines = () => /** @type {HTMLElement} */ (list.element.querySelector(".grid-lines"));

  function drawHead() {
    const { trace } = state;
    const lead = trace.spans[0];
    const services = new Map();
    for (const span of trace.spans) services.set(span.service, (services.get(span.service) ?? 0) + 1);
    const shift = Math.max(...trace.spans.map((span) => Math.abs(span.shiftNs ?? 0)), 0);
    const errors = [...trace.spans, ...trace.events].filter((record) => record.failure).length;
    const wrong = trace.spans.filter((span) => timeFault(span)).length;
    const [trigger] = trace.spans.map(triggerOf).filter(Boolean);
    document.title = `${lead?.name ?? "Trace"} · Astrolabe`;
    update(legend,
      [...services].map(([service, number]) => h("span", {}, h("i", { class: "dot", style: { "--tone": tone(service) } }), service, h("span", { class: "faint num" }, count(number)))),
      trace.sessions.map((session) => h("a", { class: "link", href: `/sessions/${encodeURIComponent(session)}` }, trace.sessions.length > 1 ? `Session ${session.slice(0, 8)}` : "Open session")));
    update(choices, toggleChip("Critical path", state.onlyCritical, () => toggleCritical()),
      h("button", { type: "button", onclick: () => foldAll(state.folded.size === 0) }, state.folded.size ? "Expand all" : "Collapse all"));
    update(headline,
      h("header", { class: "page-head" },
        h("button", { class: "quiet", type: "button", "aria-label": "Back", onclick: () => back() }, icon("back")),
        h("h1", { class: "clip" }, lead?.name ?? "Trace without spans"), badges({ crashes: 0, errors }),
        h("span", { class: "muted num" }, `${duration(trace.durationNs)} · ${plural(trace.spans.length, "span")} · ${moment(trace.startUs)}`),
        h("div", { class: "spacer" }),
        h("a", { class: "link", href: `/compare?a=${trace.traceId}` }, "Compare"),
        h("span", { class: "tag" }, trace.traceId), copyButton(trace.traceId, "trace id")),
      toolbar,
      trigger ? h("p", { class: "notice" }, icon("recorder"), h("span", {}, `The flight recorder sent spans of this trace because of ${triggerCause(trigger)}. `,
        trace.sessions.length ? h("a", { class: "link", href: `/sessions/${encodeURIComponent(trace.sessions[0])}` }, "What it sent of the session") : null)) : null,
      shift ? h("p", { class: "notice" }, `The clocks of phone and backend differ by at least ${duration(shift)}. Backend spans are shown inside their requests.`) : null,
      wrong ? h("p", { class: "notice" }, `${plural(wrong, "span")} of this trace ${wrong === 1 ? "has" : "have"} no usable time. The details say why.`) : null,
      trace.truncated ? h("p", { class: "notice" }, `The first ${count(trace.spans.length)} spans of this trace are shown.`) : null);
  }

  function isFaded(span) {
    return (state.onlyCritical && !span.critical) || (state.text !== "" && !matches(span));
  }

  function matches(span) {
    span.searchText ??= `${span.name} ${span.service} ${span.spanId} ${JSON.stringify(span.attributes ?? "")} ${JSON.stringify(span.details ?? "")}`.toLowerCase();
    return span.searchText.includes(state.text);
  }

  /** Shows the spans that are not inside a collapsed one, and selects the span that the URL names. */
  function apply() {
    const shown = [];
    const { spans } = state.trace;
    for (let index = 0; index < spans.length; index += 1) {
      shown.push(spans[index]);
      if (state.folded.has(spans[index].key)) index += spans[index].descendants;
    }
    state.shown = shown;
    list.setItems(shown);
    gridLines().style.height = list.inner.style.height;
    if (list.selected < 0) {
      const wanted = new URLSearchParams(location.search).get("span");
      const found = state.text ? shown.findIndex(matches) : shown.findIndex((span) => span.key === wanted);
      list.select(Math.max(found, 0), { scroll: found > 0 });
      offerFocus(list.element);
    } else if (state.text) {
      const found = shown.findIndex(matches);
      if (found >= 0) list.select(found);
    }
  }

  function selected(span) {
    if (!span) return;
    inspector.setSpan(span, state.trace);
    replaceAddress(`${location.pathname}?span=${span.key}`);
  }

  function selectSpan(spanID) {
    const index = state.trace.spans.findIndex((span) => span.spanId === spanID);
    if (index < 0) return false;
    for (let depth = state.trace.spans[index].depth, other = index - 1; other >= 0 && depth > 0; other -= 1) {
      const span = state.trace.spans[other];
      if (span.depth < depth) { state.folded.delete(span.key); depth = span.depth; }
    }
    apply();
    list.select(state.shown.findIndex((span) => span.spanId === spanID));
    return true;
  }

  function toggleCritical() {
    state.onlyCritical = !state.onlyCritical;
    drawHead();
    list.redraw();
  }

  function fold(span, isFolded) {
    if (!span?.descendants || state.folded.has(span.key) === isFolded) return false;
    if (isFolded) state.folded.add(span.key);
    else state.folded.delete(span.key);
    apply();
    drawHead();
    return true;
  }

  function foldAll(isFolded) {
    state.folded = new Set(isFolded ? state.trace.spans.filter((span) => span.descendants && span.depth > 0).map((span) => span.key) : []);
    apply();
    drawHead();
  }

  /** Expands the span or goes to its first child. `left` collapses it or goes to its parent. */
  function right() {
    if (!fold(list.items[list.selected], false) && list.items[list.selected]?.descendants) list.move(1);
  }

  function left() {
    const span = list.items[list.selected];
    if (!span || fold(span, true)) return;
    for (let index = list.selected - 1; index >= 0; index -= 1) {
      if (list.items[index].depth < span.depth) return list.goTo(index);
    }
  }

  function nextError(by) {
    for (let index = list.selected + by; index >= 0 && index < state.shown.length; index += by) {
      if (state.shown[index].error) return list.goTo(index);
    }
  }

  function ticks() {
    const { from, to } = state.view;
    return [0, 0.2, 0.4, 0.6, 0.8, 1].map((part) => ({ part, nanoseconds: (from + (to - from) * part) * state.trace.durationNs }));
  }

  function drawAxis() {
    replace(axis, h("div", { class: "axis-inner" }, h("span", { class: "title" }, "Span"), h("div", { class: "ticks" },
      ticks().map(({ part, nanoseconds }) => h("span", { class: "tick", style: { left: `${part * 100}%` } }, duration(nanoseconds))))));
    replace(gridLines(), ticks().map(({ part }) => h("i", { style: { left: `${part * 100}%` } })));
  }

  function row(span) {
    const { from, to } = state.view;
    const total = Math.max(state.trace.durationNs, 1);
    const place = (nanoseconds) => ((nanoseconds / total - from) / (to - from)) * 100;
    const start = Math.max(place(span.offsetNs), -1);
    const end = Math.min(place(span.offsetNs + span.durationNs), 101);
    const width = Math.max(end - start, 0);
    const isFolded = state.folded.has(span.key);
    const isInSight = span.outsideUs === undefined && end >= 0 && start <= 100;
    const isInside = width > 22;
    const text = duration(span.durationNs);
    const labelStyle = isInside ? { left: `${Math.max(start, 0)}%` }
      : end < 82 ? { left: `${Math.max(end, 0)}%` } : { right: `${100 - Math.max(start, 0)}%` };
    return h(
      "div", { class: `span-row ${span.error ? "error" : ""}`, role: "presentation", style: { "--tone": tone(span.service), "--depth": Math.min(span.depth, 24) } },
      h("div", { class: "twig", role: "gridcell" },
        rails(span.depth),
        h("button", { class: `fold ${span.descendants ? "" : "leaf"}`, type: "button", tabindex: "-1",
          "aria-label": isFolded ? "Expand" : "Collapse", onclick: () => fold(span, !isFolded) }, icon("chevron")),
        h("i", { class: "bar-tone" }),
        span.error ? h("span", { class: "bad-mark", title: "Error" }, icon("alert")) : null,
        h("span", { class: "name clip" }, span.name || "(no name)"),
        span.crossesService ? h("span", { class: "service clip" }, span.service) : null,
        isFolded ? h("span", { class: "hidden-count" }, `+${count(span.descendants)}`) : null),
      h("div", { class: "lane-bar", role: "gridcell" }, isInSight ? [
        h("i", { class: "bar", style: { left: `${start}%`, width: `${width}%` } }),
        (span.criticalParts ?? []).map(([at, length]) => h("i", { class: "critical", style: { left: `${place(at)}%`, width: `${place(at + length) - place(at)}%` } })),
        h("span", { class: `label ${isInside ? "inside" : ""}`, style: labelStyle }, text),
        marks(span, place)] : null),
    );
  }

  function marks(span, place) {
    const own = (span.details?.events ?? []).map((event) => ({ at: span.offsetNs + event.offset, isBad: event.name === "exception" }));
    const logs = span.logs.map((log) => ({ at: (log.timeUs - state.trace.startUs) * 1e3 + (span.shiftNs ?? 0), isBad: log.error }));
    return [...own, ...logs].slice(0, 40).map(({ at, isBad }) => h("i", { class: `event ${isBad ? "bad" : ""}`, style: { left: `${place(at)}%` } }));
  }

  function rails(depth) {
    return Array.from({ length: Math.min(depth, 24) }, (_, index) => h("i", { class: "rail", style: { left: `${23 + index * 14}px` } }));
  }

  function back() {
    const session = state.trace?.sessions[0];
    context.goBack(session ? `/sessions/${encodeURIComponent(session)}` : "/traces");
  }

  function zoom(factor) {
    const span = list.items[list.selected];
    const centre = span ? (span.offsetNs + span.durationNs / 2) / Math.max(state.trace.durationNs, 1) : 0.5;
    minimap.zoom(factor, centre);
  }

  const stopListening = context.onLive(async (change) => {
    if (change.traces !== 0 && state.trace) await load({ isRefresh: true });
  });
  load();

  return {
    destroy() { abort.abort(); stopListening(); list.destroy(); minimap.destroy(); },
    keys: [
      { keys: ["j", "ArrowDown"], label: "Next span", run: () => list.move(1) },
      { keys: ["k", "ArrowUp"], label: "Previous span", run: () => list.move(-1) },
      { keys: ["ArrowRight"], label: "Expand, or go to first child", run: right },
      { keys: ["ArrowLeft"], label: "Collapse, or go to parent", run: left },
      { keys: ["PageDown"], run: () => list.move(list.pageSize) },
      { keys: ["PageUp"], run: () => list.move(-list.pageSize) },
      { keys: ["Home"], run: () => list.goTo(0) },
      { keys: ["End"], run: () => list.goTo(state.shown.length - 1) },
      { keys: ["Enter"], label: "Show or hide details", run: () => inspector.toggle() },
      { keys: ["n"], label: "Next error", run: () => nextError(1) },
      { keys: ["N"], label: "Previous error", run: () => nextError(-1) },
      { keys: ["c"], label: "Critical path", run: toggleCritical },
      { keys: ["f"], label: "Expand or collapse all", run: () => foldAll(state.folded.size === 0) },
      { keys: ["+", "="], label: "Zoom in", run: () => zoom(0.5) },
      { keys: ["-"], label: "Zoom out", run: () => zoom(2) },
      { keys: ["0"], label: "Show whole trace", run: () => minimap.reset() },
      { keys: ["Escape"], label: "Back", run: () => { if (inspector.hasFocus) list.element.focus(); else back(); } },
    ],
  };
}
