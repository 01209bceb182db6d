// @ts-check
// The elements of the screen in the order in which VoiceOver reads them, in a panel that can be opened.

import { focusedData, h, replace } from "../lib/dom.js";
import { getSpoken } from "../lib/link.js";

/** What shows a part of a node: the way back and the title of a page, a stepper's buttons. */
const parts = {
  back: ".bar .back", title: ".large-title:not([hidden]), .bar-title, h2",
  decrement: ".steps > :first-child", increment: ".steps > :last-child",
};
const delay = 200;

export class VoiceOverPanel {
  /** @param phone The phone, whose glass shows where an element is. */
  constructor(root, phone) {
    this.phone = phone;
    this.list = h("ol", { class: "spoken", "aria-label": "Elements in the order of VoiceOver" });
    this.note = h("p", { class: "spoken-note" });
    this.mark = h("div", { class: "spoken-mark", "aria-hidden": "true" });
    this.mark.hidden = true;
    phone.glass.append(this.mark);
    this.details = h("details", { class: "panel spoken-panel", ontoggle: () => this.screenChanged() },
      h("summary", {}, h("h2", {}, "VoiceOver")), this.note, this.list);
    this.list.addEventListener("keydown", (event) => this.#move(event));
    root.append(this.details);
  }

  /** Reads the screen again a moment later, if the panel is open. */
  screenChanged() {
    clearTimeout(this.timer);
    if (!this.details.open) {
      this.#point();
      return;
    }
    this.timer = setTimeout(() => this.#read(), delay);
  }

  async #read() {
    try {
      const { elements } = await getSpoken();
      const focused = document.activeElement?.matches(".spoken li > button") ? focusedData().key : undefined;
      this.#point();
      replace(this.list, elements.map((element) => this.#item(element)));
      const count = this.list.querySelectorAll("li > button").length;
      this.note.textContent = count === 0 ? "VoiceOver reads nothing on this screen." : "Point at an element to see where it is.";
      if (focused) [...this.list.querySelectorAll("button")].find((button) => button.dataset.key === focused)?.focus();
    } catch {
      replace(this.list);
      this.note.textContent = "The app shows no screen.";
    }
  }

  #item(element) {
    if (element.children) {
      return h("li", {}, h("span", { class: "spoken-group" }, element.label || "Group"), h("ol", {}, element.children.map((child) => this.#item(child))));
    }
    const words = [element.value, ...element.traits].filter(Boolean);
    const show = () => this.#point(element);
    return h("li", {}, h("button", {
      type: "button", title: element.spoken, "data-key": `${element.node} ${element.part ?? ""}`,
      onmouseenter: show, onfocus: show, onmouseleave: () => this.#point(), onblur: () => this.#point(),
    }, h("span", { class: "spoken-words" }, h("span", {}, element.label || "No label"), words.length > 0 ? h("span", { class: "spoken-rest" }, words.join(", ")) : null,
    element.hint ? h("span", { class: "spoken-hint" }, element.hint) : null)), this.#actions(element));
  }

  /** What the app lets assistive technologies do with an element: its own actions, and the steps of its value. */
  #actions({ node, actions = [], label, traits }) {
    const act = (words, action, value, target = node) => h("button", {
      type: "button", class: "spoken-action", "aria-label": `${words}, ${label}`, "data-key": `${node} ${words}`,
      onclick: () => this.phone.device.send(target, action, value),
    }, words);
    const steps = traits.includes("adjustable") ? [act("Increment", "increment"), act("Decrement", "decrement")] : [];
    const own = (actions ?? []).map((its) => act(its.name, "accessibilityAction", its.name, its.node));
    return steps.length + own.length > 0 ? h("span", { class: "spoken-actions" }, steps, own) : null;
  }

  /** Arrow keys move between the elements, as a swipe does on a phone. */
  #move(event) {
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const buttons = [...this.list.querySelectorAll("li > button")];
    const next = buttons[buttons.findIndex((button) => button === document.activeElement) + by];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  /** Frames an element on the glass, or none. */
  #point(element) {
    const place = element && this.#place(element);
    this.mark.hidden = !place;
    if (!place) return;
    const glass = this.phone.glass.getBoundingClientRect();
    const scale = glass.width / this.phone.glass.clientWidth;
    const { left, top, width, height } = place.getBoundingClientRect();
    this.mark.style.setProperty("left", `${(left - glass.left) / scale}px`);
    this.mark.style.setProperty("top", `${(top - glass.top) / scale}px`);
    this.mark.style.setProperty("width", `${width / scale}px`);
    this.mark.style.setProperty("height", `${height / scale}px`);
  }

  #place({ node, part }) {
    const whole = this.phone.glass.querySelector(`[data-node="${node}"]`);
    if (!whole || part === undefined || part === null) return whole;
    const inside = parts[part] ? whole.querySelector(parts[part]) : whole.querySelectorAll(".segments > *, [role=radio], [role=option]")[Number(part)];
    return inside ?? whole;
  }
}
