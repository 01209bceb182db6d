// @ts-check
// Buttons, links, toggles, steppers, pickers and progress.

import { datePicker } from "./dates.js";
import { h, replace, setAttribute, setText, svg } from "../lib/dom.js";
import { menuOfItems, openMenu } from "./menu.js";
import { watchPress } from "./press.js";
import { color, points, setStyles } from "../lib/style.js";
import { symbol } from "./symbols.js";
import { makeView } from "./view.js";

function button(record, screen) {
  const element = h("button", { type: "button" });
  let acceptsPress = false;
  let isOwn = true;
  watchPress(element, () => acceptsPress, (action) => screen.device.send(record.id, action));
  element.addEventListener("click", () => {
    if (isOwn && element.ariaDisabled !== "true") screen.device.send(record.id, "tap");
  });
  return makeView(record, screen, {
    element,
    update({ properties, actions }) {
      acceptsPress = actions.includes("press");
      // A button with others in a row leaves it to the row to act.
      isOwn = properties.tapsRow !== true;
      const { style = "automatic", size = "regular", role } = properties;
      element.className = ["button", `is-${style}`, `size-${size}`, role ? `role-${role}` : "", acceptsPress ? "is-styled" : "", isOwn ? "" : "taps-row", flexClasses(element)].join(" ");
      setDisabled(element, properties.disabled === true);
      setStyles(element, { "--tint": properties.tint ? color(properties.tint) : undefined, ...border(properties) });
    },
  });
}

/** The shape of a button with a border. */
function border({ radius, circle }) {
  return { "border-radius": points(radius), "aspect-ratio": circle ? "1" : undefined };
}

/** Disables a button. One with the keyboard focus keeps it, for the moment in which its action runs. */
function setDisabled(element, isDisabled) {
  const keepsFocus = isDisabled && element === document.activeElement;
  element.disabled = isDisabled && !keepsFocus;
  setAttribute(element, "aria-disabled", keepsFocus ? "true" : undefined);
}

/** The classes for stretching and for kept sizes, which the screen sets and the button must keep. */
function flexClasses(element) {
  return ["fh", "fv", "kept-h", "kept-v", "brief"].filter((name) => element.classList.contains(name)).join(" ");
}

function link(record, screen) {
  const content = h("div", { class: "link-content" });
  const element = h("button", { type: "button" }, content);
  element.addEventListener("click", () => screen.device.send(record.id, "tap"));
  return makeView(record, screen, {
    element,
    slots: ({ children }) => [[content, children]],
    update({ properties }) {
      const { style = "automatic", size = "regular" } = properties;
      element.className = ["button", "link", `is-${style}`, `size-${size}`, flexClasses(element)].join(" ");
      element.disabled = properties.disabled === true;
      const chevron = element.querySelector(":scope > .disclosure");
      if (style === "row" && !chevron) element.append(h("span", { class: "disclosure" }, symbol("chevron.right", 600)));
      if (style !== "row") chevron?.remove();
      setStyles(element, { "--tint": properties.tint ? color(properties.tint) : undefined, ...border(properties) });
    },
  });
}

/** Shows the control alone. Assistive technologies still read its label. */
function hideLabel(element, properties) { element.classList.toggle("label-hidden", properties.labelHidden === true); }

function toggle(record, screen) {
  const label = h("span", { class: "control-label" });
  const element = h("button", { type: "button", role: "switch", class: "toggle" }, label, h("span", { class: "switch" }));
  element.addEventListener("click", () => screen.device.send(record.id, "tap"));
  return makeView(record, screen, {
    element,
    slots: ({ children }) => [[label, children]],
    update({ properties }) {
      setAttribute(element, "aria-checked", String(properties.on === true));
      hideLabel(element, properties);
      element.disabled = properties.disabled === true;
      setStyles(element, { "--tint": properties.tint ? color(properties.tint) : undefined });
    },
  });
}

function stepper(record, screen) {
  const label = h("span", { class: "control-label" });
  const step = (action, sign) => h("button", { type: "button", class: "step",
    onclick: () => screen.device.send(record.id, action) }, symbol(sign, 400));
  const down = step("decrement", "minus");
  const up = step("increment", "plus");
  const element = h("div", { class: "stepper", role: "group" }, label, h("span", { class: "steps" }, down, up));
  return makeView(record, screen, {
    element,
    slots: ({ children }) => [[label, children]],
    update({ actions, properties }) {
      hideLabel(element, properties);
      setAttribute(down, "aria-label", screen.words.decrement);
      setAttribute(up, "aria-label", screen.words.increment);
      // A disabled button would lose the keyboard focus.
      setAttribute(down, "aria-disabled", actions.includes("decrement") ? undefined : "true");
      setAttribute(up, "aria-disabled", actions.includes("increment") ? undefined : "true");
    },
  });
}

/** The color as a well, which opens the browser's dialog. */
function colorPicker(record, screen) {
  const label = h("span", { class: "control-label" });
  const well = h("input", { type: "color", class: "color-well" });
  const element = h("div", { class: "color-picker" }, label, well);
  /** The dialog knows only components, so it gets those of the color that the page shows. */
  const adopt = () => {
    const parts = getComputedStyle(well).backgroundColor.match(/[\d.]+/g)?.slice(0, 3).map(Number) ?? [];
    const isShare = getComputedStyle(well).backgroundColor.startsWith("color(");
    const hex = parts.map((part) => Math.round(isShare ? part * 255 : part).toString(16).padStart(2, "0")).join("");
    if (hex.length === 6) well.value = `#${hex}`;
  };
  well.addEventListener("pointerdown", adopt);
  well.addEventListener("focus", adopt);
  well.addEventListener("input", () => screen.device.send(record.id, "change", well.value));
  return makeView(record, screen, {
    element,
    slots: ({ children }) => [[label, children]],
    update({ properties, children }) {
      hideLabel(element, properties);
      well.disabled = properties.disabled === true;
      setAttribute(well, "aria-label", children.flatMap((id) => screen.texts(id)).join(" "));
      setStyles(well, { "background-color": color(properties.color) });
    },
  });
}

/** A picker as a menu: shows the selected choice, and all choices when tapped. */
function picker(record, screen) {
  const label = h("span", { class: "control-label" });
  const value = h("span", { class: "choice" });
  const opener = h("button", { type: "button", class: "menu-button", "aria-haspopup": "listbox" }, value, symbol("chevron.up.chevron.down", 600));
  const segments = h("div", { class: "segments", role: "radiogroup" });
  const element = h("div", { class: "picker" }, label, opener, segments);
  const part = (current, kind) => current.children.find((id) => screen.record(id)?.kind === kind);
  let current = record;

  const choices = () => {
    const id = part(current, "choices");
    return (screen.record(id)?.children ?? []).map((choice) => screen.texts(choice).join(" "));
  };
  const choose = (index) => screen.device.send(record.id, "change", index);
  opener.addEventListener("click", () => openMenu(opener, {
    choices: choices(), selected: current.properties.selected, label: screen.texts(part(current, "label")).join(" "), onChoose: choose,
  }));

  return makeView(record, screen, {
    element,
    slots(now) {
      const id = part(now, "label");
      return [[label, id === undefined ? [] : [id]]];
    },
    update(now) {
      current = now;
      element.dataset.style = now.properties.style ?? "automatic";
      element.classList.toggle("choice-only", now.properties.labelHidden === true);
      opener.disabled = now.properties.disabled === true;
      setStyles(element, { "--tint": now.properties.tint ? color(now.properties.tint) : undefined });
    },
    summarize() {
      const list = choices();
      const chosen = current.properties.selected;
      const own = part(current, "message");
      const shown = own === undefined ? list[chosen] : screen.texts(own).join(" ");
      setText(value, shown ?? "");
      const words = screen.texts(part(current, "label")).join(" ");
      setAttribute(opener, "aria-label", [words, shown].filter(Boolean).join(", "));
      const id = screen.record(part(current, "choices"))?.children[0];
      setStyles(opener, { "font-size": points(id === undefined ? undefined : screen.find(id, (node) => node.kind === "text")?.properties.fontSize) });
      if (!["segmented", "inline", "wheel"].includes(current.properties.style)) return;
      replace(segments, list.map((title, index) => h("button", { type: "button", role: "radio", "aria-checked": String(index === chosen),
        onclick: () => choose(index) }, h("span", {}, title), current.properties.style === "segmented" ? null : symbol("checkmark", 600))));
    },
  });
}

function progress(record, screen) {
  const spinner = svg("svg", { viewBox: "0 0 24 24", class: "spinner", "aria-hidden": "true" },
    [...Array(8).keys()].map((index) => svg("path", {
      d: "M12 2.6v4.6", stroke: "currentColor", "stroke-width": "2.6", "stroke-linecap": "round", transform: `rotate(${index * 45} 12 12)`,
      opacity: String(0.18 + (index / 7) * 0.62) })));
  const bar = h("i", {});
  const track = h("span", { class: "progress-track" }, bar);
  const label = h("span", { class: "col" });
  const value = h("span", { class: "col progress-value" });
  const element = h("div", { class: "progress", role: "progressbar" });
  const isValue = (id) => screen.record(id)?.kind === "footer";
  return makeView(record, screen, {
    element,
    slots: ({ children }) => [[label, children.filter((id) => !isValue(id))], [value, children.filter(isValue)]],
    update({ properties }) {
      const isLine = properties.fraction !== undefined;
      element.classList.toggle("line", isLine);
      element.classList.toggle("large", properties.size === "large");
      const parts = isLine ? [label, track, value] : [spinner, label, value];
      if (element.firstChild !== parts[0]) element.replaceChildren(...parts);
      setAttribute(element, "aria-valuenow", isLine ? Math.round(properties.fraction * 100) : undefined);
      setStyles(bar, { width: isLine ? `${properties.fraction * 100}%` : undefined });
      setStyles(element, { "--tint": properties.tint ? color(properties.tint) : undefined });
    },
  });
}

function slider(record, screen) {
  const element = h("input", { type: "range", class: "slider" });
  const fill = () => {
    const [least, most] = [Number(element.min), Number(element.max)];
    setStyles(element, { "--at": most > least ? (Number(element.value) - least) / (most - least) : 0 });
  };
  element.addEventListener("input", () => {
    fill();
    screen.device.send(record.id, "change", Number(element.value));
  });
  return makeView(record, screen, {
    element,
    slots: () => [],
    update({ properties }) {
      setAttribute(element, "min", properties.minimum ?? 0);
      setAttribute(element, "max", properties.maximum ?? 1);
      setAttribute(element, "step", properties.step ?? "any");
      setAttribute(element, "aria-label", properties.label);
      element.disabled = properties.disabled === true;
      if (screen.device.queue.pending(record.id) === 0) element.value = properties.number ?? 0;
      fill();
      setStyles(element, { "--tint": properties.tint ? color(properties.tint) : undefined });
    },
  });
}

/** A menu of buttons. The app knows whether it is open; a choice, or a tap beside it, closes it. */
function menu(record, screen) {
  const label = h("span", { class: "row" });
  const opener = h("button", { type: "button", class: "button is-automatic", "aria-haspopup": "menu",
    onclick: () => screen.device.send(record.id, "tap") }, label);
  const { items, open, close } = menuOfItems(() => screen.device.send(record.id, "dismiss"));
  const element = h("div", { class: "menu-holder" }, opener);
  const part = (current, kind) => current.children.filter((id) => screen.record(id)?.kind === kind);
  return makeView(record, screen, {
    element,
    slots: (now) => [[label, part(now, "label")], [items, part(now, "choices")]],
    update({ properties }) {
      setAttribute(opener, "aria-expanded", String(properties.open === true));
      opener.disabled = properties.disabled === true;
      if (properties.open !== true) close(opener);
    },
    summarize: () => queueMicrotask(() => {
      if (opener.getAttribute("aria-expanded") === "true") open(opener);
    }),
    close: () => close(),
  });
}

export const controls = { button, link, toggle, stepper, picker, progress, slider, datePicker, colorPicker, menu };
