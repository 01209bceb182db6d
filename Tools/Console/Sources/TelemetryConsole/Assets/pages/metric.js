// @ts-check
// One metric over time: what it grew by, its level or its percentiles, by the attributes that tell its series apart.

import { replaceAddress } from "../lib/address.js";
import { get } from "../lib/api.js";
import { calculations, chart, csv, isChartInUse } from "../parts/charts.js";
import { tableFrame } from "../parts/components.js";
import { h, replace, update } from "../parts/dom.js";
import { filled } from "../parts/loading.js";
import { exportButton } from "../parts/export.js";
import { count, moment, plural, quantity } from "../shared/format.js";
import { groupTable } from "../parts/query-results.js";
import { addressParameters, chooseTime, isUntilNow, readAddress, timeClauses, timePicker } from "../parts/time-range.js";

const kinds = { counter: "Counter", sum: "Sum", gauge: "Gauge", histogram: "Histogram", exponentialHistogram: "Exponential histogram", summary: "Summary" };

export function metricPage(root, context, name) {
  readAddress();
  /** Of the last `load`; an answer to an earlier one is not shown. */
  let abort = new AbortController();
  const picker = timePicker(load);
  const head = h("div", { class: "metric-head" });
  const figures = h("div", { class: "charts" });
  const table = h("div", {});
  const traces = h("div", {});
  const group = h("select", { class: "dataset", "aria-label": "Group by", onchange: () => { by = group.value; load(); } });
  let by = new URLSearchParams(location.search).get("by") ?? "";
  let answer;
  /** The time and the group of what is shown. */
  let shownFor = "";

  document.title = `${name} · Astrolabe`;
  replace(root,
    h("header", { class: "page-head" }, h("h1", { class: "mono clip" }, name), h("div", { class: "spacer" }), group,
      exportButton(name, () => (answer ? [{ csv: csv(answer), json: answer }] : [])), picker.element),
    h("div", { class: "explore-body" }, head, figures, table, traces));

  async function load() {
    abort.abort();
    abort = new AbortController();
    const parameters = new URLSearchParams({ ...addressParameters(), ...(by ? { by } : {}) });
    replaceAddress(`/metrics/${encodeURIComponent(name)}${parameters.size ? `?${parameters}` : ""}`);
    const asked = `${timeClauses({ isPlain: true })} ${by}`;
    await filled(figures, "Reading the points", async () => {
      answer = await get(`metrics/${encodeURIComponent(name)}`, { time: timeClauses({ isPlain: true }), by, kept: true }, abort.signal);
      shownFor = asked;
      draw();
    }, { isRefresh: asked === shownFor, retry: load });
  }

  function draw() {
    update(group, h("option", { value: "" }, "All series together"), answer.keys.map((key) => h("option", { value: key, selected: key === by }, `By ${key}`)),
      by && !answer.keys.includes(by) ? h("option", { value: by, selected: true }, `By ${by}`) : null);
    update(head, h("p", {}, answer.description || "No description."),
      h("p", { class: "faint" }, [kinds[answer.kind], answer.unit && answer.unit !== "1" ? `in ${answer.unit}` : "", plural(answer.seriesCount, "series", "series")].filter(Boolean).join(" · "),
        answer.complete ? "" : " · Not all series were read, because there are too many. Choose a shorter time."));
    const shown = calculations(answer);
    const width = answer.columns.length - shown.length;
    replace(figures, shown.map((column) => chart(answer, {
      column: column.index, height: 210, as: ["sum", "count"].includes(column.name) && !width ? "bar" : undefined,
      onZoom: (fromUs, toUs) => chooseTime({ fromUs, toUs }), dots: dotsFor(column),
    })));
    update(table, answer.rows.length ? groupTable(answer, { order: "" }) : null);
    const latest = answer.exemplars.slice(0, 10);
    update(traces, latest.length ? [h("h2", { class: "tab-note" }, "Traces of measurements"), tableFrame("Traces of measurements", h("table", { class: "results" },
      h("thead", {}, h("tr", {}, ["Time", "Value", "Trace"].map((title) => h("th", { scope: "col" }, title)))),
      h("tbody", {}, latest.map((exemplar) => h("tr", {}, h("td", {}, moment(exemplar.timeUs)), h("td", { class: "num" }, quantity(exemplar.value, { unit: answer.unit })),
        h("td", {}, h("a", { class: "link mono", href: traceLink(exemplar) }, exemplar.traceId)))))))] : null);
  }

  /** Exemplars over the heatmap of a histogram. */
  function dotsFor(column) {
    return column.name.startsWith("heatmap(") ? answer.exemplars.map((exemplar) => ({ ...exemplar, href: traceLink(exemplar), title: `Trace of ${quantity(exemplar.value, { unit: answer.unit })}, ${count(answer.exemplars.length)} exemplars` })) : [];
  }

  function traceLink({ traceId, spanId }) {
    return `/traces/${traceId}${spanId ? `?span=${spanId}` : ""}`;
  }

  const stopListening = context.onLive(async (change) => { if (change.metrics && !isChartInUse() && isUntilNow()) await load(); }, { spacing: 5_000 });
  load();
  return {
    destroy() { abort.abort(); stopListening(); picker.destroy(); },
    keys: [{ keys: ["Escape"], label: "Back to metrics", run: () => context.goBack("/metrics") }],
  };
}
