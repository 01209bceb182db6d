// @ts-check
// Where the keyboard's focus goes when a part of the page is drawn again, or when something closes.

/** The links of lists, tables and cards to what they list. */
const rowLinks = "a.entry, tbody a, a.board-card, .metric a";
const focusable = "a[href], button, input, select, textarea, summary, h1, [tabindex]";

/** What tells an element from the others of its part. */
function identity(element) {
  const attribute = (name) => element.getAttribute(name) ?? "";
  const name = attribute("aria-label") || attribute("name") || attribute("href");
  return JSON.stringify([element.tagName, element.id, name, { ...element.dataset }, name ? "" : element.textContent]);
}

const isAlike = (one, other) => other !== undefined && one.tagName === other.tagName && one.classList[0] === other.classList[0];

function focus(element, former) {
  // A heading has none of its own.
  if (former.hasAttribute("tabindex") && !element.hasAttribute("tabindex")) element.setAttribute("tabindex", former.getAttribute("tabindex"));
  element.focus({ preventScroll: true });
}

/**
 * Remembers the focus inside an element that is about to be drawn again. Returns what gives it to the same element of the
 * new content: one with the same name, or else one of the same kind at the same place, as a button whose title has changed.
 *
 * @param {ParentNode & Node} container
 */
export function keepFocus(container) {
  const former = /** @type {HTMLElement | null} */ (document.activeElement);
  if (!former || former === container || !container.contains(former)) return () => {};
  const place = [...container.querySelectorAll(focusable)].indexOf(former);
  const wanted = identity(former);
  return () => {
    if (document.activeElement !== document.body && document.activeElement !== null) return;
    const all = [...container.querySelectorAll(focusable)];
    const found = all.find((element) => identity(element) === wanted) ?? (isAlike(former, all[place]) ? all[place] : undefined);
    if (found) focus(found, former); else focusPage();
  };
}

/** Gives the focus back to what had it, or to what has taken its place on the page. */
export function giveFocusBack(former) {
  if (document.activeElement !== document.body && document.activeElement?.isConnected) return;
  if (former?.isConnected) former.focus({ preventScroll: true });
  else {
    const wanted = former && identity(former);
    const found = [...document.querySelectorAll(focusable)].find((element) => identity(element) === wanted);
    if (found) focus(found, former); else focusPage();
  }
}

/** Moves the focus to the heading of the page, or to the page as a whole, where its shortcuts hold. */
export function focusPage() {
  const heading = document.querySelector("main h1");
  if (heading) heading.tabIndex = -1;
  (heading ?? document.getElementById("main"))?.focus({ preventScroll: true });
}

/** Moves the focus to the main part of a page that has loaded, unless its reader is somewhere else meanwhile. */
export function offerFocus(element) {
  if (document.activeElement?.matches("body, main, main h1") ?? true) element.focus({ preventScroll: true });
}

/**
 * Moves the focus to the heading of a page, as soon as it has one. A reader who comes back from a page goes on at the link
 * to it, as soon as the list that has it is drawn. Neither happens if the reader goes elsewhere before.
 *
 * @param {Element} page
 * @param {string} [left] The path of the page that the reader comes back from.
 */
export function focusHeading(page, left = "") {
  focusPage();
  const isDone = () => {
    if (!page.isConnected || !(document.activeElement?.matches("main, body, main h1") ?? true)) return true;
    if (document.activeElement?.localName !== "h1") focusPage();
    const links = /** @type {NodeListOf<HTMLAnchorElement>} */ (page.querySelectorAll(rowLinks));
    if (left) [...links].find(({ pathname }) => pathname === left)?.focus();
    return page.querySelector("h1") !== null && (!left || links.length > 0);
  };
  if (isDone()) return;
  const waiting = new MutationObserver(() => { if (isDone()) waiting.disconnect(); });
  waiting.observe(page, { childList: true, subtree: true });
}
