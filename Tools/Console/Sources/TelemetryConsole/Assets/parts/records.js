// @ts-check
// Titles, notes and search text of a session's records.

import { conditionOf } from "./conditions.js";
import { h } from "./dom.js";
import { countUpTo } from "../lib/sorted.js";
import { attribute } from "../shared/format.js";
import { healthEventOf } from "./health-events.js";

/** The index of the last record that started by a moment, or of a crash at the same time; -1 if there is none. */
export function lastUpTo(items, moment) {
  const last = countUpTo(items, moment, (item) => item.timeUs) - 1;
  let index = last;
  while (index > 0 && items[index].kind !== "crash" && items[index - 1].timeUs === items[last].timeUs) index -= 1;
  return items[index]?.kind === "crash" ? index : last;
}

export function title(item) {
  const description = conditionOf(item) ?? healthEventOf(item);
  if (description) return description.title(item);
  if (item.name) return item.name;
  return item.body === undefined ? "(no name)" : attribute(item.body).text;
}

/** The namespaces of OpenTelemetry's conventions and of this SDK. Attributes in others are an app's own. */
const conventional = new Set(("android app artifact astrolabe aws azure browser client cloud code container db deployment destination device disk dns "
  + "dotnet enduser error event exception faas feature_flag file gcp gen_ai geo go graphql heroku host http hw ios jvm k8s linux log "
  + "message messaging net network nodejs oci os otel peer process profile rpc screen server service session source system telemetry test "
  + "thread tls url user user_agent vcs view webengine").split(" "));

/** The app's own attributes that say what a record is about: `acme.moon.name`, or `acme.moon.id` if there is no such name. */
function subjects(attributes) {
  return Object.keys(attributes).filter((key) => {
    if (!key.includes(".") || conventional.has(key.slice(0, key.indexOf(".")))) return false;
    return key.endsWith(".name") || (key.endsWith(".id") && attributes[`${key.slice(0, -3)}.name`] === undefined);
  }).sort();
}

/** A short note that distinguishes the record from others with the same name. */
export function note(item) {
  const attributes = item.attributes ?? {};
  const first = (...names) => names.map((name) => attributes[name]).find((value) => typeof value === "string" || typeof value === "number");
  if (item.details?.message) return item.details.message;
  const description = conditionOf(item) ?? healthEventOf(item);
  if (description) return description.note(item);
  if (item.kind === "request" || item.kind === "server") {
    const url = shortURL(first("url.full", "http.url", "url.path", "http.target") ?? "");
    return item.name.endsWith(url) ? "" : url;
  }
  const parts = [
    first("app.widget.id", "app.widget.name"), first("app.screen.name"), first("ios.app.state"), first("network.connection.type"),
    ...subjects(attributes).map((key) => first(key)), first("exception.message"),
  ];
  if (item.name && item.body !== undefined) parts.push(attribute(item.body).text);
  return [...new Set(parts.filter((part) => part !== undefined && part !== item.name))].slice(0, 3).join(" · ");
}

function shortURL(text) {
  try {
    const url = new URL(String(text));
    return url.pathname + url.search;
  } catch {
    return String(text);
  }
}

export function status(item) {
  const code = item.attributes?.["http.response.status_code"] ?? item.attributes?.["http.status_code"];
  if (item.kind !== "request" && item.kind !== "server") return null;
  if (code === undefined) return item.error ? h("span", { class: "status bad" }, "failed") : null;
  return h("span", { class: `status ${code >= 400 ? "bad" : ""}` }, String(code));
}

export function searchable(item) {
  item.searchText ??= `${item.name} ${conditionOf(item) ?? healthEventOf(item) ? `${title(item)} ${note(item)}` : ""} ${item.service} ${item.traceId ?? ""} ${JSON.stringify(item.attributes ?? "")} ${JSON.stringify(item.details ?? "")} ${JSON.stringify(item.body ?? "")}`.toLowerCase();
  return item.searchText;
}
