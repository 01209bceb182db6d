// Crashes, hangs, late frames and endings of the app in words, for a timeline.

import { h } from "/assets/dom.js";
import { duration, plural } from "/assets/format.js";

const reasons = {
  clean: "the app ended by itself", crash: "it crashed", hang: "it hung until it was killed",
  killed_in_foreground: "it was killed while in front: out of memory, or by a person", killed_in_background: "it was killed in the background",
  app_update: "the app was updated", system_update: "the system was updated", reboot: "the device started anew",
};

const kinds = {
  "app.crash": { icon: "crash", title: (item) => `Crash: ${text(item, "exception.message") || text(item, "exception.type") || "no message"}`,
    note: (item) => [text(item, "exception.type"), text(item, "app.screen.name")].filter(Boolean).join(" · "), details: problemLink("crash", "its stacks, and others like it") },
  "astrolabe.hang": { icon: "hang", title: (item) => `Hang: the main thread did not answer for ${seconds(item, "astrolabe.hang.duration")}${item.attributes?.["astrolabe.hang.has_ended"] === false ? ", until the app ended" : ""}`,
    note: (item) => [text(item, "astrolabe.hang.severity") === "severe" ? "severe" : "", text(item, "app.screen.name")].filter(Boolean).join(" · "), details: problemLink("hang", "what it did meanwhile") },
  "app.jank": { icon: "gauge", title: (item) => `${plural(number(item, "app.jank.frame_count") ?? 0, `${isFrozen(item) ? "frozen" : "slow"} frame`)} in ${seconds(item, "app.jank.period")}`,
    note: (item) => [number(item, "astrolabe.jank.longest") === undefined ? "" : `longest ${seconds(item, "astrolabe.jank.longest")}`, text(item, "app.screen.name")].filter(Boolean).join(" · ") },
  "astrolabe.run.end": { icon: "runend", title: (item) => `End of the run: ${Object.hasOwn(reasons, text(item, "astrolabe.run.end.reason")) ? reasons[text(item, "astrolabe.run.end.reason")] : text(item, "astrolabe.run.end.reason") || "for a reason not told"}`,
    note: (item) => [number(item, "astrolabe.run.duration") === undefined ? "" : `after ${seconds(item, "astrolabe.run.duration")}`, ...evidence(item)].filter(Boolean).join(" · "),
    details: (item) => (evidence(item).length ? h("section", { class: "because" }, h("p", {}, "Because"), h("ul", {}, evidence(item).map((words) => h("li", {}, words)))) : null) },
};

/** How to tell of a record, where it is one of the app's troubles. */
export function toldOf(item) {
  return (item.kind === "event" || item.kind === "crash") && Object.hasOwn(kinds, item.name) ? kinds[item.name] : undefined;
}

/** Gives a hang the time it took, so that it is drawn as long as it was. */
export function relateTroubles(items) {
  for (const item of items) {
    const length = item.name === "astrolabe.hang" ? number(item, "astrolabe.hang.duration") : undefined;
    if (length !== undefined) item.durationNs = length * 1e9;
  }
}

function problemLink(what, why) {
  return (item) => h("p", { class: "because" }, h("a", { class: "link", href: `/health/problems/${item.seq}` }, `Open the ${what}`), ` with ${why}.`);
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
