// @ts-check
// Signing in with a viewer's key, where the console asks for one.

import { tellAccess } from "../lib/access.js";
import { APIError } from "../lib/api.js";
import { glyph, h, replace } from "../parts/dom.js";
import { opened } from "../parts/opened.js";

async function request(method, body) {
  const response = await fetch("/api/v1/access", {
    method, body: body && JSON.stringify(body), headers: body ? { "content-type": "application/json" } : {},
  }).catch(() => { throw new APIError(0, "The console is not reachable. It may have been stopped."); });
  const content = await response.json().catch(() => ({}));
  if (!response.ok) throw new APIError(response.status, content.error ?? `The console responded with HTTP ${response.status}.`);
  return content;
}

/** Returns whether the console asks for keys, and whose key this browser has. */
export const access = () => request("GET");

export async function signOut() {
  await request("DELETE");
  tellAccess("signedout");
}

/** The page to return to: a path of this console and nothing else. */
export function target() {
  const to = new URLSearchParams(location.search).get("to") ?? "/";
  const url = new URL(to, location.origin);
  return url.origin === location.origin && !url.pathname.startsWith("/sign-in") ? url.pathname + url.search : "/";
}

/** What asks for a viewer's key. It tells all windows when the console has taken one. */
function signInForm() {
  const input = h("input", { type: "password", name: "key", autocomplete: "current-password", required: true, spellcheck: "false", "aria-describedby": "key-problem key-hint" });
  const problem = h("p", { class: "bad", role: "alert", id: "key-problem" });
  const button = h("button", { type: "submit", class: "primary" }, "Sign in");
  const form = h("form", { class: "sign-in", onsubmit: async (event) => {
    event.preventDefault();
    button.disabled = true;
    replace(problem);
    input.removeAttribute("aria-invalid");
    try {
      await request("POST", { key: input.value });
      tellAccess("signedin");
    } catch (error) {
      replace(problem, error.message);
      input.setAttribute("aria-invalid", "true");
      input.select();
    } finally {
      button.disabled = false;
    }
  } },
  h("label", { class: "field" }, h("span", {}, "Viewer's key"), input), problem, button,
  h("p", { class: "faint", id: "key-hint" }, "The operator of the console makes keys with ", h("code", {}, "astrolabe keys create NAME --use view"), "."));
  return { element: h("div", { class: "empty" }, glyph(), h("h1", {}, "Sign in"), form), input };
}

/** Notices a sign-in of which this window was not told, as after a link from another site or in a window that slept. */
function noticeSignIn() {
  access().then(({ required, signedIn }) => { if (!required || signedIn) dispatchEvent(new Event("signedin")); }).catch(() => {});
}

export function signInPage(root) {
  document.title = "Sign in · Astrolabe";
  const { element, input } = signInForm();
  replace(root, element);
  input.focus();
  noticeSignIn();
  return {};
}

/** @type {HTMLDialogElement | undefined} */
let front;
let forget = () => {};

/** Puts the sign-in before the page, which stays as it is, with its dialogs and what is typed there. */
export function openSignIn() {
  if (front) return;
  const { element, input } = signInForm();
  const dialog = h("dialog", { class: "sign-in-front", closedby: "none", "aria-label": "Sign in" }, element);
  // A browser that does not know `closedby` closes it with Escape.
  dialog.addEventListener("close", () => { if (front === dialog) dialog.showModal(); });
  front = dialog;
  forget = opened.add({ close: () => {}, holdsKeys: true, isKept: true });
  document.body.append(dialog);
  dialog.showModal();
  input.focus();
  noticeSignIn();
}

/** Gives the page back, with the focus where it was. */
export function closeSignIn() {
  const dialog = front;
  front = undefined;
  forget();
  dialog?.close();
  dialog?.remove();
}

document.addEventListener("visibilitychange", () => { if (front && !document.hidden) noticeSignIn(); });
