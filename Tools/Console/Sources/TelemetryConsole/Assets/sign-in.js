// Signing in with a viewer's key, where the console asks for one.

import { APIError } from "/assets/api.js";
import { glyph, h, replace } from "/assets/dom.js";

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
  location.assign("/sign-in");
}

/** The page to return to: a path of this console and nothing else. */
export function target() {
  const to = new URLSearchParams(location.search).get("to") ?? "/";
  const url = new URL(to, location.origin);
  return url.origin === location.origin && !url.pathname.startsWith("/sign-in") ? url.pathname + url.search : "/";
}

export function signInPage(root) {
  document.title = "Sign in · Astrolabe";
  const input = h("input", { type: "password", name: "key", autocomplete: "current-password", required: true, spellcheck: "false", "aria-describedby": "key-hint" });
  const problem = h("p", { class: "bad", role: "alert" });
  const button = h("button", { type: "submit", class: "primary" }, "Sign in");
  replace(root, h("div", { class: "empty" }, glyph(), h("h2", {}, "Sign in"),
    h("form", { class: "sign-in", onsubmit: async (event) => {
      event.preventDefault();
      button.disabled = true;
      replace(problem);
      try {
        await request("POST", { key: input.value });
        location.assign(target());
      } catch (error) {
        replace(problem, error.status === 401 ? "This key is not known, or it was revoked." : error.message);
        input.select();
      } finally {
        button.disabled = false;
      }
    } },
    h("label", { class: "field" }, h("span", {}, "Viewer's key"), input), problem, button,
    h("p", { class: "faint", id: "key-hint" }, "The operator of the console makes keys with ", h("code", {}, "astrolabe keys create NAME --use view"), "."))));
  input.focus();
  // A link from another site arrives without the cookie. Then this browser is signed in already.
  access().then(({ required, signedIn }) => { if (!required || signedIn) location.replace(target()); }).catch(() => {});
  return {};
}
