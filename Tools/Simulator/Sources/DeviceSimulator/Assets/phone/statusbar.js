// @ts-check
// The phone's status bar: time, signal, network and battery.

import { h, replace, setAttribute, svg } from "../lib/dom.js";
import { setStyles } from "../lib/style.js";

const rightToLeft = new Set(["ar", "fa", "he", "ur"]);
const bars = { wifi: 4, cellular: 3, weak: 1, airplane: 0 };

function signal(strength) {
  return svg("svg", { viewBox: "0 0 18 12", class: "status-signal" }, [0, 1, 2, 3].map((index) => svg("rect", {
    x: index * 4.9, y: 8 - index * 2.6, width: 3.1, height: 4 + index * 2.6, rx: 0.9, opacity: index < strength ? 1 : 0.3 })));
}

function wifi() {
  return svg("svg", { viewBox: "0 0 17 12", class: "status-wifi" },
    svg("path", { d: "M8.5 2.3c2.4 0 4.6.9 6.2 2.5.1.1.3.1.4 0l1.2-1.2c.1-.1.1-.3 0-.5a11.2 11.2 0 0 0-15.6 0c-.1.1-.1.3 0 .5l1.2 1.2c.1.1.3.1.4 0A8.9 8.9 0 0 1 8.5 2.3ZM8.5 6.3c1.3 0 2.5.5 3.4 1.3.1.1.3.1.5 0l1.2-1.2c.1-.1.1-.3 0-.5a7.4 7.4 0 0 0-10.2 0c-.1.1-.1.3 0 .5l1.2 1.2c.1.1.3.1.5 0 .9-.8 2.1-1.3 3.4-1.3ZM10.8 8.9c.1-.1.1-.3 0-.4a3.6 3.6 0 0 0-4.6 0c-.1.1-.1.3 0 .4l2.1 2.1c.1.1.3.1.4 0Z" }));
}

function airplane() {
  return svg("svg", { viewBox: "0 0 16 16", class: "status-airplane" },
    svg("path", { d: "M8.9 1.6c0-.6-.4-1-.9-1s-.9.4-.9 1v4.2L1.3 9.5v1.5l5.8-1.7v3.4l-1.6 1.2v1.2L8 14.4l2.5.7v-1.2l-1.6-1.2V9.3l5.8 1.7V9.5L8.9 5.8Z", transform: "rotate(90 8 8)" }));
}

export class StatusBar {
  constructor() {
    this.time = h("span", { class: "status-time" });
    this.network = h("span", { class: "status-network" });
    this.level = h("i", {});
    this.number = h("span", {});
    this.battery = h("span", { class: "status-battery", role: "img" }, h("span", { class: "battery-body" }, this.level, this.number), h("span", { class: "battery-cap" }));
    this.element = h("div", { class: "status-bar" }, this.time, h("span", { class: "status-icons", dir: "ltr" }, this.network, this.battery));
    this.tick();
    setInterval(() => this.tick(), 5_000);
  }

  tick() {
    const now = new Date();
    const parts = new Intl.DateTimeFormat(this.locale ?? "en-US", { hour: "numeric", minute: "2-digit", hourCycle: this.hourCycle, timeZone: this.timeZone }).formatToParts(now);
    this.time.textContent = parts.filter(({ type }) => type !== "dayPeriod").map(({ value }) => value).join("").trim();
  }

  update(settings) {
    const { network, batteryLevel, isCharging, isLowPower } = settings;
    this.locale = settings.locale?.replaceAll("_", "-");
    this.hourCycle = { "12h": "h12", "24h": "h23" }[settings.hourCycle];
    this.timeZone = settings.timeZone === "automatic" ? undefined : settings.timeZone;
    setAttribute(this.element, "dir", rightToLeft.has(this.locale?.split("-")[0]) ? "rtl" : undefined);
    this.tick();
    replace(this.network,
      network === "airplane" ? airplane() : signal(bars[network] ?? 4),
      network === "wifi" ? wifi() : null,
      network === "cellular" ? h("b", {}, "5G") : null,
      network === "weak" ? h("b", {}, "E") : null);
    const share = Math.round(batteryLevel * 100);
    this.number.textContent = isCharging ? `${share}\u2009ϟ` : String(share);
    this.battery.setAttribute("aria-label", `Battery at ${share} percent${isCharging ? ", charging" : ""}`);
    this.battery.dataset.state = isLowPower ? "low-power" : isCharging ? "charging" : share <= 20 ? "low" : "normal";
    setStyles(this.level, { width: `${Math.max(share, 3)}%` });
  }
}
