// @ts-check
// One device: its properties, the ledger of its records, and its sessions.

import { get } from "../lib/api.js";
import { copyButton, h, icon, replace, update } from "../parts/dom.js";
import { every } from "../lib/updates.js";
import { count, plural } from "../shared/format.js";
import { moveFocus } from "../parts/keys.js";
import { accountTime, LedgerChart, ledgerFigure, verdict } from "../parts/ledger.js";
import { failedPage } from "../parts/components.js";
import { filledPage } from "../parts/loading.js";
import { promotionsQuery, recorderPanel } from "../parts/recorder.js";
import { deviceName, sessionHead, sessionRow } from "./sessions.js";

export function devicePage(root, context, id) {
  const abort = new AbortController();
  const headline = h("div", {});
  const figure = h("div", {});
  const course = new LedgerChart((index) => drawFigure(index));
  const recorder = h("section", { class: "panel", "aria-label": "Flight recorder", hidden: true });
  const sessions = h("div", { class: "sessions device-sessions", "aria-label": "Sessions of this device" });
  const body = h("div", { class: "device-page" },
    h("section", { class: "panel", "aria-label": "Record ledger" }, figure, course.element), recorder, sessions);
  let device;
  /** The policies of its app, newest first. */
  let policies = [];
  let accounts = [];
  let rows = [];
  let next;

  document.title = "Device · Astrolabe";
  replace(root, headline, body);

  async function load({ isRefresh = false } = {}) {
    await filledPage(root, "Loading the device", async () => {
      const [found, ledger, page, promotions] = await Promise.all([
        get(`devices/${encodeURIComponent(id)}`, {}, abort.signal), get(`devices/${encodeURIComponent(id)}/ledger`, {}, abort.signal),
        get("sessions", { device: id, limit: 50 }, abort.signal),
        // The page is of use without it.
        get("query", { q: promotionsQuery(id) }, abort.signal).catch(() => undefined),
      ]);
      device = found;
      policies = await policiesOf(found.device.service).catch(() => []);
      context.offerZone(device.device.timeZone);
      accounts = ledger.accounts;
      drawHead();
      course.setAccounts(accounts);
      drawFigure(course.chosen);
      const panel = recorderPanel(id, accounts.at(-1), promotions);
      recorder.hidden = !panel;
      update(recorder, panel);
      next = page.next;
      rows = page.sessions;
      drawSessions();
    }, { part: headline, isRefresh, retry: () => context.navigate(location.pathname, { replaceEntry: true }) });
  }

  /** The policies of an app that has some. The page is of use without them. */
  async function policiesOf(app) {
    const { apps } = await get("policies", {}, abort.signal, { fresh: 10_000 });
    if (!apps.some((entry) => entry.app === app && entry.version)) return [];
    return (await get(`policies/${encodeURIComponent(app)}`, {}, abort.signal)).policies;
  }

  const stopListening = context.onLive(async () => {
    if (!device) return;
    const fresh = await get(`devices/${encodeURIComponent(id)}`, {}, abort.signal).catch(() => undefined);
    if (fresh?.cursor !== device.cursor) await load({ isRefresh: true });
  });
  const stopClock = every(10_000, () => { if (device) { drawHead(); drawFigure(course.chosen); } });

  function drawHead() {
    const facts = device.device;
    const fact = (term, value, small) => value ? h("div", {}, h("dt", {}, term), h("dd", {}, value, small ? h("small", {}, ` ${small}`) : null)) : null;
    document.title = `${deviceName(facts)} · Astrolabe`;
    update(headline,
      h("header", { class: "page-head" },
        h("button", { class: "quiet", type: "button", "aria-label": "Back", onclick: () => context.goBack("/devices") }, icon("back")),
        h("h1", {}, deviceName(facts)), h("div", { class: "spacer" }),
        h("span", { class: "tag clip" }, device.id), copyButton(device.id, "installation id")),
      h("dl", { class: "facts" },
        fact("App", facts.service, device.appVersions.slice(0, 3).join(", ") + (device.appVersions.length > 3 ? ` and ${device.appVersions.length - 3} older` : "")),
        fact("System", [facts.systemName, facts.systemVersion].filter(Boolean).join(" ")),
        fact("Model", facts.modelIdentifier, facts.manufacturer),
        fact("Last seen", lastSeen(device.lastSeenUs)),
        fact("Policy", policyLink(facts)),
        fact("Sessions", count(device.sessions)),
        fact("Received", plural(device.spans, "span"), `${plural(device.events, "event")}, ${plural(device.metricPoints, "metric point")}`)));
  }

  /** The policy that the device's newest resource names, by its version if the console has it. */
  function policyLink({ service, policyVersion: hash }) {
    if (!hash && !policies.length) return null;
    const version = policies.find((policy) => policy.hash === hash)?.version;
    return h("a", { class: "link", href: `/policy?${new URLSearchParams({ app: service, installation: device.id })}`, title: hash },
      version ? `Version ${version}` : hash ? hash.slice(0, 8) : "none");
  }

  function drawFigure(index) {
    const account = accounts[index ?? accounts.length - 1];
    if (!account) {
      update(figure, h("header", { class: "panel-head" }, h("h2", {}, "Record ledger")),
        h("p", { class: "faint" }, "This device has not sent a ledger. The Astrolabe SDK sends it with its metrics: astrolabe.records.created, .delivered, .pending, .not_sent and .dropped."));
      return;
    }
    update(figure,
      h("header", { class: "panel-head" }, h("h2", {}, "Record ledger"), verdict(account), h("div", { class: "spacer" }),
        h("span", { class: "muted num" }, "as of ", accountTime(account))),
      ledgerFigure(account),
      h("p", { class: "faint small" }, "The device takes this snapshot just before it sends. Pending records may have arrived since."));
  }

  function drawSessions() {
    update(sessions, h("h2", {}, "Sessions"),
      rows.length ? [sessionHead(), rows.map(sessionRow)] : h("p", { class: "faint" }, "No sessions of this device are stored."),
      next ? h("div", { class: "more" }, h("button", { type: "button", onclick: loadMore }, "Older sessions")) : null);
  }

  async function loadMore(event) {
    event.target.disabled = true;
    try {
      const page = await get("sessions", { device: id, cursor: next, limit: 50 }, abort.signal);
      next = page.next;
      rows = [...rows, ...page.sessions];
      drawSessions();
    } catch (error) {
      if (error.name !== "AbortError") failedPage(root, error, () => context.navigate(location.pathname, { replaceEntry: true }));
    }
  }

  load();

  return {
    destroy() { abort.abort(); stopListening(); stopClock(); },
    keys: [
      { keys: ["j", "ArrowDown"], label: "Next session", run: () => moveFocus(sessions, ".entry", 1) },
      { keys: ["k", "ArrowUp"], label: "Previous session", run: () => moveFocus(sessions, ".entry", -1) },
      { keys: ["Enter"], label: "Open", run: () => sessions.querySelector(".entry")?.click() },
      { keys: ["ArrowLeft"], label: "Previous snapshot", run: () => course.step(-1) },
      { keys: ["ArrowRight"], label: "Next snapshot", run: () => course.step(1) },
      { keys: ["Escape"], label: "Back", run: () => context.goBack("/devices") },
    ],
  };
}

/** Formats how long ago the console last received something from a device, in minutes or coarser. */
export function lastSeen(microseconds) {
  if (microseconds === undefined) return "before the retention period";
  const minutes = Math.floor((Date.now() - microseconds / 1e3) / 60_000);
  if (minutes < 1) return "this minute";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 1440) return `${Math.floor(minutes / 60)} h ago`;
  return `${Math.floor(minutes / 1440)} d ago`;
}
