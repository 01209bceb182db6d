// @ts-check
// What the flight recorder sent and did not send, on the pages of sessions and devices.

import { calculations } from "./charts.js";
import { tableFrame } from "./components.js";
import { h, icon } from "./dom.js";
import { promotionsOf, promotionText, refusalWords } from "../lib/recorder.js";
import { equals } from "../lib/query-text.js";
import { count, plural } from "../shared/format.js";
import { triggerTitle } from "../shared/triggers.js";

/** How many promotions of a session are described. */
const described = 3;

/** A badge with the first trigger of a session, and the number of others; nothing for a session that was not promoted. */
export function recorderBadge(triggers) {
  if (!triggers.length) return null;
  return h("span", { class: "badge", title: `Sent by the flight recorder: ${triggers.map(triggerTitle).join(", ")}` },
    icon("recorder"), triggerTitle(triggers[0]), triggers.length > 1 ? ` +${triggers.length - 1}` : null);
}

/** Says of each promotion of a session what was sent, or why nothing was. */
export function promotionNotices(items, session) {
  const promotions = promotionsOf(items);
  const first = promotions.find(({ records }) => records);
  const lines = promotions.slice(0, described).map((promotion) => promotionText(promotion, session.startUs, { isFirst: promotion === first, items }));
  if (promotions.length > described) lines.push(`${plural(promotions.length - described, "more promotion")} of this session.`);
  return lines.map((line) => h("p", { class: "notice" }, icon("recorder"), h("span", {}, line)));
}

/** The query for the promotions of a device by trigger and refusal. */
export function promotionsQuery(device) {
  return `count, sum(astrolabe.recorder.records), sum(astrolabe.recorder.refused) of events by astrolabe.recorder.trigger, astrolabe.recorder.refusal ${whereOf(device)} limit 100 last 3650d every total raw`;
}

const whereOf = (device, more = "") => `where name = "astrolabe.recorder.promotion" and ${equals("app.installation.id", device)}${more}`;

/**
 * The state of a device's ring and its promotions; nothing if it has sent neither.
 *
 * `answer` is that to `promotionsQuery`, or undefined.
 */
export function recorderPanel(device, account, answer) {
  const rows = answer?.rows.filter((row) => !row.other) ?? [];
  if (account?.notSent === undefined && !rows.length) return null;
  return [
    h("header", { class: "panel-head" }, h("h2", {}, "Flight recorder")),
    h("p", {}, account?.notSent === undefined ? "This device has not sent how many records its ring holds."
      : `The ring holds ${plural(account.notSent, "record")} that ${account.notSent === 1 ? "was" : "were"} not sent, or has overwritten them.`),
    rows.length ? tableFrame("Promotions by trigger", h("table", { class: "results plain" },
      h("thead", {}, h("tr", {}, ["Trigger", "Promotions", "Records sent", "Refused", "Reason"].map((title, index) =>
        h("th", { scope: "col", class: index > 0 && index < 4 ? "end" : "" }, title)))),
      h("tbody", {}, rows.map((row) => promotionRow(device, row, calculations(answer))))))
      : h("p", { class: "faint" }, "It has promoted nothing."),
  ];
}

function promotionRow(device, { key: [trigger, refusal], values }, columns) {
  const query = `count of events by session.id ${whereOf(device, ` and ${equals("astrolabe.recorder.trigger", trigger)}`)} last 30d`;
  return h("tr", {},
    h("th", { scope: "row" }, h("a", { class: "link", href: `/explore?${new URLSearchParams({ q: query, tab: "sessions" })}` }, triggerTitle(trigger ?? "none"))),
    columns.map((column) => h("td", { class: "end num" }, count(values[column.index] ?? 0))),
    h("td", {}, refusal ? refusalWords(refusal) : h("span", { class: "faint" }, "–")));
}
