// @ts-check
// The device controls: the app's lifecycle, the network, power, heat, memory and settings.

import { h, icon, replace, setAttribute, setText } from "../lib/dom.js";
import { percent, plural } from "../shared/format.js";
import { RegionSettings } from "./region.js";

const networks = [["wifi", "Wi-Fi", "wifi"], ["cellular", "Cellular", "cellular"], ["weak", "Weak", "weak"], ["airplane", "Airplane", "airplane"]];
const thermals = [["nominal", "Nominal"], ["fair", "Fair"], ["serious", "Serious"], ["critical", "Critical"]];
const memories = [["normal", "Normal"], ["warning", "Warning"], ["critical", "Critical"]];
const memoryEvents = { normal: "memoryNormal", warning: "memoryWarning", critical: "memoryCritical" };
const appearances = [["false", "Light", "sun"], ["true", "Dark", "moon"]];
const textSizes = [
  "xSmall", "small", "medium", "large", "xLarge", "xxLarge", "xxxLarge", "accessibility1", "accessibility2", "accessibility3",
  "accessibility4", "accessibility5",
];
const sizeNames = ["XS", "S", "M", "L (default)", "XL", "XXL", "XXXL", "Accessibility 1", "Accessibility 2", "Accessibility 3", "Accessibility 4", "Accessibility 5"];
/** @type {[group: string, models: [name: string, title: string][]][]} */
const models = [
  ["iPhone", [["iphone-se-3", "iPhone SE (3rd generation)"], ["iphone-16e", "iPhone 16e"], ["iphone-15-pro", "iPhone 15 Pro"], ["iphone-16", "iPhone 16"],
    ["iphone-16-pro", "iPhone 16 Pro"], ["iphone-16-pro-max", "iPhone 16 Pro Max"]]],
  ["iPad", [["ipad-mini", "iPad mini (A17 Pro)"], ["ipad-pro-11", "iPad Pro 11-inch (M4)"]]],
];
const phases = { notRunning: "Not running", launching: "Launching", active: "Active", hanging: "Not responding", background: "In the background", suspended: "Suspended", ended: "Ended" };

function segmented(label, choices, onChoose) {
  const buttons = choices.map(([value, title, picture]) => h("button", { type: "button", role: "radio", "data-value": value, onclick: () => onChoose(value) },
    picture ? icon(picture) : null, h("span", {}, title)));
  const element = h("div", { class: "segmented", role: "radiogroup", "aria-label": label }, buttons);
  element.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const at = buttons.indexOf(document.activeElement);
    if (!by || at < 0) return;
    event.preventDefault();
    const next = buttons[(at + by + buttons.length) % buttons.length];
    next.focus();
    next.click();
  });
  return { element, set(value) {
    for (const choice of buttons) {
      const isChosen = choice.dataset.value === String(value);
      setAttribute(choice, "aria-checked", String(isChosen));
      choice.tabIndex = isChosen ? 0 : -1;
    }
  } };
}

function toggle(title, onChange) {
  const input = h("input", { type: "checkbox", role: "switch", onchange: () => onChange(input.checked) });
  return { element: h("label", { class: "check" }, h("span", {}, title), input), set(isOn) { input.checked = isOn; } };
}

/** A slider; while it is held the device's echo does not move it. `describe` returns its value in words. */
function slider(label, { min = 0, max = 1, step = 0.01 }, describe, onChange) {
  let isHeld = false;
  let timer;
  const paint = () => {
    input.style.setProperty("--share", `${((Number(input.value) - min) / (max - min)) * 100}%`);
    setAttribute(input, "aria-valuetext", describe(Number(input.value)));
  };
  const input = h("input", { type: "range", min, max, step, "aria-label": label, oninput: () => {
    paint();
    isHeld = true;
    clearTimeout(timer);
    timer = setTimeout(() => { isHeld = false; onChange(Number(input.value)); }, 120);
  } });
  return { element: input, set(value) {
    if (isHeld) return;
    input.value = value;
    paint();
  } };
}

function row(title, ...content) {
  return h("div", { class: "field" }, h("div", { class: "field-name" }, title), ...content);
}

function button(title, picture, action, className = "") {
  return h("button", { type: "button", class: className, onclick: action }, icon(picture), h("span", {}, title));
}

export class DevicePanel {
  constructor(root, perform) {
    const set = (settings) => perform({ set: settings });
    const run = (name) => () => perform({ do: name });
    this.network = segmented("Network", networks, (network) => set({ network }));
    this.battery = slider("Battery level", {}, (level) => percent(Math.round(level * 100) / 100), (batteryLevel) => set({ batteryLevel }));
    this.batteryValue = h("output", { class: "num" });
    this.charging = toggle("Charging", (isCharging) => set({ isCharging }));
    this.lowPower = toggle("Low Power Mode", (isLowPower) => set({ isLowPower }));
    this.thermal = segmented("Thermal state", thermals, (thermal) => set({ thermal }));
    this.memory = segmented("Memory", memories, (value) => perform({ do: memoryEvents[value] }));
    this.appearance = segmented("Appearance", appearances, (value) => set({ isDark: value === "true" }));
    this.textSize = slider("Text size", { max: textSizes.length - 1, step: 1 }, (index) => sizeNames[index], (index) => set({ textSize: textSizes[index] }));
    this.textSizeValue = h("output", {});
    this.motion = toggle("Reduce Motion", (reducesMotion) => set({ reducesMotion }));
    this.contrast = toggle("Increase Contrast", (increasesContrast) => set({ increasesContrast }));
    this.color = toggle("Differentiate Without Color", (differentiatesWithoutColor) => set({ differentiatesWithoutColor }));
    this.model = h("select", { "aria-label": "Device", title: "A change restarts the app", onchange: () => set({ device: this.model.value }) },
      models.map(([label, group]) => h("optgroup", { label }, group.map(([value, title]) => h("option", { value }, title)))));
    this.landscape = toggle("Landscape", (isLandscape) => set({ isLandscape }));
    this.region = new RegionSettings(set);
    this.phase = h("div", { class: "phase" });
    this.facts = h("div", { class: "phase-facts" });
    this.buttons = {
      launch: button("Launch", "play", run("launch"), "primary"),
      background: button("Background", "home", run("background")),
      foreground: button("Foreground", "layers", run("foreground")),
      suspend: button("Suspend", "pause", run("suspend")),
      resume: button("Resume", "play", run("resume")),
      terminate: button("Terminate", "stop", run("terminate")),
      kill: button("Kill", "bolt", run("kill"), "danger"),
      reinstall: button("Reinstall…", "trash", () => this.#confirmReinstall(perform), "danger"),
    };
    this.dialog = h("dialog", { class: "confirm", "aria-labelledby": "confirm-title" });
    const { launch, background, foreground, suspend, resume, terminate, kill, reinstall } = this.buttons;
    replace(root,
      h("section", { class: "panel" }, h("h2", {}, "App"), h("div", { class: "phase-line" }, this.phase, this.facts),
        h("div", { class: "actions" }, launch, background, foreground, suspend, resume), h("div", { class: "actions three" }, terminate, kill, reinstall)),
      h("section", { class: "panel" }, h("h2", {}, "Device"), this.model, this.landscape.element),
      h("section", { class: "panel" }, h("h2", {}, "Network"), this.network.element),
      h("section", { class: "panel" }, h("h2", {}, "Power"), row("Battery", h("div", { class: "with-value" }, this.battery.element, this.batteryValue)),
        h("div", { class: "twins" }, this.charging.element, this.lowPower.element)),
      h("section", { class: "panel" }, h("h2", {}, "Heat and memory"), row("Thermal state", this.thermal.element), row("Memory", this.memory.element)),
      h("section", { class: "panel" }, h("h2", {}, "Settings"), row("Appearance", this.appearance.element),
        row("Text size", h("div", { class: "with-value letters" }, h("span", { class: "small-a", "aria-hidden": "true" }, "A"), this.textSize.element, h("span", { class: "large-a", "aria-hidden": "true" }, "A"), this.textSizeValue)),
        this.region.rows.map(([title, element]) => row(title, element)), this.motion.element, this.contrast.element, this.color.element),
      this.dialog);
  }

  update({ app, settings, device }) {
    this.network.set(settings.network);
    this.battery.set(settings.batteryLevel);
    setText(this.batteryValue, percent(Math.round(settings.batteryLevel * 100) / 100));
    this.charging.set(settings.isCharging);
    this.lowPower.set(settings.isLowPower);
    this.thermal.set(settings.thermal);
    this.memory.set(settings.memory);
    this.appearance.set(settings.isDark);
    const size = Math.max(textSizes.indexOf(settings.textSize), 0);
    this.textSize.set(size);
    setText(this.textSizeValue, sizeNames[size]);
    this.motion.set(settings.reducesMotion);
    this.contrast.set(settings.increasesContrast);
    this.color.set(settings.differentiatesWithoutColor);
    this.model.value = settings.device;
    this.landscape.set(settings.isLandscape);
    this.region.update(settings);
    this.#updateApp(app, device);
  }

  /** Shows whether the app responds. */
  noteHang(isHanging) {
    this.isHanging = isHanging;
    this.#drawPhase();
  }

  #drawPhase() {
    const shown = this.isHanging ? "hanging" : this.appPhase;
    this.phase.dataset.phase = shown;
    setText(this.phase, phases[shown] ?? shown);
  }

  #updateApp(app, device) {
    const { phase } = app;
    this.appPhase = phase;
    this.#drawPhase();
    replace(this.facts, [
      app.pid ? h("span", {}, `pid ${app.pid}`) : null, h("span", {}, plural(app.launches, "launch", "launches")),
      device.installationID ? h("span", { class: "clip", title: `Installation ${device.installationID}` }, `installation ${device.installationID.slice(0, 8)}`) : null,
    ]);
    const runs = ["active", "background", "suspended", "launching"].includes(phase);
    const show = (name, isShown, isEnabled = true) => {
      this.buttons[name].hidden = !isShown;
      this.buttons[name].disabled = !isEnabled;
    };
    setText(this.buttons.launch.lastElementChild, app.launches > 0 ? "Relaunch" : "Launch");
    show("launch", !runs);
    show("background", runs && phase !== "background", phase === "active");
    show("foreground", phase === "background");
    show("suspend", runs && phase !== "suspended", phase !== "launching");
    show("resume", phase === "suspended");
    show("terminate", true, runs && phase !== "suspended");
    show("kill", true, runs);
    show("reinstall", true);
  }

  #confirmReinstall(perform) {
    const choice = (name) => h("button", { type: "submit", value: name, class: name === "yes" ? "danger solid" : "" }, name === "yes" ? "Reinstall" : "Cancel");
    replace(this.dialog, h("form", { method: "dialog" }, h("h2", { id: "confirm-title" }, "Reinstall the app?"),
      h("p", {}, "This erases its storage: the cart, the session, and all records that have not been sent. The app gets a new installation id."),
      h("div", { class: "actions end" }, choice("no"), choice("yes"))));
    this.dialog.onclose = () => { if (this.dialog.returnValue === "yes") perform({ do: "reinstall" }); };
    this.dialog.returnValue = "";
    this.dialog.showModal();
  }
}
