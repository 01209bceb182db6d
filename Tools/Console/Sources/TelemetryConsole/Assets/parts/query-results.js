// @ts-check
// The results of a query as tables: groups, the traces and sessions behind them, and records.

import { calculations, change, keyText, rowMark, rowTitle } from "./charts.js";
import { tableFrame, valueMenu } from "./components.js";
import { h } from "./dom.js";
import { attribute, duration, moment, plural, quantity } from "../shared/format.js";
import { equals } from "../lib/query-text.js";

/** The condition that selects the records of a row. */
function conditionOf(answer, row) {
  return answer.columns.filter((column) => column.isGroup).map((column, index) => equals(column.name, row.key[index])).join(" and ");
}

/** The groups of an answer. `actions` sort, filter and highlight; those that are absent are not offered. */
export function groupTable(answer, actions) {
  const groups = answer.columns.filter((column) => column.isGroup);
  const values = calculations(answer);
  const head = (column) => {
    const [sorted, direction] = [actions.order.startsWith(`${column.name} `), actions.order.endsWith(" asc") ? "ascending" : "descending"];
    return h("th", { scope: "col", class: column.isGroup ? "" : "end", "aria-sort": sorted ? direction : null },
      actions.sorted ? h("button", { type: "button", class: "quiet", onclick: () => actions.sorted(column.name) }, column.name, sorted ? (direction === "ascending" ? " ↑" : " ↓") : "") : column.name);
  };
  const cell = (row, column) => {
    const value = row.values[column.index];
    if (column.name.startsWith("heatmap(")) return h("td", { class: "end faint" }, value?.length ? `${quantity(value[0].low, column)} – ${quantity(value.at(-1).high, column)}` : "–");
    return h("td", { class: "end num", title: typeof value === "number" ? String(value) : "" }, quantity(value, column), change(value, row.comparison?.values[column.index], column));
  };
  return tableFrame("Values", h("table", { class: "results" },
    h("thead", {}, h("tr", {}, groups.length ? groups.map(head) : h("td"), values.map(head))),
    h("tbody", {}, answer.rows.map((row, index) => h("tr", { onmouseenter: () => { if (answer.rows.length > 1) actions.highlight?.(index); }, onmouseleave: () => { if (answer.rows.length > 1) actions.highlight?.(); } },
      groups.length ? groups.map((column, part) => h("th", { scope: "row" }, part === 0 ? rowMark(answer, index) : null,
        row.other ? (part === 0 ? h("span", { class: "faint" }, "other") : "")
          : !actions.only ? keyText(row.key[part]) : valueMenu(keyText(row.key[part]), `${column.name} ${keyText(row.key[part])}`, [
            ["Only this", () => actions.only(equals(column.name, row.key[part]))],
            ["Without this", () => actions.only(equals(column.name, row.key[part], { isNot: true }))],
            [groups.length > 1 ? "Only this group" : undefined, () => actions.only(conditionOf(answer, row))],
            ["What is different about it?", () => actions.differ(conditionOf(answer, row))],
          ].filter(([title]) => title)))) : h("th", { scope: "row" }, rowMark(answer, index), rowTitle(row)),
      values.map((column) => cell(row, column)))))));
}

const pages = { "trace.id": (id) => `/traces/${id}`, "session.id": (id) => `/sessions/${encodeURIComponent(id)}` };

/** A table whose first column links to the page of a trace or session. */
export function linkTable(answer, field) {
  const values = calculations(answer);
  return tableFrame(`Values by ${field}`, h("table", { class: "results" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, field), values.map((column) => h("th", { scope: "col", class: "end" }, heading(column.name))))),
    h("tbody", {}, answer.rows.filter((row) => !row.other).map((row) => h("tr", {},
      h("th", { scope: "row" }, h("a", { class: "link mono", href: pages[field](row.key[0]) }, keyText(row.key[0]))),
      values.map((column) => h("td", { class: "end num" }, column.name === "min(time)" ? moment(row.values[column.index] / 1e3) : quantity(row.values[column.index], column))))))));
}

function heading(text) {
  return { "min(time)": "start", "max(duration)": "longest span", count: "records" }[text] ?? text;
}

/** Records with their fields. Each field can become a condition or a group. */
export function recordList(found, actions) {
  if (!found.records.length) return h("p", { class: "faint tab-note" }, "No record matches.");
  return h("div", { class: "records" },
    h("div", { class: "records-head" }, h("span", { class: "faint" }, found.matchedRecords > found.records.length ? `${found.records.length} of ${plural(found.matchedRecords, "record")}` : plural(found.matchedRecords, "record")),
      actions.orders.length > 1 ? h("div", { class: "chips", role: "group", "aria-label": "Order" }, actions.orders.map((order) =>
        h("button", { type: "button", class: "chip", "aria-pressed": String(actions.order === order), onclick: () => actions.sorted(order) }, order === "newest" ? "Newest first" : "Slowest first"))) : null),
    found.records.map((record) => {
      const element = h("details", { class: `entry log-record ${record.fields.status === "error" || record.fields.severity >= 17 ? "severe" : ""}` },
        h("summary", {},
          h("span", { class: "num muted" }, moment(record.timeUs)),
          h("span", { class: "num" }, record.durationNs === undefined ? "" : duration(record.durationNs)),
          h("span", { class: "clip" }, keyText(record.fields["service.name"] ?? record.fields["resource.service.name"] ?? "")),
          h("span", { class: "log-text clip" }, [record.name, record.fields.body === undefined ? "" : attribute(record.fields.body).text].filter(Boolean).join(" · ") || "(no name)")));
      element.addEventListener("toggle", () => { if (element.childElementCount === 1) element.append(details(record, actions)); });
      return element;
    }));
}

const minute = 60e9;

function fieldText(field, value, record) {
  if (field === "duration" || field === "delay") return duration(value);
  return field === "arrived" && record.arrivedUs !== undefined ? moment(record.arrivedUs) : attribute(value).text;
}

function details(record, actions) {
  return h("div", { class: "log-details" },
    h("div", { class: "unfold-tools" },
      record.traceId ? h("a", { class: "link", href: `/traces/${record.traceId}${record.spanId ? `?span=${record.spanId}` : ""}` }, "Open in trace") : null,
      record.sessionId ? h("a", { class: "link", href: `/sessions/${encodeURIComponent(record.sessionId)}` }, "Open session") : null,
      record.arrivedUs === undefined ? null : h("span", { class: "faint" }, `Arrived ${record.delayNs < minute ? "at once" : `${duration(record.delayNs)} later`}, at ${moment(record.arrivedUs)}`)),
    h("table", { class: "record-fields" }, Object.entries(record.fields).sort(([a], [b]) => (a < b ? -1 : 1)).map(([field, value]) => h("tr", {},
      h("th", { scope: "row" }, valueMenu(field, `Field ${field}`, [["Group by this", () => actions.group(field)], ["Only records that have it", () => actions.has(field)]])),
      h("td", {}, valueMenu(fieldText(field, value, record), `${field}: filter`, [["Only this value", () => actions.only(field, value)], ["Without this value", () => actions.not(field, value)]]))))));
}

