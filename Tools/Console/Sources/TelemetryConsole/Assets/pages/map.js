// @ts-check
// The map: services, the phone and databases as nodes, and the calls between them, from left to right.

import { replaceAddress } from "../lib/address.js";
import { get } from "../lib/api.js";
import { layers, sourceOf, targetOf } from "../lib/layers.js";
import { emptyPage, tableFrame } from "../parts/components.js";
import { h, replace, svg, update } from "../parts/dom.js";
import { filled } from "../parts/loading.js";
import { exportButton } from "../parts/export.js";
import { count, duration, measure, nanoseconds, percent, plural } from "../shared/format.js";
import { literal } from "../lib/query-text.js";
import { addressParameters, isUntilNow, readAddress, timeClauses, timePicker } from "../parts/time-range.js";

const nodeWidth = 184;
const nodeHeight = 96;
/** Room for the numbers of a connection. */
const edgeRoom = 96;
const leastWidth = 140;
const kinds = { device: "app", service: "service", database: "database", host: "host" };

export function mapPage(root, context) {
  readAddress();
  let map;
  let shape = "";
  let shownTime = "";
  let abort = new AbortController();
  const picker = timePicker(() => run());
  const progress = h("div", { class: "query-progress", hidden: true });
  const note = h("p", { class: "result-line faint", role: "status" });
  const plot = h("div", { class: "map-plot" });
  const table = h("div", {});

  document.title = "Map · Astrolabe";
  replace(root, h("header", { class: "page-head" }, h("h1", {}, "Map"), h("div", { class: "spacer" }), exportButton("map", () => [{ title: "Connections", rows: map?.edges ?? [] }, { title: "Nodes", rows: map?.nodes ?? [] }]), picker.element), progress,
    h("div", { class: "explore-body" }, note, plot, table));

  async function run() {
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    const address = new URLSearchParams(addressParameters());
    replaceAddress(`/map${address.size ? `?${address}` : ""}`);
    const slow = setTimeout(() => { progress.hidden = false; }, 150);
    const time = timeClauses({ isPlain: true });
    await filled(plot, "Drawing the map", async () => {
      map = await get("map", { time, kept: true }, signal);
      shownTime = time;
      draw();
    }, { isRefresh: time === shownTime, retry: run });
    clearTimeout(slow);
    if (!signal.aborted) progress.hidden = true;
  }

  function draw() {
    const seconds = (map.toUs - map.fromUs) / 1e6;
    update(note, map.edges.length ? `${plural(map.nodes.length, "node")}, ${plural(map.edges.length, "connection")}. A connection has what the caller saw.` : "",
      map.spansWithoutCaller ? ` ${plural(map.spansWithoutCaller, "request")} came from callers without spans in this time.` : "",
      map.warnings.map((warning) => h("span", { class: "warn" }, ` · ${warning}`)));
    if (!map.nodes.length) {
      replace(plot, emptyPage("No spans in this time", "Widen the time, or send traces from an app and its backend to this console."));
      replace(table);
      return;
    }
    const width = plot.clientWidth;
    replace(plot, width < 620 ? null : diagram(map, width, seconds, (path) => context.navigate(path)));
    update(table, connections(map, seconds));
  }

  const resizing = new ResizeObserver(([entry]) => {
    const wanted = entry.contentRect.width < 620 ? "list" : String(Math.floor(entry.contentRect.width));
    if (wanted === shape) return;
    shape = wanted;
    if (map) draw();
  });
  resizing.observe(plot);

  const stopListening = context.onLive(async () => { if (map && !plot.contains(document.activeElement) && isUntilNow()) await run(); }, { spacing: 5_000 });
  run();
  return { destroy() { abort.abort(); stopListening(); picker.destroy(); resizing.disconnect(); }, keys: [] };
}

function explore(query) {
  return `/explore?${new URLSearchParams({ q: query, ...addressParameters() }).toString().replaceAll("+", "%20")}`;
}

/** The condition that a client span names a host, in its address or in its URL. */
const isTo = (host) => `(server.address = ${literal(host)} or url.full contains ${literal(`//${host}`)})`;

/** The question of Explore for the records behind a node. */
function nodeLink(node) {
  const name = literal(node.name);
  const where = { database: `kind = client and db.system.name = ${name}`, host: `kind = client and ${isTo(node.name)}`, device: `service.name = ${name} and kind = client and http.request.method exists`, service: `service.name = ${name} and kind = server` }[node.kind];
  return explore(`count, p99(duration), ratio(where status = error) by ${node.kind === "database" ? "db.query.summary" : "name"} where ${where}`);
}

/** The question of Explore for a connection: the caller's client spans. */
function edgeLink(edge) {
  const callee = { database: ` and db.system.name = ${literal(edge.to)}`, host: ` and ${isTo(edge.to)}`, service: " and (server.address exists or url.full exists)" }[edge.toKind];
  return explore(`count, p99(duration), ratio(where status = error) by name where service.name = ${literal(edge.from)} and kind = client${callee}`);
}

function diagram({ nodes, edges }, available, seconds, open) {
  const depth = layers(nodes, edges);
  const columns = [];
  for (const node of nodes) (columns[depth.get(node) ?? 0] ??= []).push(node);
  // A node stands near its callers.
  const rank = new Map();
  for (const column of columns) {
    const callers = (node) => edges.filter((edge) => targetOf(edge, nodes) === node).map((edge) => rank.get(sourceOf(edge, nodes))).filter((value) => value !== undefined);
    const mean = (node) => { const found = callers(node); return found.length ? found.reduce((a, b) => a + b, 0) / found.length : 0; };
    column.sort((a, b) => mean(a) - mean(b) || b.handled.count + b.made.count - a.handled.count - a.made.count);
    column.forEach((node, index) => rank.set(node, index - (column.length - 1) / 2));
  }
  const most = Math.max(...columns.map((column) => column.length));
  const height = Math.max(most * (nodeHeight + 34) + 20, 260);
  const gaps = edgeRoom * (columns.length - 1) + 4;
  // A map of many layers is wider than the page, and scrolls.
  const box = Math.max(Math.min(nodeWidth, (available - gaps) / columns.length), leastWidth);
  const width = Math.max(available, box * columns.length + gaps);
  const step = columns.length > 1 ? (width - box - 4) / (columns.length - 1) : 0;
  const places = new Map();
  columns.forEach((column, layer) => column.forEach((node, index) => {
    const free = height / column.length;
    places.set(node, { x: (columns.length > 1 ? layer * step : (width - box) / 2) + 2, y: free * index + (free - nodeHeight) / 2 });
  }));
  const largest = Math.max(...edges.map((edge) => edge.calls.count), 1);
  const link = (path, label, properties, ...content) => svg("a", { href: path, "aria-label": label, onclick: (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    open(path);
  }, ...properties }, content);
  return svg("svg", { class: "service-map", width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "Services and their calls" },
    svg("defs", {}, svg("marker", { id: "map-arrow", viewBox: "0 0 8 8", refX: "7", refY: "4", markerWidth: "8", markerHeight: "8", markerUnits: "userSpaceOnUse", orient: "auto" }, svg("path", { d: "M0 .8 7 4 0 7.200Z", fill: "context-stroke" }))),
    edges.map((edge) => {
      const from = places.get(sourceOf(edge, nodes));
      const to = places.get(targetOf(edge, nodes));
      if (!from || !to) return null;
      const isBack = to.x <= from.x;
      const [x1, y1, x2, y2] = [from.x + box, from.y + nodeHeight / 2, to.x - 3, to.y + nodeHeight / 2];
      const curve = isBack ? `M${from.x + box / 2} ${from.y + nodeHeight}C${from.x + box / 2} ${from.y + nodeHeight + 46} ${to.x + box / 2} ${to.y + nodeHeight + 46} ${to.x + box / 2} ${to.y + nodeHeight + 3}`
        : `M${x1} ${y1}C${(x1 + x2) / 2} ${y1} ${(x1 + x2) / 2} ${y2} ${x2} ${y2}`;
      const [x, y] = isBack ? [(from.x + to.x + box) / 2, Math.max(from.y, to.y) + nodeHeight + 32] : [(x1 + x2) / 2, (y1 + y2) / 2];
      const failed = edge.calls.errors / (edge.calls.count || 1);
      return link(edgeLink(edge), `${edge.from} to ${edge.to}: ${edgeText(edge, seconds)}`, { class: `map-edge ${failed > 0.05 ? "bad" : failed > 0 ? "some" : ""}` },
        svg("path", { class: "map-hit", d: curve }), svg("path", { class: "map-line", d: curve, "stroke-width": 1.2 + 3.2 * Math.sqrt(edge.calls.count / largest), "marker-end": "url(#map-arrow)" }),
        svg("text", { class: "map-text", x, y: y - 6 }, `${rate(edge.calls.count, seconds)}`),
        svg("text", { class: "map-text faint", x, y: y + 15 }, edge.calls.p99Ns === undefined ? "" : `p99 ${duration(edge.calls.p99Ns)}`),
        failed ? svg("text", { class: "map-text bad", x, y: y + 30 }, `${percent(failed)} errors`) : null);
    }),
    nodes.map((node) => {
      const { x, y } = places.get(node);
      const numbers = numbersOf(node);
      const failed = numbers.errors / (numbers.count || 1);
      return link(nodeLink(node), `${kinds[node.kind]} ${node.name}: ${nodeText(node, seconds).join(", ")}`, { class: `map-node ${node.kind}`, transform: `translate(${x} ${y})` },
        svg("rect", { width: box, height: nodeHeight, rx: 10 }), svg("rect", { class: "map-share", x: 10, y: nodeHeight - 10, width: Math.max(box - 20, 0), height: 3, rx: 1.5 }),
        failed ? svg("rect", { class: "map-share bad", x: 10, y: nodeHeight - 10, width: Math.max((box - 20) * failed, 2), height: 3, rx: 1.5 }) : null,
        svg("text", { class: "map-kind", x: 12, y: 18 }, kinds[node.kind]),
        svg("text", { class: "map-name", x: 12, y: 36 }, clipped(node.name, Math.floor((box - 24) / 7.4)), svg("title", {}, node.name)),
        nodeText(node, seconds).map((text, line) => svg("text", { class: `map-numbers ${line ? "bad" : ""}`, x: 12, y: 56 + 17 * line }, text)));
    }));
}

/** What a node handles, or what it asks for if no one calls it. */
const numbersOf = (node) => (node.handled.count ? node.handled : node.made);

/** The numbers of a node in two lines. */
function nodeText(node, seconds) {
  const numbers = numbersOf(node);
  if (!numbers.count) return ["no calls"];
  const time = numbers.p99Ns === undefined ? "" : ` · p99 ${duration(numbers.p99Ns)}`;
  return [`${rate(numbers.count, seconds)}${time}`, numbers.errors ? `${percent(numbers.errors / numbers.count)} errors` : ""];
}

function edgeText(edge, seconds) {
  return `${rate(edge.calls.count, seconds)}, ${percent(edge.calls.errors / (edge.calls.count || 1))} errors${edge.calls.p99Ns === undefined ? "" : `, p99 ${duration(edge.calls.p99Ns)}`}`;
}

/** Calls for each second, minute or hour, whatever gives a number that can be read. */
function rate(calls, seconds) {
  const each = ["s", "min", "h"].map((unit) => ({ unit, number: (calls / seconds) * (nanoseconds[unit] / nanoseconds.s) })).find(({ number }) => number >= 1);
  return each ? `${measure(Number(each.number.toPrecision(3)))}/${each.unit}` : `${count(Math.round(calls))} in all`;
}

function clipped(text, length) {
  return text.length > length ? `${text.slice(0, Math.max(length - 1, 1))}…` : text;
}

/** The connections as a table, which is all there is on a narrow page. */
function connections({ edges }, seconds) {
  if (!edges.length) return null;
  return tableFrame("Connections", h("table", { class: "results plain" },
    h("thead", {}, h("tr", {}, ["Connection", "Calls", "Rate", "Errors", "p99"].map((title, index) => h("th", { scope: "col", class: index ? "end" : "" }, title)))),
    h("tbody", {}, edges.toSorted((a, b) => b.calls.count - a.calls.count).map((edge) => h("tr", {},
      h("th", { scope: "row" }, h("a", { class: "link", href: edgeLink(edge) }, `${edge.from} → ${edge.to}`)),
      h("td", { class: "end num" }, count(Math.round(edge.calls.count))), h("td", { class: "end num" }, rate(edge.calls.count, seconds)),
      h("td", { class: `end num ${edge.calls.errors ? "bad" : ""}` }, percent(edge.calls.errors / (edge.calls.count || 1))),
      h("td", { class: "end num" }, edge.calls.p99Ns === undefined ? "–" : duration(edge.calls.p99Ns)))))));
}
