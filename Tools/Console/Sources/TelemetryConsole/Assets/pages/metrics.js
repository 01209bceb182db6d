// @ts-check
// Metrics: one card per metric, with one sparkline per series.

import { coalesce, get } from "../lib/api.js";
import { h, replace, svg, update } from "../parts/dom.js";
import { filled } from "../parts/loading.js";
import { attribute, count, measure, moment, plural, time } from "../shared/format.js";
import { failedPage, howToSend, emptyPage, searchField } from "../parts/components.js";
import { tone } from "../parts/theme.js";

export function metricsPage(root, context) {
  const abort = new AbortController();
  const body = h("div", { class: "metric-grid" });
  const search = searchField("Find a metric", "", (text) => { filter = text.trim().toLowerCase(); draw(); });
  let metrics = [];
  let next;
  let isFirstPage = true;
  let filter = "";

  document.title = "Metrics · Astrolabe";
  replace(root,
    h("header", { class: "page-head" }, h("h1", {}, "Metrics"), h("div", { class: "spacer" }), search.element), body);

  const load = coalesce(async () => {
    await filled(body, "Loading the metrics", async () => {
      ({ metrics, next } = await get("metrics", {}, abort.signal));
      draw();
    }, { isRefresh: true, retry: () => load() });
  });

  async function loadMore(event) {
    event.target.disabled = true;
    try {
      const page = await get("metrics", { cursor: next }, abort.signal);
      next = page.next;
      metrics = [...metrics, ...page.metrics];
      isFirstPage = false;
      draw();
    } catch (error) {
      fail(error);
    }
  }

  function fail(error) {
    if (error.name !== "AbortError") failedPage(root, error, () => context.navigate("/metrics", { replaceEntry: true }));
  }

  function draw() {
    if (!metrics.length) {
      replace(root, howToSend("Waiting for the first metric", "Gauges, sums, histograms and summaries sent as OTLP appear here, one series per set of attributes."));
      return;
    }
    if (!body.isConnected) return context.navigate("/metrics", { replaceEntry: true });
    const shown = metrics.filter((metric) => !filter || `${metric.name} ${metric.description}`.toLowerCase().includes(filter));
    update(body,
      shown.length ? shown.map(card) : emptyPage("No metric matches", "The search covers metric names and descriptions."),
      next ? h("div", { class: "more" }, h("button", { type: "button", onclick: loadMore }, "More metrics")) : null);
  }

  const stopListening = context.onLive((change) => { if (change.metrics && isFirstPage) load(); });
  load();
  return {
    destroy() { abort.abort(); stopListening(); },
    keys: [{ keys: ["Escape"], label: "Back to sessions", run: () => context.goBack("/sessions") }],
  };
}

function card(metric) {
  const unit = metric.unit === "1" ? "" : metric.unit.replace(/[{}]/g, "");
  return h(
    "article", { class: "metric", "data-key": metric.name },
    h("header", {}, h("h2", { class: "clip", title: metric.name }, h("a", { class: "link", href: `/metrics/${encodeURIComponent(metric.name)}` }, metric.name)), h("span", { class: "badge" }, kindName(metric))),
    metric.description ? h("p", { class: "faint" }, metric.description) : null,
    h("p", { class: "value", title: coverage(metric) }, headline(metric), h("small", {}, unit && ` ${unit}`, isDistribution(metric) ? " on average" : "")),
    h("div", {}, labels(metric.series).map((text, index) => line(metric.series[index], text)),
      metric.truncated ? h("p", { class: "faint" }, `Showing the ${plural(metric.series.length, "most recent series", "most recent series")}`) : null),
  );
}

/** The total of a counter over time and series. For other kinds, the latest value or the range of the series' latest values. */
function headline(metric) {
  if (metric.total?.series) return valueText(metric.total);
  const values = metric.series.map((series) => series.points.at(-1)?.value).filter((value) => value !== undefined);
  if (metric.series.length === 1) return valueText(metric.series[0].points.at(-1));
  if (!values.length) return "–";
  const low = Math.min(...values);
  const high = Math.max(...values);
  return low === high ? measure(low) : `${measure(low)} – ${measure(high)}`;
}

/** What a total covers. */
function coverage({ total }) {
  if (!total?.series) return null;
  const since = total.fromUs === undefined ? "" : `Since ${moment(total.fromUs)}, until `;
  return `Total of ${plural(total.series, "series", "series")}. ${since || "Until "}${moment(total.throughUs)}.`;
}

/** A value. An integer that a number would round is shown exactly. */
function valueText(point) {
  return /^-?[0-9]+$/.test(point?.exact ?? "") ? count(BigInt(point.exact)) : point?.exact ?? measure(point?.value);
}

function isDistribution(metric) {
  return ["histogram", "exponentialHistogram", "summary"].includes(metric.kind);
}

function kindName(metric) {
  if (metric.kind === "exponentialHistogram") return "exponential histogram";
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
  const scope = series.scope ? [series.scope.name, series.scope.version].filter(Boolean).join(" ") : "";
  const sinceUs = series.total ? series.total.fromUs : last?.startUs;
  const since = sinceUs === undefined ? "" : `since ${moment(sinceUs)}`;
  const whole = [series.service, series.device, series.installation, series.session, attributesOf(series), scope && `scope ${scope}`, since].filter(Boolean).join(" · ");
  return h("div", { class: "series-group", style: { "--tone": tone(series.service) } },
    h(
      "div", { class: "series", title: whole },
      h("span", { class: "clip" }, text), h("span", { class: "spark" }, chart(series.points), dots(series.points)),
      h("span", { class: "end clip", title: series.total?.exact ?? last?.exact ?? "" }, valueText(series.total ?? last)),
    ),
    h("p", { class: "series-facts faint" }, percentiles(series), since ? h("span", {}, `since ${time(sinceUs)}`) : null, exemplarLinks(series.points)),
    bars(series));
}

/** The count, median and 95th percentile of a histogram, or a summary's quantiles. */
function percentiles(series) {
  const last = series.points.at(-1);
  const { distribution } = series;
  if (!distribution) return null;
  const quantiles = last?.contents?.quantiles;
  const parts = quantiles
    ? quantiles.map(([quantile, value]) => `p${Number((quantile * 100).toFixed(2))} ${measure(value)}`)
    : [["p50", distribution.p50], ["p95", distribution.p95]].filter(([, value]) => value !== undefined).map(([name, value]) => `${name} ${measure(value)}`);
  if (Number.isFinite(last?.count)) parts.unshift(`${count(last.count)} in the latest point`);
  return h("span", {}, parts.join(" · "));
}

/** The buckets of a histogram, ascending and equally wide. The height is the share of the largest. */
function bars({ distribution }) {
  const buckets = distribution?.buckets ?? [];
  if (!buckets.length) return null;
  const most = Math.max(...buckets.map(([, , number]) => number));
  const width = 100 / buckets.length;
  return svg("svg", { class: "bars", viewBox: "0 0 100 30", preserveAspectRatio: "none", role: "img",
    "aria-label": `Distribution from ${measure(buckets[0][0])} to ${measure(buckets.at(-1)[1])} in ${plural(buckets.length, "bucket")}` },
  buckets.map(([from, to, number], index) => {
    const height = Math.max((number / most) * 29, 1);
    return svg("rect", { x: index * width + width * 0.06, y: 30 - height, width: width * 0.88, height }, [svg("title", {}, `${measure(from)} to ${measure(to)}: ${count(number)}`)]);
  }));
}

function exemplarsOf(points) {
  return points.flatMap((point) => point.exemplars ?? []).map((exemplar) => ({ ...exemplar, at: numberOf(exemplar.time) / 1e3, size: numberOf(exemplar.value) }));
}

/** A number, or an integer that is too large for one. */
function numberOf(value) {
  return typeof value === "object" ? Number(value?.$int ?? value?.$double) : Number(value);
}

function traceLink({ traceId, spanId }) {
  return `/traces/${traceId}${spanId ? `?span=${spanId}` : ""}`;
}

/** The traces of the latest exemplars. */
function exemplarLinks(points) {
  const found = exemplarsOf(points).filter((exemplar) => exemplar.traceId).slice(-3);
  return found.length ? h("span", { class: "exemplars" }, "Traces: ", found.map((exemplar) =>
    h("a", { class: "link", href: traceLink(exemplar), title: `Exemplar of ${moment(exemplar.at)}` }, measure(exemplar.size)))) : null;
}

/** Exemplars as dots over the chart of their series. */
function dots(points) {
  const scale = scaleOf(points);
  if (!scale) return null;
  return exemplarsOf(points).filter(({ traceId, at, size }) => traceId && Number.isFinite(at) && Number.isFinite(size)).slice(-20).map((exemplar) =>
    h("a", { class: "exemplar", href: traceLink(exemplar), "aria-label": `Trace of the measurement ${measure(exemplar.size)}`, tabindex: "-1",
      style: { left: `${clamp(scale.x(exemplar.at) / chartWidth) * 100}%`, top: `${clamp(scale.y(exemplar.size) / chartHeight) * 100}%` } }));
}

function clamp(share) {
  return Math.min(Math.max(share, 0), 1);
}

const chartWidth = 110;
const chartHeight = 22;

/** Where points are drawn; `undefined` if there are none. */
function scaleOf(points) {
  const values = points.filter((point) => point.value !== undefined);
  if (!values.length) return undefined;
  const [first, last] = [values[0].timeUs, values.at(-1).timeUs];
  const low = Math.min(...values.map((point) => point.value));
  const high = Math.max(...values.map((point) => point.value));
  return {
    values,
    x: (timeUs) => last === first ? chartWidth : ((timeUs - first) / (last - first)) * chartWidth,
    y: (value) => high === low ? chartHeight / 2 : chartHeight - 2 - ((value - low) / (high - low)) * (chartHeight - 4),
  };
}

function chart(points) {
  const scale = scaleOf(points);
  const picture = (content) => svg("svg", { viewBox: `0 0 ${chartWidth} ${chartHeight}`, preserveAspectRatio: "none", role: "img", "aria-label": plural(scale?.values.length ?? 0, "point") }, content);
  if (!scale) return picture([]);
  const { values, x, y } = scale;
  const steps = values.map((point) => `${x(point.timeUs).toFixed(1)} ${y(point.value).toFixed(1)}`);
  const start = values.length === 1 ? `0 ${y(values[0].value).toFixed(1)}L` : "";
  const path = `M${start}${steps.join("L")}`;
  return picture([svg("path", { class: "fill", d: `${path}V${chartHeight}H0Z` }), svg("path", { d: path })]);
}
