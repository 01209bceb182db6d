// @ts-check
// Moves between the pages of the console. If the page that is shown has unsaved work, a question comes first.

import { depth, withZone } from "../lib/address.js";
import { opened } from "./opened.js";

/** Shows the page of the address. */
let show = () => {};
/** Of the page that is shown, in the browser's history. */
let shownDepth = 0;
let shownPath = "";
let isReturning = false;
let isUnloadAsked = true;

/** Shows another page of the console. Set `replaceEntry` to skip the current page in the browser's history. */
export function navigate(path, { replaceEntry = false } = {}) {
  if (opened.question) {
    opened.leave().then((mayLeave) => { if (mayLeave) navigate(path, { replaceEntry }); });
    return;
  }
  if (replaceEntry) history.replaceState({ depth: depth() }, "", withZone(path));
  else history.pushState({ depth: depth() + 1 }, "", withZone(path));
  show();
}

/** Goes back to the previous page, or to `fallback` if that page was not in the console. */
export function goBack(fallback) {
  if (depth() > 0) history.back();
  else navigate(fallback, { replaceEntry: true });
}

/** Remembers that the page of the address is shown. */
export function noteShown() {
  shownDepth = depth();
  shownPath = location.pathname;
}

/** The path of the page from which the browser goes back to that of the address; "" if it does not. */
export function pathLeft() {
  return depth() < shownDepth ? shownPath : "";
}

/** Lets the browser leave the console without a question, as after a sign-out, which keeps what is unsaved. */
export function leaveWithoutQuestion() {
  isUnloadAsked = false;
}

/**
 * Follows links and the browser's buttons.
 *
 * @param {() => void} showPage
 */
export function followNavigation(showPage) {
  show = showPage;
  document.addEventListener("click", follow);
  addEventListener("popstate", () => {
    if (isReturning) { isReturning = false; return; }
    const by = depth() - shownDepth;
    if (!opened.question || !by) { show(); return; }
    // The address stays that of the page until its reader has answered.
    isReturning = true;
    history.go(-by);
    opened.leave().then((mayLeave) => { if (mayLeave) history.go(by); });
  });
  addEventListener("beforeunload", (event) => { if (isUnloadAsked && opened.question) event.preventDefault(); });
  addEventListener("navigate", (event) => navigate(event.detail));
}

function follow(event) {
  // A fragment in the address would be another place in the history.
  if (event.target.closest("a.skip")) { event.preventDefault(); document.getElementById("main")?.focus(); return; }
  /** @type {HTMLAnchorElement | null} */
  const link = event.target.closest("a[href^='/']");
  if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const path = link.getAttribute("href") ?? "";
  if (link.target || link.dataset.site || path.startsWith("/api/")) return;
  event.preventDefault();
  navigate(path);
}
