// @ts-check
// Keys in the browser: requests wait for a sign-in, the windows of a browser follow each other, and unsaved work is kept.
// Events of the window: `keywanted` when a request needs a key, `signedin` and `signedout` when this browser has one or none.

const channelName = "astrolabe.access";
const draftKey = "astrolabe.draft";
/** @type {BroadcastChannel | undefined} */
let channel;

/**
 * Sends a request. If the console wants a key, sends it again as soon as this browser has signed in, so that a page does
 * not notice.
 *
 * @param {() => Promise<Response>} send
 */
export async function admitted(send) {
  for (;;) {
    const response = await send();
    if (response.status !== 401) return response;
    await new Promise((resolve) => {
      addEventListener("signedin", resolve, { once: true });
      dispatchEvent(new Event("keywanted"));
    });
  }
}

/** Follows the sign-ins and sign-outs of the other windows. A window without scripts of the console has no channel. */
export function followAccess() {
  channel = new BroadcastChannel(channelName);
  channel.addEventListener("message", ({ data }) => {
    if (data === "signedin" || data === "signedout") dispatchEvent(new Event(data));
  });
}

/**
 * Tells this window and the others.
 *
 * @param {"signedin" | "signedout"} change
 */
export function tellAccess(change) {
  channel?.postMessage(change);
  dispatchEvent(new Event(change));
}

/**
 * Keeps the unsaved work of this window over a load of the page, for the path of the page.
 *
 * @param {unknown} draft What `takeDraft` returns. `undefined` leaves an earlier one.
 */
export function keepDraft(draft) {
  if (draft === undefined) return;
  try { sessionStorage.setItem(draftKey, JSON.stringify({ path: location.pathname, draft })); } catch { /* it lasts as long as the page */ }
}

/** Returns the unsaved work that was kept for this path, and forgets it. */
export function takeDraft() {
  try {
    const { path, draft } = JSON.parse(sessionStorage.getItem(draftKey) ?? "{}");
    if (path !== location.pathname) return undefined;
    dropDraft();
    return draft;
  } catch {
    return undefined;
  }
}

export function dropDraft() {
  try { sessionStorage.removeItem(draftKey); } catch { /* nothing is kept */ }
}
