// @ts-check
// The time zone of all times: named on every page, and chosen there.

import { replaceAddress } from "../lib/address.js";
import { h, replace } from "./dom.js";
import { chooseZone, localZoneName, zone, zoneTitle } from "../shared/zone.js";

const storageKey = "astrolabe.zone";

/** Takes the zone of the address, so that a link shows what its sender saw, or else the one that was chosen here. */
export function readZone() {
  const given = new URLSearchParams(location.search).get("zone");
  if (!given || !chooseZone(given)) {
    try { chooseZone(localStorage.getItem(storageKey) ?? zone()); } catch { /* as it is */ }
  }
  replaceAddress(location.pathname + location.search);
}

/** A list of the zones to choose from. `offer(name)` adds that of a device for as long as its page is shown. */
export function zonePicker(onChange) {
  let device = "";
  const select = h("select", { "aria-label": "Time zone", onchange: () => {
    chooseZone(select.value);
    try { localStorage.setItem(storageKey, select.value); } catch { /* it lasts for this page only */ }
    onChange();
    select.focus();
  } });

  function draw() {
    const all = new Map([["local", `Local: ${localZoneName}`], ["UTC", "UTC"]]);
    if (device) all.set(device, `Device: ${device}`);
    if (!all.has(zone())) all.set(zone(), zone());
    select.title = `Times in ${zoneTitle()}`;
    replace(select, [...all].map(([value, title]) => h("option", { value, selected: value === zone() }, title)));
  }

  return {
    element: h("label", { class: "zone" }, h("span", {}, "Times"), select),
    draw() { device = ""; draw(); },
    offer(name) { if (name && name !== device) { device = name; draw(); } },
  };
}
