// @ts-check
// What is open above the page. Escape and presses outside close the innermost of it; see `OpenStack`.

import { h } from "./dom.js";
import { giveFocusBack } from "./focus.js";
import { OpenStack } from "../lib/open-stack.js";

export const opened = new OpenStack(askToDrop);

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (!opened.closeInnermost()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
document.addEventListener("pointerdown", (event) => opened.closeOutside(event.target), true);
// A menu that stays open when Tab has left it would keep the shortcuts of the page at rest.
document.addEventListener("focusin", (event) => { if (opened.holdsKeys) opened.closeOutside(event.target); });

/**
 * Opens a modal dialog, which is taken from the page when it closes. Returns what closes it, after the question for what is
 * unsaved in it.
 *
 * @param {HTMLDialogElement} dialog
 * @param {{ unsaved?: () => string }} options
 */
export function openDialog(dialog, { unsaved } = {}) {
  const opener = /** @type {HTMLElement | null} */ (document.activeElement);
  const close = () => {
    dialog.close();
    // The browser tells the end in the next frame. Until then, what had the focus in it would get the keys.
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    if (dialog.contains(focused)) focused?.blur();
  };
  const entry = { close, isOpen: () => dialog.open, holdsKeys: true, unsaved };
  const forget = opened.add(entry);
  const request = () => opened.request(entry);
  dialog.addEventListener("click", (event) => { if (event.target === dialog) request(); });
  // A gesture of the system that closes, as Escape does.
  dialog.addEventListener("cancel", (event) => { if (event.target === dialog) { event.preventDefault(); request(); } });
  dialog.addEventListener("close", () => { forget(); dialog.remove(); giveFocusBack(opener); });
  document.body.append(dialog);
  dialog.showModal();
  return request;
}

/**
 * Asks whether unsaved work may be dropped.
 *
 * @param {string} question
 * @returns {Promise<boolean>}
 */
function askToDrop(question) {
  return new Promise((resolve) => {
    let isDropped = false;
    const dialog = h("dialog", { class: "form-dialog question", role: "alertdialog", "aria-label": question },
      h("p", {}, question),
      h("div", { class: "dialog-actions" },
        h("button", { type: "button", class: "primary", autofocus: true, onclick: () => dialog.close() }, "Keep editing"),
        h("button", { type: "button", onclick: () => { isDropped = true; dialog.close(); } }, "Discard the changes")));
    dialog.addEventListener("close", () => resolve(isDropped));
    openDialog(dialog);
  });
}
