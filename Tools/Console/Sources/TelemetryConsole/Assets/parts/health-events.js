// @ts-check
// Titles, notes and details of an app's crashes, hangs, late frames and run endings, for a timeline.

import { h } from "./dom.js";
import { duration, plural } from "../shared/format.js";

const reasons = {
  clean: "exit",
  crash: "crash",
  hang: "killed during a hang",
  signal: "ended by a signal",
  low_memory: "out of memory",
  killed_in_foreground: "killed in the foreground (out of memory, or by the user)",
  killed_in_background: "killed in the background",
  app_update: "app update",
  system_update: "system update",
  reboot: "device restart",
  unknown: "unknown, its file could not be read",
};

const kinds = {
  "app.crash": {
    icon: "crash",
    title: (item) => `Crash: ${text(item, "exception.message") || text(item, "exception.type") || "no message"}`,
    note: (item) => joined(text(item, "exception.type"), text(item, "app.screen.name")),
    details: problemLink("Open crash", "Stacks and other occurrences"),
  },
  "astrolabe.hang": {
    icon: "hang",
    title: (item) => {
      const isOver = item.attributes?.["astrolabe.hang.has_ended"] !== false;
      return `Hang: ${seconds(item, "astrolabe.hang.duration")}${isOver ? "" : ", until the app ended"}`;
    },
    note: (item) => joined(
      text(item, "astrolabe.hang.severity") === "severe" ? "severe" : "", text(item, "app.screen.name")),
    details: problemLink("Open hang", "Stacks sampled during the hang"),
  },
  "app.jank": {
    icon: "gauge",
    title: (item) => {
      const frames = plural(number(item, "app.jank.frame_count") ?? 0, `${isFrozen(item) ? "frozen" : "slow"} frame`);
      return `${frames} in ${seconds(item, "app.jank.period")}`;
    },
    note: (item) => joined(labelled(item, "longest", "astrolabe.jank.longest"), text(item, "app.screen.name")),
  },
  "astrolabe.run.end": {
    icon: "runend",
    title: (item) => {
      const reason = text(item, "astrolabe.run.end.reason");
      return `Run ended: ${Object.hasOwn(reasons, reason) ? reasons[reason] : reason || "unknown reason"}`;
    },
    note: (item) => joined(labelled(item, "after", "astrolabe.run.duration"), ...evidence(item)),
    details: (item) => (evidence(item).length
      ? h("section", { class: "because" }, h("p", {}, "Evidence"),
        h("ul", {}, evidence(item).map((words) => h("li", {}, words))))
      : null),
  },
};

/** Returns the description of a record if it is a health event. */
export function healthEventOf(item) {
  const isEvent = item.kind === "event" || item.kind === "crash";
  return isEvent && Object.hasOwn(kinds, item.name) ? kinds[item.name] : undefined;
}

/** Sets the duration of each hang, so that it is drawn with its length. */
export function setHangDurations(items) {
  for (const item of items) {
    const length = item.name === "astrolabe.hang" ? number(item, "astrolabe.hang.duration") : undefined;
    if (length !== undefined) item.durationNs = length * 1e9;
  }
}

function problemLink(title, note) {
  return (item) => h("p", { class: "because" },
    h("a", { class: "link", href: `/health/problems/${item.seq}` }, title), ` ${note}`);
}

/** The non-empty parts of a note. */
function joined(...parts) {
  return parts.filter(Boolean).join(" · ");
}

function labelled(item, label, name) {
  return number(item, name) === undefined ? "" : `${label} ${seconds(item, name)}`;
}

function isFrozen(item) {
  return (number(item, "app.jank.threshold") ?? 0) >= 0.1;
}

function evidence(item) {
  const list = item.attributes?.["astrolabe.run.end.evidence"];
  return Array.isArray(list) ? list.filter((words) => typeof words === "string") : [];
}

function text(item, name) {
  const value = item.attributes?.[name];
  return typeof value === "string" ? value : "";
}

function number(item, name) {
  const value = item.attributes?.[name];
  return typeof value === "number" ? value : undefined;
}

function seconds(item, name) {
  return duration((number(item, name) ?? 0) * 1e9);
}
