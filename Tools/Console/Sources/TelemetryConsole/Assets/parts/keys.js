// @ts-check
// Keyboard shortcuts: one table drives both the shortcuts and the dialog that lists them.

import { h } from "./dom.js";

let pageKeys = [];
let globalKeys = [];
let prefix = "";
let prefixTimer;

/** Sets the current page's shortcuts: `{ keys: ["j", "ArrowDown"], label, run }`. Two letters are typed in sequence. */
export function setPageKeys(keys) {
  pageKeys = keys;
}

export function setGlobalKeys(keys) {
  globalKeys = keys;
}

function isTyping(target) {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

function find(name) {
  return [...pageKeys, ...globalKeys].find((entry) => entry.keys.includes(name));
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (document.querySelector("dialog[open]")) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (isTyping(target)) {
    if (event.key === "Escape") { target.blur(); event.preventDefault(); }
    return;
  }
  // The focused button or link handles Enter and Space.
  if ((event.key === "Enter" || event.key === " ") && target.closest?.("a, button, summary")) return;
  const entry = find(prefix + event.key) ?? find(event.key);
  const startsPair = [...pageKeys, ...globalKeys].some((item) => item.keys.some((key) => key.length === 2 && key[0] === event.key));
  clearTimeout(prefixTimer);
  if (entry && (prefix === "" || entry.keys.includes(prefix + event.key))) {
    prefix = "";
    event.preventDefault();
    entry.run(event);
  } else if (startsPair && event.key.length === 1) {
    prefix = event.key;
    prefixTimer = setTimeout(() => { prefix = ""; }, 900);
  } else {
    prefix = "";
  }
});

const names = { ArrowDown: "↓", ArrowUp: "↑", ArrowLeft: "←", ArrowRight: "→", Enter: "↵", Escape: "esc", " ": "space" };

export function showKeys() {
  const rows = [...pageKeys, ...globalKeys].filter((entry) => entry.label).map((entry) =>
    h("div", {}, h("dt", {}, entry.label), h("dd", {}, entry.keys.slice(0, 2).map((key) =>
      (key.length === 2 ? [...key] : [key]).map((part) => h("kbd", {}, names[part] ?? part))))));
  const dialog = h(
    "dialog", { class: "keys", "aria-label": "Keyboard shortcuts" },
    h("h2", {}, "Keyboard shortcuts"), h("dl", {}, rows),
  );
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("keydown", (event) => { if (event.key === "?") dialog.close(); });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** Moves the focus by a number of rows in a list of links. */
export function moveFocus(container, selector, by) {
  const rows = [...container.querySelectorAll(selector)];
  if (!rows.length) return;
  const index = rows.indexOf(document.activeElement);
  const next = rows[Math.min(Math.max(index < 0 ? (by > 0 ? 0 : rows.length - 1) : index + by, 0), rows.length - 1)];
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
}
