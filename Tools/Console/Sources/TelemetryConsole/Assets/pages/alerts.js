// @ts-check
// The alerts of all boards and their states.

import { changeAlert } from "../lib/alert-api.js";
import { alertQuery } from "../lib/alert-link.js";
import { get } from "../lib/api.js";
import { emptyPage, menuButton, menuList, tableFrame } from "../parts/components.js";
import { h, replace, toast, update } from "../parts/dom.js";
import { filled } from "../parts/loading.js";
import { every } from "../lib/updates.js";
import { exportButton } from "../parts/export.js";
import { moveFocus } from "../parts/keys.js";
import { ago, duration, moment, quantity } from "../shared/format.js";

const pollMilliseconds = 5_000;
const states = {
  firing: ["Firing", "crash"], unknown: ["Unknown", "warn"], pending: ["Pending", "warn"], ok: ["OK", "good"], waiting: ["Waiting", ""],
};
const order = Object.keys(states);

export function alertsPage(root) {
  const abort = new AbortController();
  const body = h("div", { class: "alert-list" });
  let shown = [];
  document.title = "Alerts · Astrolabe";
  replace(root, h("header", { class: "page-head" }, h("h1", {}, "Alerts"), h("div", { class: "spacer" }), exportButton("alerts", () => [{ rows: shown.map(({ history: _history, ...alert }) => alert) }])), body);

  async function load() {
    await filled(body, "Loading the alerts", async () => {
      const { alerts } = await get("alerts", {}, abort.signal, { fresh: pollMilliseconds - 1_000 });
      shown = alerts.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state));
      update(body, alerts.length ? table(shown, change) : emptyPage("No alerts", "An alert is a query with a threshold. Make one in Explore, or below alerts: in the file of a board. Objectives of boards have alerts, too."));
    }, { isRefresh: true, retry: load });
  }

  async function change(alert, part) {
    try {
      await changeAlert(alert.board, alert.name, part);
      await load();
    } catch (error) {
      toast(error.message);
    }
  }

  const stopPolling = every(pollMilliseconds, load);
  load();
  return {
    destroy() { abort.abort(); stopPolling(); },
    keys: [
      { keys: ["j", "ArrowDown"], label: "Next alert", run: () => moveFocus(body, "tbody th a", 1) },
      { keys: ["k", "ArrowUp"], label: "Previous alert", run: () => moveFocus(body, "tbody th a", -1) },
    ],
  };
}

function table(alerts, change) {
  return tableFrame("Alerts", h("table", { class: "results alerts" },
    h("thead", {}, h("tr", {}, ["State", "Alert", "Value", "Threshold", "Since", "Board", "Webhook", ""].map((title) => h("th", { scope: "col" }, title || h("span", { class: "visually-hidden" }, "Actions"))))),
    h("tbody", {}, alerts.map((alert) => row(alert, change)))));
}

function row(alert, change) {
  const [title, tone] = states[alert.state];
  const column = { name: alert.query, unit: alert.unit };
  return h("tr", { class: alert.state, "data-key": `${alert.board} ${alert.name}` },
    h("td", {}, h("span", { class: `badge ${tone}` }, title), alert.mutedUntilUs ? h("p", { class: "faint" }, `muted until ${moment(alert.mutedUntilUs)}`) : null,
      alert.acknowledgedUs ? h("p", { class: "faint" }, `acknowledged ${ago(alert.acknowledgedUs)}`) : null),
    h("th", { scope: "row" }, h("a", { class: "link", href: `/explore?q=${encodeURIComponent(alertQuery(alert))}` }, alert.name),
      alert.note ? h("p", { class: "faint" }, alert.note) : null, alert.state === "firing" ? happened(alert) : null, silence(alert), alert.error ? h("p", { class: "bad" }, alert.error) : null, past(alert, column)),
    h("td", { class: "num", "data-label": "Value" }, alert.value === undefined ? h("span", { class: "faint" }, "no value") : quantity(alert.value, column), alert.group ? h("p", { class: "faint" }, alert.group) : null),
    h("td", { "data-label": "Threshold" }, alert.threshold, alert.severity === "warning" ? h("p", { class: "faint" }, "warning") : null, alert.for > 1 ? h("p", { class: "faint" }, `${alert.for} times in a row, every ${alert.every}`) : null),
    h("td", { "data-label": "Since", title: alert.sinceUs ? moment(alert.sinceUs) : "" }, alert.sinceUs ? ago(alert.sinceUs) : "–"),
    h("td", { "data-label": "Board" }, h("a", { class: "link", href: `/boards/${alert.board}` }, alert.boardTitle)),
    h("td", { "data-label": "Webhook", class: alert.webhook ? null : "none" }, alert.webhook ? [h("code", {}, alert.webhook), alert.format ? h("p", { class: "faint" }, alert.format) : null, alert.webhookResult ? delivery(alert) : null] : h("span", { class: "faint" }, "–")),
    h("td", {}, menuButton(`Actions for ${alert.name}`, "more", (close) => menuList(actions(alert, change), close))));
}

function actions(alert, change) {
  const muted = [["Mute for 1 hour", 3_600], ["Mute for 1 day", 86_400], ["Mute for 1 week", 604_800]];
  return [
    ...(alert.state === "firing" && !alert.acknowledgedUs ? [["Acknowledge", () => change(alert, { acknowledged: true })]] : []),
    ...(alert.mutedUntilUs ? [["End the mute", () => change(alert, { muteSeconds: 0 })]] : muted.map(([title, muteSeconds]) => [title, () => change(alert, { muteSeconds })])),
  ];
}

// The newest changes, each with the time at which the console learned of it.
function past({ history, name }, column) {
  if (!history.length) return null;
  return h("details", { "data-key": `history ${name}` }, h("summary", { class: "faint" }, `History: ${history.length}`),
    h("ul", { class: "alert-history" }, history.slice(0, 10).map((entry) => h("li", { class: "faint" },
      [moment(entry.timeUs), entry.state, entry.group, entry.value === undefined ? "" : quantity(entry.value, column),
        entry.happenedUs !== undefined && entry.timeUs - entry.happenedUs >= minute ? `happened ${duration((entry.timeUs - entry.happenedUs) * 1e3)} before` : ""].filter(Boolean).join(" · ")))));
}

const minute = 60e6;

// Of a crash, the time at which it happened may be days before the time since which the alert fires.
function happened({ happenedUs, sinceUs }) {
  if (happenedUs === undefined || sinceUs - happenedUs < minute) return null;
  return h("p", { class: "faint", title: moment(happenedUs) }, `Happened at ${moment(happenedUs)}, known ${duration((sinceUs - happenedUs) * 1e3)} later`);
}

// Without records, it is not known whether nothing happened.
function silence({ silentSinceUs }) {
  if (silentSinceUs === undefined) return null;
  return h("p", { class: "faint" }, silentSinceUs ? `Nothing arrived since ${moment(silentSinceUs)}` : "Nothing arrived yet");
}

// Failed until a later notice is delivered, with the notices that wait and the incidents that were dropped.
function delivery({ webhookResult, webhookWaiting, webhookDropped }) {
  const words = [
    webhookResult === "waiting" ? "" : webhookResult, webhookWaiting ? `${webhookWaiting} waiting` : "", webhookDropped ? `${webhookDropped} dropped` : "",
  ];
  return h("p", { class: webhookResult === "failed" ? "bad" : "faint" }, words.filter(Boolean).join(" · "));
}
