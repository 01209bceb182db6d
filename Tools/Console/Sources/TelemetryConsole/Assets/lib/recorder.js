// @ts-check
// Why a session is here: chosen by chance, or sent by the flight recorder, and which part of it.

import { offset, percent, plural } from "../shared/format.js";
import { triggerCause, triggerTitle } from "../shared/triggers.js";
import { both, items as partsOf } from "./query-text.js";

/**
 * A record of a session or of a trace as the API gives it, and a request to the flight recorder with what came of it.
 *
 * @typedef {any} Item
 * @typedef {object} Promotion
 * @property {string} trigger
 * @property {number} records How many of its records are loaded.
 * @property {number} fromUs When the first of them began; `Infinity` without one.
 * @property {number} toUs When the last of them ended; `-Infinity` without one.
 * @property {Item} [event] The event that says what was sent. It comes a minute after the trigger and has its time.
 */

export const promotionEvent = "astrolabe.recorder.promotion";

/** @type {Record<string, string>} */
const refusals = {
  daily_bytes: "the bytes of a day were used up",
  hourly_bytes: "the ring had written the bytes of an hour, and the recorder was off",
};

/** @param {string} refusal */
export const refusalWords = (refusal) => (Object.hasOwn(refusals, refusal) ? refusals[refusal] : refusal);

/** @type {(item: Item, name: string) => string} */
const text = (item, name) => (typeof item?.attributes?.[`astrolabe.recorder.${name}`] === "string" ? item.attributes[`astrolabe.recorder.${name}`] : "");
/** @type {(item: Item, name: string) => number} */
const number = (item, name) => (typeof item?.attributes?.[`astrolabe.recorder.${name}`] === "number" ? item.attributes[`astrolabe.recorder.${name}`] : 0);

/**
 * The trigger that a record was sent for, or "". The event about a promotion is none of its records.
 *
 * @param {Item} item
 */
export const triggerOf = (item) => (item.name === promotionEvent ? "" : text(item, "trigger"));

/**
 * The promotions of a device among records, the first part first. A server's recorder sends trace by trace, and what it
 * sent says nothing about the device's ring.
 *
 * @param {Item[]} items
 * @returns {Promotion[]}
 */
export function promotionsOf(items) {
  /** @type {Map<string, Promotion>} */
  const found = new Map();
  for (const item of items) {
    const trigger = text(item, "trigger");
    if (!trigger || item.side === "backend") continue;
    const id = text(item, "id") || trigger;
    const promotion = found.get(id) ?? { trigger, records: 0, fromUs: Infinity, toUs: -Infinity };
    found.set(id, promotion);
    if (item.name === promotionEvent) promotion.event = item;
    else {
      promotion.records += 1;
      promotion.fromUs = Math.min(promotion.fromUs, item.timeUs);
      promotion.toUs = Math.max(promotion.toUs, item.timeUs + (item.durationNs ?? 0) / 1e3);
    }
  }
  const start = (/** @type {Promotion} */ it) => Math.min(it.fromUs, it.event?.timeUs ?? Infinity);
  return [...found.values()].sort((one, other) => start(one) - start(other));
}

/**
 * The probability with which the records were chosen, from the threshold in `tracestate`; `undefined` without one.
 *
 * @param {Item[]} items
 * @returns {number | undefined}
 */
export function rateOf(items) {
  for (const item of items) {
    const digits = /(?:^|,)[ \t]*ot=(?:[^,;]*;)*?th:([0-9a-f]{1,14})[ \t]*(?=[,;]|$)/.exec(item.details?.state ?? "")?.[1];
    if (digits) return 1 - Number.parseInt(digits.padEnd(14, "0"), 16) / 2 ** 56;
  }
  return undefined;
}

/**
 * Whether spans of a device that were chosen by chance began in a part of the time.
 *
 * @param {Item[]} items
 * @param {number} fromUs
 * @param {number} toUs
 */
const isSampled = (items, fromUs, toUs) =>
  items.some((item) => item.side !== "backend" && item.timeUs >= fromUs && item.timeUs < toUs && rateOf([item]) !== undefined);

/**
 * Why a session is here, as a value and a note to it; `undefined` if its records do not say.
 *
 * @param {Item[]} items
 * @returns {[value: string, note: string] | undefined}
 */
export function reasonOf(items) {
  const promotions = promotionsOf(items);
  const sent = promotions.filter(({ records }) => records);
  const promoted = `promoted: ${[...new Set(sent.map(({ trigger }) => triggerTitle(trigger).toLowerCase()))].join(", ")}`;
  const rate = rateOf(items.filter((item) => item.side !== "backend"));
  if (rate !== undefined) return ["Sampled", `${percent(rate)} of sessions are${sent.length ? `; ${promoted}` : ""}`];
  if (sent.length) return [promoted[0].toUpperCase() + promoted.slice(1), plural(sent.reduce((sum, { records }) => sum + records, 0), "record")];
  if (promotions.length) return ["Sampled out", "nothing of its recording was sent"];
  const ofDevice = items.filter((item) => item.side === "device");
  return ofDevice.length && ofDevice.every((item) => ["event", "log", "crash"].includes(item.kind)) ? ["Events only", "it was sampled out, or has no spans"] : undefined;
}

/** The time in microseconds from which on a session without records counts as overwritten. */
const gapUs = 5e6;
/**
 * The default window before a trigger is 15 minutes. A part that begins about there was not cut by the ring. That of a flow is
 * the whole session.
 */
const windowUs = 14.5 * 60e6;

/**
 * What the flight recorder sent of a session, in sentences.
 *
 * @param {Promotion} promotion
 * @param {number} startUs When the session began.
 * @param {{ isFirst?: boolean, items?: Item[] }} options With `items`, the records of the session, it is known what was sampled before.
 */
export function promotionText({ trigger, records, fromUs, toUs, event }, startUs, { isFirst = true, items = [] } = {}) {
  const at = (/** @type {number} */ timeUs) => offset(timeUs - startUs);
  const because = `because of ${triggerCause(trigger)}${event ? ` at ${at(event.timeUs)}` : ""}`;
  const [from, to] = [text(event, "flow.from"), text(event, "flow.to")];
  const isOfWindow = event && !from && event.timeUs - fromUs > windowUs;
  return [
    records ? `The flight recorder sent ${plural(records, "record")}, from ${at(fromUs)} to ${at(toUs)}, ${because}.`
      : `The flight recorder was asked for this session ${because}. No record of it is here.`,
    text(event, "reason") ? `The app's reason: ${text(event, "reason")}.` : "",
    from ? `The session showed ${from}, and ended before ${to}.` : "",
    !records || !isFirst || fromUs - startUs < gapUs || isSampled(items, startUs, fromUs) ? ""
      : isOfWindow ? "What came before is outside of its window." : "The ring had overwritten what came before.",
    refused(event),
    event ? "" : "What it sent in all is known a minute after the trigger.",
  ].filter(Boolean).join(" ");
}

/** @param {Item} event */
function refused(event) {
  const [least, why] = [number(event, "refused"), text(event, "refusal")];
  if (least) return `${plural(least, "record")} more had no room: ${refusalWords(why)}.`;
  return why ? `Some of it was not recorded: ${refusalWords(why)}.` : "";
}

/**
 * A short note to the event about a promotion.
 *
 * @param {Item} event
 */
export function promotionNote(event) {
  return [
    `${plural(number(event, "records"), "record")} sent`, number(event, "refused") ? `${plural(number(event, "refused"), "record")} refused` : "",
    text(event, "refusal") ? refusalWords(text(event, "refusal")) : "", text(event, "reason"),
  ].filter(Boolean).join(" · ");
}

/**
 * What the flight recorder sent over the time of a session, as a row of parts; none if it sent nothing.
 *
 * @param {Item[]} items
 * @param {{ startUs: number, endUs: number }} session
 * @returns {{ title: string, parts: { text: string, from: number }[] }[]}
 */
export function recorderBands(items, { startUs, endUs }) {
  const sent = promotionsOf(items).filter(({ records }) => records);
  if (!sent.length) return [];
  /** @type {{ text: string, from: number }[]} */
  const parts = [];
  let end = startUs;
  const between = (/** @type {number} */ to) => ({ text: isSampled(items, end, to) ? "sampled" : "not sent", from: end });
  for (const { trigger, fromUs, toUs } of sent) {
    if (fromUs - end > (parts.length ? gapUs : 0)) parts.push(between(fromUs));
    parts.push({ text: triggerTitle(trigger), from: Math.max(fromUs, end) });
    end = Math.max(end, toUs);
  }
  if (end < endUs) parts.push(between(endUs));
  return [{ title: "Recorder", parts }];
}

/**
 * The conditions for promoted records and for the others, by dataset. Metric points are not promoted.
 *
 * @type {Record<string, { only: string, without: string }>}
 */
const conditions = {
  spans: { only: "astrolabe.recorder.trigger exists", without: "astrolabe.recorder.trigger not exists" },
  events: { only: "astrolabe.recorder.trigger exists", without: "astrolabe.recorder.trigger not exists" },
  sessions: { only: "promoted = true", without: "promoted = false" },
  issues: { only: "session.promoted = true", without: "session.promoted != true" },
};
const everyCondition = new Set(Object.values(conditions).flatMap(({ only, without }) => [only, without]));

/**
 * Whether a query can tell promoted records from others.
 *
 * @param {Record<string, string>} parts A query as `split` returns it.
 */
export const knowsPromoted = (parts) => Object.hasOwn(conditions, parts.of || "spans");

/**
 * Whether the records of a query are weighted: only spans are sampled. An event, a session and an issue count once each.
 *
 * @param {Record<string, string>} parts
 */
const isWeighted = (parts) => (parts.of || "spans") === "spans";

/**
 * The choices of what a query does with promoted records, as `promotedChoice` returns them, with titles.
 *
 * @param {Record<string, string>} parts
 * @returns {[choice: string, title: string][]}
 */
export function promotedChoices(parts) {
  const counted = "Promoted: counted once each";
  /** @type {[string, string][]} */
  const included = isWeighted(parts) ? [["", "Promoted: listed, not counted"], ["counted", counted]] : [["", counted]];
  return [...included, ["without", "Without promoted"], ["only", "Only promoted"]];
}

/**
 * What a query does with promoted records. Spans stand for no others, so that a weighted count leaves them out. They are
 * `counted` if each record counts once. A query is `without` them, or has `only` them and counts each once.
 *
 * @param {Record<string, string>} parts
 * @returns {"" | "counted" | "only" | "without"}
 */
export function promotedChoice(parts) {
  const chosen = partsOf(parts.where ?? "", "and").find((part) => everyCondition.has(part));
  if (!chosen) return parts.raw && isWeighted(parts) ? "counted" : "";
  return Object.values(conditions).some(({ only }) => only === chosen) ? "only" : "without";
}

/**
 * The query with another choice.
 *
 * @param {Record<string, string>} parts
 * @param {string} choice
 * @returns {Record<string, string>}
 */
export function choosePromoted(parts, choice) {
  const where = partsOf(parts.where ?? "", "and").filter((part) => !everyCondition.has(part)).join(" and ");
  const raw = choice === "counted" || choice === "only" ? "raw" : "";
  if (!knowsPromoted(parts) || (choice !== "only" && choice !== "without")) return { ...parts, where, raw };
  return { ...parts, where: both(where, conditions[parts.of || "spans"][choice]), raw };
}
