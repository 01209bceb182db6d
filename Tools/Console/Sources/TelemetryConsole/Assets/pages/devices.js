// @ts-check
// The list of devices, most recently seen first.

import { replaceAddress } from "../lib/address.js";
import { coalesce, get } from "../lib/api.js";
import { h, replace, update, updateList } from "../parts/dom.js";
import { filled } from "../parts/loading.js";
import { every } from "../lib/updates.js";
import { exportButton } from "../parts/export.js";
import { count, plural } from "../shared/format.js";
import { lastSeen } from "./device.js";
import { moveFocus } from "../parts/keys.js";
import { ledgerBar, ledgerLine, verdict } from "../parts/ledger.js";
import { emptyPage, foundElsewhere, howToSend, listFailure, searchField, searchNote } from "../parts/components.js";
import { deviceName } from "./sessions.js";

const covers = "The search covers the attributes of devices, such as model, system, app and installation. attribute=value matches the start of a value. The id of a trace, span or session finds its device.";

export function devicesPage(root, context) {
  const abort = new AbortController();
  let text = new URLSearchParams(location.search).get("q") ?? "";
  let devices = [];
  let next;
  let found;
  /** Whether the reader asked for what is loaded, and not a change of the console. */
  let isAsked = true;
  const search = searchField("Search devices", text, (typed) => change(typed.trim()));
  const note = h("div", {});
  const body = h("div", { class: "list devices", role: "group", "aria-label": "Devices" });

  document.title = "Devices · Astrolabe";
  replace(root, h("header", { class: "page-head" }, h("h1", {}, "Devices"), h("div", { class: "spacer" }), search.element, exportButton("devices", () => [{ rows: devices }])), note, body);

  function change(typed) {
    text = typed;
    isAsked = true;
    replaceAddress(`/devices${text ? `?${new URLSearchParams({ q: text })}` : ""}`);
    load();
  }

  const load = coalesce(async () => {
    update(note, searchNote(text, covers));
    await filled(body, "Loading the devices", async () => {
      const page = await get("devices", { q: text, limit: Math.min(Math.max(devices.length, 50), 200) }, abort.signal);
      ({ devices, next, found } = page);
      draw();
    }, { isRefresh: !isAsked, fail: (error) => listFailure(error, load, covers) });
  });

  async function loadMore(event) {
    event.target.disabled = true;
    try {
      const page = await get("devices", { q: text, cursor: next, limit: 50 }, abort.signal);
      next = page.next;
      isAsked = true;
      devices = [...devices, ...page.devices.filter((device) => !devices.some((known) => known.id === device.id))];
      draw();
    } catch (error) {
      if (error.name !== "AbortError") replace(body, listFailure(error, load, covers));
    }
  }

  function draw() {
    if (!devices.length) {
      replace(body, text
        ? emptyPage("No device matches", covers, foundElsewhere(found),
          h("button", { type: "button", onclick: () => { search.input.value = ""; change(""); } }, "Show all devices"))
        : howToSend("Waiting for the first device", "A device is an installation of an app. It appears with the first record whose resource has app.installation.id."));
      return;
    }
    updateList(body, {
      isAsked, rows: devices.map(row),
      head: h("div", { class: "list-head", "aria-hidden": "true" }, ["Last seen", "Device", "App", "Sessions", "Records", ""].map((title) => h("span", {}, title))),
      foot: next ? h("div", { class: "more" }, h("button", { type: "button", onclick: loadMore }, "More devices")) : null,
    });
    isAsked = false;
  }

  const stopListening = context.onLive(async () => { if (devices.length <= 200) await load(); });
  const stopClock = every(30_000, () => { if (devices.length) draw(); });
  load();

  return {
    destroy() { abort.abort(); stopListening(); stopClock(); },
    keys: [
      { keys: ["j", "ArrowDown"], label: "Next device", run: () => moveFocus(body, ".entry", 1) },
      { keys: ["k", "ArrowUp"], label: "Previous device", run: () => moveFocus(body, ".entry", -1) },
      { keys: ["Enter"], label: "Open", run: () => body.querySelector(".entry")?.click() },
      { keys: ["Escape"], label: "All devices", run: () => { search.input.value = ""; change(""); } },
    ],
  };
}

function row(item) {
  const { device, ledger } = item;
  return h("a", { class: "entry", href: `/devices/${encodeURIComponent(item.id)}`, "data-device": item.id,
    "aria-label": `${deviceName(device)}, ${device.service}, last seen ${lastSeen(item.lastSeenUs)}, ${plural(item.sessions, "session")}` },
  h("span", { class: "clip" }, lastSeen(item.lastSeenUs)),
  h("div", { class: "two" },
    h("span", { class: "clip" }, deviceName(device)),
    h("span", { class: "clip" }, [device.systemName, device.systemVersion].filter(Boolean).join(" ") || device.modelIdentifier)),
  h("div", { class: "two" },
    h("span", { class: "clip" }, device.service), h("span", { class: "clip" }, item.appVersions.slice(0, 3).join(", "))),
  h("span", { class: "num" }, count(item.sessions)),
  ledger ? h("div", { class: "ledger-cell" }, ledgerBar(ledger), ledgerLine(ledger)) : h("span", { class: "faint" }, "no ledger sent"),
  h("span", { class: "end" }, ledger ? verdict(ledger, { short: true }) : null));
}
