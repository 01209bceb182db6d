// @ts-check
// Keyboard shortcuts: one table drives the shortcuts and the dialog that lists, changes and turns them off.

import { h, replace } from "./dom.js";
import { focusPage } from "./focus.js";
import { opened, openDialog } from "./opened.js";
import { isCharacter, keysOf, problemWith, readSettings, writeSettings } from "../lib/shortcuts.js";

let pageKeys = [];
let globalKeys = [];
let prefix = "";
let prefixTimer;
/** A browser may forbid it. */
const storage = { getItem: (key) => localStorage.getItem(key), setItem: (key, value) => localStorage.setItem(key, value) };
let settings = readSettings(storage);

/** Sets the current page's shortcuts: `{ keys: ["j", "ArrowDown"], label, run }`. Two letters are typed in sequence. */
export function setPageKeys(keys) {
  pageKeys = keys;
}

export function setGlobalKeys(keys) {
  globalKeys = keys;
}

function isTyping(target) {
  if (target instanceof HTMLInputElement) return target.type !== "checkbox";
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

const shortcuts = () => [...pageKeys, ...globalKeys];

function find(name) {
  return shortcuts().find((entry) => keysOf(entry, settings).includes(name));
}

/** Keys that move within what has the focus, if it scrolls or has keys of its own. */
const moving = ["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "PageDown", "PageUp", "Home", "End"];

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (opened.holdsKeys) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (isTyping(target)) {
    // The field keeps its text.
    if (event.key === "Escape") { focusPage(); event.preventDefault(); }
    return;
  }
  // The focused control handles Enter and Space.
  if ((event.key === "Enter" || event.key === " ") && target.closest?.("a, button, input, summary, [role=tab]")) return;
  if (moving.includes(event.key) && target.closest?.("[data-own-keys]")) return;
  const entry = find(prefix + event.key) ?? find(event.key);
  const startsPair = shortcuts().some((item) => keysOf(item, settings).some((key) => key.length === 2 && key[0] === event.key));
  clearTimeout(prefixTimer);
  if (entry && (prefix === "" || keysOf(entry, settings).includes(prefix + event.key))) {
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

/** Shows the shortcuts of this page. They can be turned off and changed there, for this browser. */
export function showKeys() {
  let isEditing = false;
  const list = h("dl", {});
  const problem = h("p", { class: "bad", role: "alert", id: "shortcut-problem" });
  const toggle = h("input", { type: "checkbox", checked: settings.isOn, onchange: () => change({ isOn: toggle.checked }) });
  const edit = h("button", { type: "button", onclick: () => { isEditing = !isEditing; draw(); } });
  const reset = h("button", { type: "button", onclick: () => change({ changed: {} }) }, "Restore the keys");

  function change(part, { isDrawn = true } = {}) {
    settings = { ...settings, ...part };
    writeSettings(storage, settings);
    if (isDrawn) draw();
  }

  function draw() {
    edit.textContent = isEditing ? "Done" : "Change the keys";
    reset.hidden = !Object.keys(settings.changed).length;
    replace(problem);
    replace(list, shortcuts().filter((entry) => entry.label).map((entry) => {
      const used = keysOf(entry, settings).slice(0, 2);
      const isChangeable = isEditing && entry.keys.some(isCharacter);
      return h("div", {}, h("dt", {}, entry.label), h("dd", {}, isChangeable ? field(entry) : used.length ? used.map((key) =>
        (isCharacter(key) ? [...key] : [key]).map((part) => h("kbd", {}, names[part] ?? part))) : h("span", { class: "faint" }, "off")));
    }));
  }

  function field(entry) {
    const standard = entry.keys.find(isCharacter);
    const input = h("input", { type: "text", class: "key-field mono", size: 2, maxlength: 2, autocomplete: "off", spellcheck: "false",
      "aria-label": `Key of ${entry.label}`, value: settings.changed[entry.label] ?? standard, oninput: () => {
        const key = input.value.trim();
        const fault = key ? problemWith(key, entry, shortcuts(), settings) : "";
        replace(problem, fault);
        input.setAttribute("aria-invalid", String(fault !== ""));
        if (fault) { input.setAttribute("aria-describedby", problem.id); return; }
        input.removeAttribute("aria-describedby");
        const { [entry.label]: _before, ...others } = settings.changed;
        change({ changed: key && key !== standard ? { ...others, [entry.label]: key } : others }, { isDrawn: false });
      } });
    return input;
  }

  draw();
  const dialog = h("dialog", { class: "keys", "aria-label": "Keyboard shortcuts" },
    h("h2", {}, "Keyboard shortcuts"),
    h("label", { class: "keys-toggle" }, toggle, "Shortcuts of letters, digits and signs"), list, problem,
    h("div", { class: "dialog-actions" }, reset, edit));
  const close = openDialog(dialog);
  dialog.addEventListener("keydown", (event) => {
    if (event.key !== "?" || !settings.isOn || isTyping(event.target)) return;
    // The page would open it again.
    event.preventDefault();
    close();
  });
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
