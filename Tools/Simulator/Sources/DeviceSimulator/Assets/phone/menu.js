// @ts-check
// The menu of a picker. The page opens it by itself and sends only the choice to the app.

import { h } from "../lib/dom.js";
import { symbol } from "./symbols.js";

let close = () => {};

export function closeMenu() {
  close();
}

export function openMenu(opener, { choices, selected, label, onChoose }) {
  close();
  const window = opener.closest(".window");
  const items = choices.map((title, index) => h("button", { type: "button", role: "option", "aria-selected": String(index === selected),
    tabindex: "-1", onclick: () => { close(); onChoose(index); } },
  h("span", { class: "tick" }, index === selected ? symbol("checkmark", 600) : null), h("span", { class: "menu-title" }, title)));
  const menu = h("div", { class: "menu", role: "listbox", "aria-label": label }, items);
  const layer = h("div", { class: "menu-layer", onclick: (event) => { if (event.target === layer) close(); } }, menu);
  window.append(layer);
  place(menu, opener, window);

  close = () => {
    close = () => {};
    layer.remove();
    opener.focus({ preventScroll: true });
  };

  menu.addEventListener("keydown", (event) => {
    const at = items.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if (to !== undefined) {
      event.preventDefault();
      items[Math.min(Math.max(to, 0), items.length - 1)]?.focus();
    }
  });
  const first = items[selected] ?? items[0];
  first?.focus({ preventScroll: true });
  if (first) menu.scrollTop = first.offsetTop - menu.clientHeight / 2;
}

/** Places the menu below the button, or above it if there is more room. The phone may be scaled down. */
export function place(menu, opener, window) {
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
