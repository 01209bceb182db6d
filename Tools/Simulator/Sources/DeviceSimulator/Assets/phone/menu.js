// @ts-check
// What opens over the screen beside a control: the menu of a picker, a menu of buttons, and the card of a date picker.

import { h } from "../lib/dom.js";
import { symbol } from "./symbols.js";

let closeOpen = () => {};

/** Closes what a control of the page has opened. */
export function closeMenu() {
  closeOpen();
}

/** Shows a card beside the button until a tap beside it or Escape. Returns a function that closes it. */
export function openLayer(card, opener, onClose = () => {}) {
  closeOpen();
  const window = opener.closest(".window");
  const layer = h("div", { class: "menu-layer", onclick: (event) => { if (event.target === layer) close(); } }, card);
  layer.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    close();
  });
  const close = () => {
    closeOpen = () => {};
    layer.remove();
    opener.setAttribute("aria-expanded", "false");
    onClose();
    opener.focus({ preventScroll: true });
  };
  closeOpen = close;
  layer.style.setProperty("--c-accent", getComputedStyle(opener).getPropertyValue("--c-accent"));
  window.append(layer);
  opener.setAttribute("aria-expanded", "true");
  queueMicrotask(() => place(card, opener, window));
  return close;
}

/** Opens the menu of a picker. The page opens it by itself and sends only the choice to the app. */
export function openMenu(opener, { choices, selected, label, onChoose }) {
  const items = choices.map((title, index) => h("button", { type: "button", role: "option", "aria-selected": String(index === selected),
    tabindex: "-1", onclick: () => { close(); onChoose(index); } },
  h("span", { class: "tick" }, index === selected ? symbol("checkmark", 600) : null), h("span", { class: "menu-title" }, title)));
  const menu = h("div", { class: "menu", role: "listbox", "aria-label": label }, items);
  const close = openLayer(menu, opener);
  watchKeys(menu, close);
  const first = items[selected] ?? items[0];
  first?.focus({ preventScroll: true });
  if (first) menu.scrollTop = first.offsetTop - menu.clientHeight / 2;
}

/** The buttons that are shown. A picker has one more, which opens it elsewhere. */
function buttonsOf(menu) {
  return [...menu.querySelectorAll("button")].filter((button) => button.getClientRects().length > 0);
}

/** Moves the focus through a menu by the arrow keys. Tab leaves the menu. */
function watchKeys(menu, leave) {
  menu.addEventListener("keydown", (event) => {
    const items = buttonsOf(menu).filter((button) => !button.disabled);
    const at = items.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (event.key === "Tab") {
      event.preventDefault();
      leave();
    } else if (to !== undefined) {
      event.preventDefault();
      items[Math.min(Math.max(to, 0), items.length - 1)]?.focus();
    }
  });
}

/**
 * A menu of the app's buttons, toggles and choices. The app opens and closes it; `dismiss` asks for that. A `preview` with
 * content is shown above the items, in the place of the view that has the menu.
 */
export function menuOfItems(dismiss) {
  const items = h("div", { class: "menu menu-items", role: "menu" });
  const preview = h("div", { class: "menu-preview", onclick: () => dismiss() });
  const layer = h("div", { class: "menu-layer", onclick: (event) => { if (event.target === layer) dismiss(); } }, preview, items);
  layer.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    dismiss();
  });
  watchKeys(items, dismiss);
  return {
    items,
    preview,
    open(beside) {
      const window = beside.closest(".window");
      if (!window) return;
      const isNew = !layer.isConnected;
      if (isNew) window.append(layer);
      nameRoles(items);
      if (!isNew) return;
      const hasPreview = preview.childElementCount > 0;
      if (hasPreview) raise(preview, beside, window, items.offsetHeight);
      place(items, hasPreview ? preview : beside, window);
      buttonsOf(items)[0]?.focus({ preventScroll: true });
    },
    /** Closes the menu, and gives the focus back. */
    close(opener) {
      const hadFocus = layer.contains(document.activeElement);
      layer.remove();
      if (hadFocus) opener?.focus({ preventScroll: true });
    },
  };
}

/** Controls in a menu are items of the menu. */
function nameRoles(items) {
  for (const part of items.querySelectorAll(".card, .segments")) part.setAttribute("role", "group");
  for (const button of buttonsOf(items)) {
    button.setAttribute("role", button.closest(".segments") ? "menuitemradio" : button.matches(".toggle") ? "menuitemcheckbox" : "menuitem");
    button.tabIndex = -1;
  }
}

/** Places a preview over its view, higher if there is no room for the menu below it. */
function raise(preview, view, window, menuHeight) {
  const frame = window.getBoundingClientRect();
  const scale = frame.width / window.offsetWidth;
  const top = (view.getBoundingClientRect().top - frame.top) / scale;
  const most = window.offsetHeight - preview.offsetHeight - Math.min(menuHeight, 260) - 56;
  preview.style.setProperty("top", `${Math.max(Math.min(top, most), 64)}px`);
}

/** Places the menu below the button, or above it if there is more room. The phone may be scaled down. */
export function place(menu, opener, window) {
  for (const name of ["top", "bottom", "max-height"]) menu.style.removeProperty(name);
  const frame = window.getBoundingClientRect();
  const scale = frame.width / window.offsetWidth;
  const rect = opener.getBoundingClientRect();
  const top = (rect.top - frame.top) / scale;
  const bottom = (rect.bottom - frame.top) / scale;
  const below = window.offsetHeight - bottom - 44;
  const above = top - 64;
  const isBelow = below >= Math.min(menu.offsetHeight, 260) || below >= above;
  menu.style.setProperty("max-height", `${Math.max(isBelow ? below : above, 120)}px`);
  menu.style.setProperty(isBelow ? "top" : "bottom", `${isBelow ? bottom + 4 : window.offsetHeight - top + 4}px`);
  const isMirrored = window.dir === "rtl";
  const room = isMirrored ? rect.left - frame.left : frame.right - rect.right;
  const most = window.offsetWidth - menu.offsetWidth - 12;
  menu.style.setProperty("inset-inline-end", `${Math.max(Math.min(room / scale, most), 12)}px`);
  menu.style.setProperty("transform-origin", `${isBelow ? "top" : "bottom"} ${isMirrored ? "left" : "right"}`);
}
