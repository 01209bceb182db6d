// @ts-check
// Menus: what a button opens below it.

import { h, replace } from "./dom.js";
import { moveFocus } from "./keys.js";
import { opened } from "./opened.js";

/** The height in pixels that a menu may have at least, if the window has it. */
const leastRoom = 240;

/** What takes an open menu from the stack. @type {WeakMap<Element, () => void>} */
const forgets = new WeakMap();

/**
 * Makes a button open a menu, and returns the menu, whose place is behind the button.
 *
 * `fill(close)` makes what is in it, each time. The focus goes back to the button when the menu closes.
 *
 * @param {HTMLButtonElement} button
 * @param {(close: () => void) => any} fill
 * @param {Record<string, any>} attributes
 */
export function menuOf(button, fill, attributes = {}) {
  // The handlers take both from the event, so that an update can give them to a menu that is there already.
  const menu = h("div", { class: "popover", popover: "manual", ...attributes, onkeydown: moveByArrow,
    onbeforetoggle: ({ target, currentTarget: shown, newState }) => {
      if (target !== shown) return;
      const opener = shown.previousElementSibling;
      forgets.get(shown)?.();
      if (newState === "open") {
        const close = () => shown.hidePopover();
        opened.closeOutside(opener);
        replace(shown, fill(close));
        place(shown, opener);
        forgets.set(shown, opened.add({ close, isOpen: () => shown.matches(":popover-open"), element: shown, opener, holdsKeys: true }));
      } else if (shown.contains(document.activeElement) || document.activeElement === document.body) opener.focus({ preventScroll: true });
    } });
  button.popoverTargetElement = menu;
  button.addEventListener("keydown", moveByArrow);
  return menu;
}

/** Moves through an open menu, from its button too. */
function moveByArrow(event) {
  const here = event.currentTarget;
  const menu = here.hasAttribute("popover") ? here : here.nextElementSibling;
  if (!["ArrowDown", "ArrowUp"].includes(event.key) || !menu.matches(":popover-open") || event.target.matches("input, select")) return;
  event.preventDefault();
  event.stopPropagation();
  moveFocus(menu, "button:not([disabled])", event.key === "ArrowDown" ? 1 : -1);
}

/** Puts an opening menu below its button, within the window. With too little room below, it goes up and covers the button. */
function place(menu, button) {
  const box = button.getBoundingClientRect();
  const room = Math.max(innerHeight - box.bottom - 12, Math.min(leastRoom, innerHeight - 16));
  menu.style.top = `${innerHeight - room - 8}px`;
  menu.style.maxHeight = `${room}px`;
  menu.style.left = `${box.left}px`;
  requestAnimationFrame(() => {
    menu.style.left = `${Math.max(8, Math.min(box.left, innerWidth - menu.offsetWidth - 8))}px`;
  });
}
