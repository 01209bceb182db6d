// @ts-check
// What all views have in common: an element, accessibility attributes, and containers for children.

import { setAttribute } from "../lib/dom.js";
import { setStyles } from "../lib/style.js";

/**
 * Creates a view. By default its children are inside its element; `update` applies the properties.
 *
 * @param {any} record
 * @param {any} screen
 * @param {{ element: HTMLElement, update?: (current: any, view: any) => void, slots?: (current: any) => any[], [more: string]: any }} parts
 */
export function makeView(record, screen, { element, update = () => {}, slots, ...rest }) {
  return {
    element,
    update(current) {
      update(current, this);
      describe(element, current);
    },
    slots: slots ?? ((current) => [[element, current.children]]),
    ...rest,
  };
}

/** Sets the identifier for tests and the accessibility attributes for screen readers. */
function describe(element, { properties, kind }) {
  setAttribute(element, "data-identifier", properties.identifier);
  const traits = properties.traits ?? [];
  const isControl = element.matches("button, input, textarea, [role=switch], [role=button]");
  const words = [properties.label, isControl ? properties.value : undefined].filter(Boolean).join(", ");
  if (!element.matches("input, textarea")) setAttribute(element, "aria-label", kind === "textField" || kind === "secureField" ? undefined : words || undefined);
  setAttribute(element, "aria-description", properties.hint);
  setAttribute(element, "aria-hidden", properties.accessibilityHidden ? "true" : undefined);
  element.classList.toggle("untouchable", properties.untouchable === true);
  element.classList.toggle("scroll-targets", properties.scrollTargets === true);
  if (properties.row) {
    // A cell of a grid with rows.
    setStyles(element, {
      "grid-row": properties.row, "grid-column": properties.span === "all" ? "1 / -1" : properties.span > 1 ? `span ${properties.span}` : undefined,
      "justify-self": { leading: "start", center: "center", trailing: "end" }[properties.columnAlignment],
      ...(properties.unsizedAcross ? { width: "0", "min-width": "100%" } : {}), ...(properties.unsizedDown ? { height: "0", "min-height": "100%" } : {}),
      "align-self": properties.alignSelf ? { top: "start", center: "center", bottom: "end" }[properties.alignSelf] ?? "baseline" : undefined,
    });
  }
  if (isControl) setAttribute(element, "aria-current", traits.includes("selected") ? "true" : undefined);
  else if (traits.includes("header")) {
    setAttribute(element, "role", "heading");
    setAttribute(element, "aria-level", "2");
  } else if (traits.includes("image")) setAttribute(element, "role", "img");
  else if (traits.includes("updates")) setAttribute(element, "role", "alert");
  else if (words && !element.getAttribute("role")) setAttribute(element, "role", "group");
}

/** Removes a view with an animation. It accepts no input meanwhile. */
export function leave(element, duration) {
  const phone = element.closest(".phone-screen");
  const hadFocus = element.contains(document.activeElement);
  element.classList.add("leaving");
  element.inert = true;
  element.setAttribute("aria-hidden", "true");
  element.removeAttribute("data-identifier");
  for (const inner of element.querySelectorAll("[data-identifier]")) inner.removeAttribute("data-identifier");
  setTimeout(() => element.remove(), duration);
  if (hadFocus) queueMicrotask(() => bodiesInSight(phone).at(-1)?.focus({ preventScroll: true }));
}

function bodiesInSight(phone) {
  return [...phone.querySelectorAll(".page:not(.covered) > .page-body")].filter((body) => !body.closest(".leaving, [inert]"));
}

/** Moves the keyboard focus into a view that covers the focused one. */
export function takeFocus(element) {
  if (element.closest(".phone-screen")?.contains(document.activeElement)) element.focus({ preventScroll: true });
}

/** Inserts a view with an animation. */
export function enter(element, duration) {
  element.classList.add("entering");
  setTimeout(() => element.classList.remove("entering"), duration);
}
