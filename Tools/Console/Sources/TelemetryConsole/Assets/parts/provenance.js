// @ts-check
// Where a record comes from: its instrumentation scope, severity, observed time, flags and schema.

import { h } from "./dom.js";
import { duration, moment, offset } from "../shared/format.js";

/** Says by how much the clocks of phone and backend differ. `shiftNs` is what was added to the backend's times. */
export function clockNotice(shiftNs) {
  return `The phone's clock is ${duration(Math.abs(shiftNs))} ${shiftNs > 0 ? "ahead of" : "behind"} the backend's. Corrected: the backend's records are shown in the phone's time.`;
}

/** OTLP's flags in words; empty if none is set. */
export function flagsText(flags = 0) {
  const words = [];
  if (flags & 0x01) words.push("sampled");
  if (flags & 0x02) words.push("random trace id");
  if (flags & 0x100) words.push(flags & 0x200 ? "remote parent" : "local parent");
  const rest = flags & ~0x303;
  if (rest) words.push(`0x${(rest >>> 0).toString(16)}`);
  return words.join(", ");
}

export function scopeText(scope) {
  return scope ? [scope.name || "(no name)", scope.version].filter(Boolean).join(" ") : "";
}

export function scopeTag(scope) {
  return scope?.name ? h("span", { class: "tag", title: scope.schemaUrl ?? "" }, `scope ${scopeText(scope)}`) : null;
}

/** The severity in the sender's words, with OTLP's number. */
export function severityTag(item) {
  if (item.severity === undefined || (!item.severity && !item.severityText)) return null;
  return h("span", { class: "tag" }, `severity ${[item.severityText, item.severity || ""].filter(Boolean).join(" ")}`);
}

/** Why the time of a log record is not the sender's; nothing if it is. */
export function timeTag(item) {
  if (item.timeUnknown) return h("span", { class: "tag" }, "no time sent");
  if (item.sentUs === undefined) return null;
  return h("span", { class: "tag" }, `sent as ${moment(item.sentUs)}, which is too far ahead`);
}

/**
 * What is wrong with the times that a span was sent with; empty if nothing is.
 *
 * @param {{ outsideUs?: number, details?: { sentStart?: any, sentEnd?: any } }} span
 */
export function timeFault({ outsideUs, details = {} }) {
  if (outsideUs !== undefined) return `Began at ${moment(outsideUs)}, more than a week before the rest of the trace.`;
  if (details.sentStart === undefined) return "";
  const [start, end] = [details.sentStart, details.sentEnd].map((value) => Number(value?.$int ?? value));
  if (!start) return end ? "Sent without a start. It is shown at its end." : "Sent without a time. It is shown at its arrival.";
  if (!end) return "Sent without an end.";
  return end < start ? "Sent with an end before its start." : `Sent with a time that is too far ahead: ${moment(end / 1e3)}.`;
}

/**
 * How much later than its end a record arrived; empty if it was within a minute.
 *
 * @param {{ delayNs?: number }} item
 */
export function arrivalText({ delayNs = 0 }) {
  return delayNs < 60e9 ? "" : `arrived ${duration(delayNs)} later`;
}

export function arrivalTag(item) {
  return arrivalText(item) ? h("span", { class: "tag", title: moment(item.arrivedUs) }, arrivalText(item)) : null;
}

/** When the sender saw a record, relative to when it happened. */
export function observedTag(item) {
  if (item.observedUs === undefined) return null;
  const recorded = item.timeUs - Math.round((item.shiftNs ?? 0) / 1e3);
  return h("span", { class: "tag" }, `observed ${offset(item.observedUs - recorded)}`);
}
