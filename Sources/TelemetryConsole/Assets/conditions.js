// What a device lived through and what its SDK decided after it, in words.

import { h } from "/assets/dom.js";
import { bytes } from "/assets/format.js";

const networks = { wifi: "Wi-Fi", cell: "cellular", wired: "Ethernet", unknown: "a network of unknown kind", unavailable: "no network" };
const radios = { lte: "LTE", nr: "5G", nrnsa: "5G", edge: "EDGE", gprs: "GPRS" };
const appStates = {
  active: "App is active", inactive: "App is inactive", background: "App went to the background",
  foreground: "App came to the foreground", terminate: "App is about to end",
};
const uploads = {
  immediate: "sends at once", batched: "sends in batches", wifiOnly: "waits for Wi-Fi, but for crashes", queued: "keeps records on the device",
};
const modes = ["minimal", "reduced", "normal", "full"];

const kinds = {
  "network.change": { icon: "network", title: networkTitle, note: () => "" },
  "device.app.lifecycle": { icon: "phone", title: (item) => appStates[text(item, "ios.app.state")] ?? `App state: ${text(item, "ios.app.state") || "not told"}`, note: () => "" },
  "astrolabe.policy.change": { icon: "policy", title: policyTitle, note: policyNote, details: policyDetails },
  "astrolabe.budget.step": { icon: "gauge", title: budgetTitle, note: budgetNote },
};

/** How to tell of a record, where it is one of the device's conditions or of a decision after them. */
export function conditionOf(item) {
  return item.kind === "event" && Object.hasOwn(kinds, item.name) ? kinds[item.name] : undefined;
}

/** Tells every change of the network what the network was before it: each record of a device carries its network. */
export function relateConditions(items) {
  const last = new Map();
  for (const item of items) {
    if (item.lane !== "device") continue;
    const now = network(item);
    if (item.name === "network.change") item.networkBefore = last.get(item.service);
    if (now) last.set(item.service, now);
  }
}

/** Whether the record is of a moment in which less was possible than usual. */
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
  const now = network(item) || "not told";
  const before = item.networkBefore;
  return before && before !== now ? `Network: ${before} → ${now}` : `Network: ${now}`;
}

function modeSteps(item) {
  return [modes.indexOf(text(item, "astrolabe.policy.previous_mode")), modes.indexOf(text(item, "astrolabe.policy.mode"))];
}

function policyTitle(item) {
  const [from, to] = modeSteps(item);
  const mode = text(item, "astrolabe.policy.mode");
  if (from < 0 || from === to) return `Policy: ${mode || "unknown"} mode, ${uploadWords(item)}`;
  return `Policy: collects ${to < from ? "less" : "more"}, ${modes[from]} → ${mode}`;
}

function uploadWords(item) {
  const upload = text(item, "astrolabe.policy.upload");
  return Object.hasOwn(uploads, upload) ? uploads[upload] : upload || "upload not told";
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
    h("p", {}, `In ${text(item, "astrolabe.policy.mode") || "an unknown"} mode the app ${rate === undefined ? "" : `keeps ${Number((rate * 100).toFixed(2))} % of sessions and `}${uploadWords(item)}${reasons.length ? ", because of" : "."}`),
    h("ul", {}, reasons.map((reason) => h("li", {}, reason))));
}

function budgetTitle(item) {
  const [from, to] = modeSteps(item);
  const resource = text(item, "astrolabe.budget.resource") || "the device";
  if (from < 0 || to < 0) return `Budget: the SDK's own use of ${resource}`;
  return `Budget: the SDK's own use of ${resource}, ${modes[from]} → ${modes[to]} mode`;
}

function budgetNote(item) {
  const amount = (value) => {
    if (value === undefined) return "?";
    switch (text(item, "astrolabe.budget.resource")) {
      case "CPU": return `${Number((value * 100).toFixed(2))} %`;
      case "memory": return bytes(value);
      case "network": return `${bytes(value)}/h`;
      default: return String(value);
    }
  };
  return `${amount(number(item, "astrolabe.budget.measured"))} used, ${amount(number(item, "astrolabe.budget.limit"))} allowed`;
}
