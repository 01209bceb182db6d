// @ts-check
// The patterns of log records: similar messages folded into one row.

import { get } from "../lib/api.js";
import { emptyPage } from "./components.js";
import { h, replace, update } from "./dom.js";
import { count, moment, percent, plural } from "../shared/format.js";
import { literal } from "../lib/query-text.js";
import { timeClauses, timeParameters } from "./time-range.js";
import { tone } from "./theme.js";

const levels = ["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"];
export const patternsCover = "The search covers the names and bodies of records.";

/** The condition of a filter. Every word must be in the body or the name, in upper or lower case. */
function condition({ q, service, severity }) {
  const words = q.split(/\s+/).filter(Boolean).map((word) => {
    const pattern = literal(`(?i)${word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}`);
    return `(body matches ${pattern} or name matches ${pattern})`;
  });
  return [...words, service ? `service.name = ${literal(service)}` : "", severity ? `severity >= ${severity}` : ""].filter(Boolean).join(" and ");
}

/** A list shows records of any time until one is chosen. */
const time = () => (timeParameters().fromUs ? timeClauses({ isPlain: true }) : "last 3650d");

/** The most frequent names of a filter's records, each with its count; empty if they have none. */
export async function frequentNames(filter, signal) {
  const where = [condition({ ...filter, q: "" }), "name exists"].filter(Boolean).join(" and ");
  const answer = await get("query", { q: `count of events by name where ${where} limit 8 ${time()} every total` }, signal);
  return answer.rows.filter(({ other }) => !other).map(({ key, values }) => ({ name: key[0], count: values[0] }));
}

/** The number of a filter's records of each severity. The search is not part of it, because it covers attributes too. */
export async function severityCounts(filter, signal) {
  const where = condition({ ...filter, q: "", severity: "" });
  const answer = await get("query", { q: `count of events by severity ${where ? `where ${where} ` : ""}${time()} every total` }, signal);
  return answer.rows.map(({ key, values }) => ({ severity: key[0] ?? 0, count: values[0] }));
}

/** Shows the patterns of a filter's records in `body`, and returns them. */
export async function showPatterns(body, filter, signal) {
  const where = condition(filter);
  const answer = await get("logs/patterns", { q: `count of events ${where ? `where ${where} ` : ""}${time()}` }, signal);
  if (!answer.patterns.length) {
    replace(body, emptyPage("No log record matches", patternsCover, h("p", {}, "Widen the time, or remove a filter.")));
    return [];
  }
  const most = answer.patterns[0].count;
  update(body,
    h("p", { class: "pattern-line faint" }, `${plural(answer.matchedRecords, "record")} in ${plural(answer.patternCount, "pattern")}. `,
      h("span", { class: "mono" }, "#"), " is a number, ", h("span", { class: "mono" }, "*"), " an id, ", h("span", { class: "mono" }, "…"), " a text in quotes.",
      answer.warnings.map((warning) => h("span", { class: "warn" }, ` ${warning}`))),
    answer.patterns.map((pattern) => row(pattern, answer, most)));
  return answer.patterns;
}

function row(pattern, answer, most) {
  const severity = pattern.severity ? levels[Math.min(Math.floor((pattern.severity - 1) / 4), 5)] : "–";
  return h("details", { class: `entry log-record log-pattern ${pattern.severity >= 17 ? "severe" : ""}`, "data-key": pattern.text },
    h("summary", {},
      h("span", { class: "num pattern-count", title: `${percent(pattern.count / answer.matchedRecords)} of the records` }, count(pattern.count), h("i", { style: { width: `${(pattern.count / most) * 100}%` } })),
      h("span", { class: `status ${pattern.severity >= 17 ? "bad" : pattern.severity >= 13 ? "warn" : ""}` }, severity),
      h("span", { class: "clip" }, pattern.services.map((service) => [h("i", { class: "dot", style: { "--tone": tone(service) } }), ` ${service} `])),
      h("span", { class: "log-text clip" }, pattern.text || "(no text)")),
    h("div", { class: "log-details" },
      h("p", { class: "faint" }, `First ${moment(pattern.firstUs)}, last ${moment(pattern.lastUs)}. ${pattern.count > pattern.examples.length ? `The newest ${pattern.examples.length}:` : ""}`),
      h("ul", { class: "pattern-examples" }, pattern.examples.map((example) => h("li", {},
        h("span", { class: "num muted" }, moment(example.timeUs)), h("span", { class: "mono" }, example.text || "(no text)"),
        h("span", {},
          example.trace ? h("a", { class: "link", href: `/traces/${example.trace}${example.span ? `?span=${example.span}` : ""}` }, "Trace") : null, " ",
          example.session ? h("a", { class: "link", href: `/sessions/${encodeURIComponent(example.session)}?at=${example.timeUs}` }, "Session") : null))))));
}
