// Metrics: one card per metric, with one sparkline per series.

import { coalesce, get } from "/assets/api.js";
import { h, replace, svg } from "/assets/dom.js";
import { attribute, measure, plural } from "/assets/format.js";
import { failurePage, howToSend, emptyPage, searchField } from "/assets/components.js";
import { tone } from "/assets/theme.js";

export function metricsPage(root, context) {
  const abort = new AbortController();
  const body = h("div", { class: "metric-grid" });
  const search = searchField("Find a metric", "", (text) => { filter = text.trim().toLowerCase(); draw(); });
  let metrics = [];
  let filter = "";

  document.title = "Metrics · Astrolabe";
  replace(root,
    h("header", { class: "page-head" }, h("h1", {}, "Metrics"), h("div", { class: "spacer" }), search.element), body);

  const load = coalesce(async () => {
    try {
      ({ metrics } = await get("metrics", {}, abort.signal));
      draw();
    } catch (error) {
      if (error.name !== "AbortError") replace(root, failurePage(error, () => context.navigate("/metrics", { replaceEntry: true })));
    }
  });

  function draw() {
    if (!metrics.length) {
      replace(root, howToSend("Waiting for the first metric", "Gauges, sums and histograms sent as OTLP appear here, one series per set of attributes."));
      return;
    }
    if (!body.isConnected) return context.navigate("/metrics", { replaceEntry: true });
    const shown = metrics.filter((metric) => !filter || `${metric.name} ${metric.description}`.toLowerCase().includes(filter));
    replace(body, shown.length ? shown.map(card) : emptyPage("No metric matches", "The search covers metric names and descriptions."));
  }

  const stopListening = context.onLive((change) => { if (change.metrics) load(); });
  load();
  return {
    destroy() { abort.abort(); stopListening(); },
    keys: [{ keys: ["Escape"], label: "Back to sessions", run: () => context.goBack("/sessions") }],
  };
}

function card(metric) {
  const unit = metric.unit === "1" ? "" : metric.unit.replace(/[{}]/g, "");
  return h(
    "article", { class: "metric" },
    h("header", {}, h("h2", { class: "clip", title: metric.name }, metric.name), h("span", { class: "badge" }, kindName(metric))),
    metric.description ? h("p", { class: "faint" }, metric.description) : null,
    h("p", { class: "value" }, headline(metric), h("small", {}, unit, metric.kind === "histogram" ? " on average" : "")),
    h("div", {}, labels(metric.series).map((text, index) => line(metric.series[index], text)),
      metric.truncated ? h("p", { class: "faint" }, `Showing the ${plural(metric.series.length, "most recent series", "most recent series")}`) : null),
  );
}

/** The total of a counter. For other kinds, the latest value or the range of the series' latest values. */
function headline(metric) {
  const values = metric.series.map((series) => series.points.at(-1)?.value).filter((value) => value !== undefined);
  if (!values.length) return "–";
  if (metric.kind === "sum") return measure(values.reduce((sum, value) => sum + value, 0));
  const low = Math.min(...values);
  const high = Math.max(...values);
  return low === high ? measure(low) : `${measure(low)} – ${measure(high)}`;
}

function kindName(metric) {
  if (metric.kind !== "sum") return metric.kind;
  return metric.series[0]?.monotonic ? "counter" : "sum";
}

/** The shortest labels that distinguish a metric's series: attributes, device or service, and more only if needed. */
function labels(all) {
  const parts = all.map((series) => [series.service, series.device, series.installation.slice(0, 8), series.session && `session ${series.session.slice(0, 8)}`]);
  const isOneService = new Set(all.map((series) => series.service)).size === 1;
  let texts = all.map((series) => attributesOf(series) || (isOneService && all.length > 1 && series.device) || series.service);
  for (const column of parts[0]?.keys() ?? []) {
    texts = texts.map((text, index) => {
      const alike = parts.filter((_, other) => texts[other] === text).map((other) => other[column]);
      const part = parts[index][column];
      return part && new Set(alike).size > 1 ? `${text} · ${part}` : text;
    });
  }
  return texts;
}

function attributesOf(series) {
  return Object.entries(series.attributes).map(([name, value]) => `${name.split(".").at(-1)}=${attribute(value).text}`).join(" ");
}

function line(series, text) {
  const last = series.points.at(-1);
  const whole = [series.service, series.device, series.installation, series.session, attributesOf(series)].filter(Boolean).join(" · ");
  return h(
    "div", { class: "series", style: { "--tone": tone(series.service) }, title: whole },
    h("span", { class: "clip" }, text), chart(series.points), h("span", { class: "end" }, measure(last?.value)),
  );
}

function chart(points) {
  const values = points.filter((point) => point.value !== undefined);
  const width = 110;
  const height = 22;
  const picture = (content) => svg("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": plural(values.length, "point") }, content);
  if (!values.length) return picture([]);
  const times = values.map((point) => point.timeUs);
  const low = Math.min(...values.map((point) => point.value));
  const high = Math.max(...values.map((point) => point.value));
  const x = (time) => times.at(-1) === times[0] ? width : ((time - times[0]) / (times.at(-1) - times[0])) * width;
  const y = (value) => high === low ? height / 2 : height - 2 - ((value - low) / (high - low)) * (height - 4);
  const steps = values.map((point) => `${x(point.timeUs).toFixed(1)} ${y(point.value).toFixed(1)}`);
  const start = values.length === 1 ? `0 ${y(values[0].value).toFixed(1)}L` : "";
  const path = `M${start}${steps.join("L")}`;
  return picture([svg("path", { class: "fill", d: `${path}V${height}H0Z` }), svg("path", { d: path })]);
}
