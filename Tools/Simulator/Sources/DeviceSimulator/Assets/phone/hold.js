// @ts-check
// Views that the user holds: long presses and context menus.

import { h } from "../lib/dom.js";
import { menuOfItems } from "./menu.js";
import { makeView } from "./view.js";

const controls = "button, input, textarea, [role=button]";

/**
 * Recognizes that the pointer holds an element.
 *
 * @param {HTMLElement} element
 * @param {() => any} settings Returns `{duration, distance, simultaneous}`; a control inside keeps its own gesture if not
 *   simultaneous.
 * @param {{ press?: () => void, release?: () => void, hold: () => void }} hooks `release` is not called after `hold`.
 */
function watchHold(element, settings, { press = () => {}, release = () => {}, hold }) {
  element.addEventListener("pointerdown", (event) => {
    const { duration, distance, simultaneous } = settings();
    const control = /** @type {Element} */ (event.target).closest(controls);
    if (event.button !== 0 || (!simultaneous && control && element.contains(control))) return;
    const box = element.getBoundingClientRect();
    const scale = box.width / element.offsetWidth || 1;
    const stop = () => {
      clearTimeout(timer);
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", cancel);
      removeEventListener("pointercancel", cancel);
    };
    const cancel = () => { stop(); release(); };
    const move = ({ clientX, clientY }) => {
      const isFar = Math.hypot(clientX - event.clientX, clientY - event.clientY) / scale > distance;
      if (isFar || element.closest(".gesturing")) cancel();
    };
    const timer = setTimeout(() => {
      stop();
      swallowNextClick();
      hold();
    }, duration * 1000);
    addEventListener("pointermove", move);
    addEventListener("pointerup", cancel);
    addEventListener("pointercancel", cancel);
    press();
  });
}

/** The click that follows when the pointer goes up is not one. */
function swallowNextClick() {
  const swallow = (event) => { event.preventDefault(); event.stopPropagation(); };
  addEventListener("click", swallow, { capture: true, once: true });
  addEventListener("pointerup", () => setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0), { once: true });
}

export function holdArea(record, screen) {
  const element = h("div", { class: "col hold-area" });
  let current = record;
  const send = (action) => current.actions.includes(action) && screen.device.send(record.id, action);
  watchHold(element, () => current.properties, {
    press: () => send("press"), release: () => send("release"), hold: () => send("longPress"),
  });
  return makeView(record, screen, { element, update(now) { current = now; } });
}

/** A view with a menu, which opens by holding it, by the secondary button or by the keyboard's menu key. */
export function contextMenu(record, screen) {
  const element = h("div", { class: "col context-menu" });
  const send = (action) => screen.device.send(record.id, action);
  const { items, preview, open, close } = menuOfItems(() => send("dismiss"));
  watchHold(element, () => ({ duration: 0.5, distance: 10, simultaneous: true }), { hold: () => send("longPress") });
  element.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    event.stopPropagation();
    if (!isOpen) send("longPress");
  });
  let isOpen = false;
  const kind = (id) => screen.record(id)?.kind;
  return makeView(record, screen, {
    element,
    slots({ children: [view, ...opened] }) {
      return [[element, [view]], [preview, opened.filter((id) => kind(id) === "layer")], [items, opened.filter((id) => kind(id) === "choices")]];
    },
    update({ properties }) {
      isOpen = properties.open === true;
      element.classList.toggle("is-open", isOpen);
      if (!isOpen) close();
    },
    // The first tree of a page is put into the document after its views are made.
    summarize: () => queueMicrotask(() => { if (isOpen) open(element); }),
    close: () => close(),
  });
}
