// @ts-check
// Descriptions of device conditions and of the SDK's policy decisions.

import { h } from "./dom.js";
import { bytes, decimalPercent, duration } from "../shared/format.js";
import { promotionEvent, promotionNote } from "../lib/recorder.js";
import { triggerTitle } from "../shared/triggers.js";

const networks = { wifi: "Wi-Fi", cell: "cellular", wired: "Ethernet", unknown: "unknown network", unavailable: "no network" };
const radios = { lte: "LTE", lte_ca: "LTE", nr: "5G", nrnsa: "5G", cdma2000_1xrtt: "CDMA", evdo_0: "EV-DO", evdo_a: "EV-DO", evdo_b: "EV-DO", td_scdma: "TD-SCDMA" };
const appStates = {
  active: "App is active", inactive: "App is inactive", background: "App went to the background",
  foreground: "App came to the foreground", terminate: "App is terminating",
};
const uploads = {
  immediate: "sends immediately", batched: "sends in batches", wifiOnly: "waits for Wi-Fi, except for crashes", queued: "keeps records on the device",
};
const modes = ["minimal", "reduced", "normal", "full"];

const kinds = {
  "network.change": { icon: "network", title: networkTitle, note: networkNote },
  "device.app.lifecycle": { icon: "phone", title: (item) => appStates[text(item, "ios.app.state")] ?? `App state: ${text(item, "ios.app.state") || "unknown"}`, note: () => "" },
  "astrolabe.policy.change": { icon: "policy", title: policyTitle, note: policyNote, details: policyDetails },
  [promotionEvent]: { icon: "recorder", title: (item) => `Flight recorder: ${triggerTitle(text(item, "astrolabe.recorder.trigger"))}`, note: promotionNote },
  "astrolabe.budget.step": { icon: "gauge", title: budgetTitle, note: budgetNote, details: budgetDetails },
};

/** Returns the description of a record if it is a device condition or a policy decision. */
export function conditionOf(item) {
  return item.kind === "event" && Object.hasOwn(kinds, item.name) ? kinds[item.name] : undefined;
}

/** Adds the previous network to every network change. Each record of a device carries its network. */
export function relateConditions(items) {
  const last = new Map();
  for (const item of items) {
    if (item.side !== "device") continue;
    const now = network(item);
    const before = last.get(item.service);
    if (item.name === "network.change") {
      item.networkBefore = before?.name;
      item.networkLastedUs = before?.since === undefined ? undefined : item.timeUs - before.since;
      last.set(item.service, { name: now, since: item.timeUs });
    } else if (now && !before) last.set(item.service, { name: now });
  }
}

/**
 * Returns the conditions over time as rows of parts `{ text, from, isStrained }`. Each part ends where the next starts.
 * A row appears if a record reports a change of its condition.
 */
export function conditionBands(items, start) {
  const rows = { Network: [], Mode: [], App: [] };
  const add = (row, words, from, isBad = false) => {
    if (words && words !== rows[row].at(-1)?.text) rows[row].push({ text: words, from: Math.max(from, start), isStrained: isBad });
  };
  for (const item of items) {
    if (item.side !== "device" || !conditionOf(item)) continue;
    switch (item.name) {
      case "network.change":
        if (!rows.Network.length) add("Network", item.networkBefore, start, item.networkBefore === networks.unavailable);
        add("Network", network(item), item.timeUs, isStrained(item));
        break;
      case "device.app.lifecycle": {
        const isBehind = text(item, "ios.app.state") === "background";
        if (!rows.App.length) add("App", "foreground", start);
        if (isBehind) add("App", "background", item.timeUs);
        else if (["active", "foreground"].includes(text(item, "ios.app.state"))) add("App", "foreground", item.timeUs);
        break;
      }
      default: {
        const [from, to] = modeSteps(item);
        if (to < 0) break;
        if (!rows.Mode.length && from >= 0) add("Mode", modes[from], start, from < modes.indexOf("normal"));
        add("Mode", modes[to], item.timeUs, to < modes.indexOf("normal"));
      }
    }
  }
  return Object.entries(rows).filter(([, parts]) => parts.length > 1).map(([title, parts]) => ({ title, parts }));
}

/** Whether the record reports a restriction: no network, or a lower mode. */
export function isStrained(item) {
  if (item.name === "network.change") return text(item, "network.connection.type") === "unavailable";
  const [from, to] = modeSteps(item);
  return to >= 0 && from > to;
}

function text(item, name) {
  const value = item.attributes?.[name];
  return typeof value === "string" ? value : "";
}

function number(item, name) {
  const value = item.attributes?.[name];
  return typeof value === "number" ? value : undefined;
}

function network(item) {
  const type = text(item, "network.connection.type");
  if (!type) return "";
  const radio = text(item, "network.connection.subtype");
  const name = Object.hasOwn(networks, type) ? networks[type] : type;
  return radio ? `${name} (${[Object.hasOwn(radios, radio) ? radios[radio] : radio.toUpperCase(), text(item, "network.carrier.name")].filter(Boolean).join(", ")})` : name;
}

function networkTitle(item) {
  const now = network(item) || "unknown";
  const before = item.networkBefore;
  return before && before !== now ? `Network: ${before} → ${now}` : `Network: ${now}`;
}

function networkNote(item) {
  const { networkBefore, networkLastedUs } = item;
  return networkBefore && networkLastedUs > 0 && networkBefore !== network(item) ? `after ${duration(networkLastedUs * 1e3)} of ${networkBefore}` : "";
}

function modeSteps(item) {
  return [modes.indexOf(text(item, "astrolabe.policy.previous_mode")), modes.indexOf(text(item, "astrolabe.policy.mode"))];
}

function policyTitle(item) {
  const [from, to] = modeSteps(item);
  const mode = text(item, "astrolabe.policy.mode");
  if (from < 0 || from === to) return `Policy: ${mode || "unknown"} mode, ${uploadWords(item)}`;
  return `Policy: mode ${to < from ? "lowered" : "raised"}, ${modes[from]} → ${mode}`;
}

function uploadWords(item) {
  const upload = text(item, "astrolabe.policy.upload");
  return Object.hasOwn(uploads, upload) ? uploads[upload] : upload || "unknown upload strategy";
}

function policyReasons(item) {
  const list = item.attributes?.["astrolabe.policy.reasons"];
  return Array.isArray(list) ? list.filter((reason) => typeof reason === "string") : [];
}

function policyNote(item) {
  return policyReasons(item).join(" · ");
}

function policyDetails(item) {
  const reasons = policyReasons(item);
  const rate = number(item, "astrolabe.policy.sampling_rate");
  return h("section", { class: "because" },
    h("p", {}, `In ${text(item, "astrolabe.policy.mode") || "an unknown"} mode the SDK ${rate === undefined ? "" : `keeps ${decimalPercent(rate, 2)} of sessions and `}${uploadWords(item)}${reasons.length ? ". Reasons:" : "."}`),
    h("ul", {}, reasons.map((reason) => h("li", {}, reason))));
}

const uses = { CPU: "CPU", memory: "memory", network: "network" };

function budgetTitle(item) {
  const [from, to] = modeSteps(item);
  const resource = text(item, "astrolabe.budget.resource");
  const use = `Budget: SDK ${Object.hasOwn(uses, resource) ? uses[resource] : resource || "device"} usage`;
  if (from < 0 || to < 0) return use;
  return from === to ? `${use}, stays in ${modes[to]} mode` : `${use}, ${modes[from]} → ${modes[to]}`;
}

function amount(item, name) {
  const value = number(item, name);
  if (value === undefined) return "?";
  switch (text(item, "astrolabe.budget.resource")) {
    case "CPU": return decimalPercent(value, 2);
    case "memory": return bytes(value);
    case "network": return `${bytes(value)} per hour`;
    default: return String(value);
  }
}

function budgetNote(item) {
  return `${amount(item, "astrolabe.budget.measured")} used, ${amount(item, "astrolabe.budget.limit")} allowed`;
}

function budgetDetails(item) {
  const [from, to] = modeSteps(item);
  const share = (number(item, "astrolabe.budget.measured") ?? NaN) / (number(item, "astrolabe.budget.limit") ?? NaN);
  const outcome = to < 0 ? "" : from === to ? ` The SDK stays in ${modes[to]} mode, the lowest.`
    : ` The SDK ${to < from ? "lowered" : "raised"} its mode from ${modes[from]} to ${modes[to]}.`;
  return h("section", { class: "because" },
    h("p", {}, `${budgetNote(item)}.${outcome}`),
    Number.isFinite(share) ? h("div", { class: "budget-bar", "aria-hidden": "true" },
      h("i", { class: share >= 1 ? "lost" : "queue", style: { width: `${Math.min(Math.max(share, 0), 1) * 100}%` } })) : null);
}
