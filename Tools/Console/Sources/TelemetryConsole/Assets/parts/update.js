// @ts-check
// Changes what is shown, in place of replacing it: the focus, the selection, the place and open menus stay.

import { h, nodes, takeHandlers } from "../shared/elements.js";

/** The attributes that tell an element from its siblings, the first that it has. */
const keyNames = ["data-key", "id", "data-session", "data-trace", "data-device", "data-group", "data-filter", "data-section", "href", "name"];

/** @type {WeakMap<Element, Set<string | undefined>>} The keys of the rows of each list. */
const rowsOf = new WeakMap();

/**
 * Shows children in an element, as `replace` does, and keeps each element that corresponds to one of them.
 *
 * Elements correspond if they have the same tag and first class, and the same key: `data-key`, `id` or another attribute
 * that names a record. Without a key, the first corresponds to the first of its kind. A child that is in the element
 * already stays as it is. An element that is kept gets the new attributes, children and `on…` listeners of `h`. So a
 * listener reads its element from the event, and not from a variable. An element that outlives a call is a child itself,
 * and not in one that is made again. One with `data-whole`, whose parts know each other, is replaced, or kept while it has
 * the focus.
 *
 * @param {Element} element
 * @param {any[]} children
 */
export function update(element, ...children) {
  arrange(element, nodes(children));
}

/** @param {Node} node */
function keyOf(node) {
  if (!(node instanceof Element)) return undefined;
  const name = keyNames.find((each) => node.hasAttribute(each));
  return name && `${name}=${node.getAttribute(name)}`;
}

/** @param {Node} node */
function kindOf(node) {
  const name = node instanceof Element ? (node.getAttribute("class") ?? "").split(" ", 1)[0] : "";
  return `${node.nodeName}.${name} ${keyOf(node) ?? ""}`;
}

/**
 * @param {Element} element
 * @param {ChildNode[]} fresh
 */
function arrange(element, fresh) {
  const staying = new Set(fresh);
  /** @type {Map<string, ChildNode[]>} */
  const known = new Map();
  for (const child of element.childNodes) {
    if (staying.has(child)) continue;
    const kind = kindOf(child);
    if (known.has(kind)) known.get(kind)?.push(child); else known.set(kind, [child]);
  }
  const shown = fresh.map((child) => {
    const kept = child.parentNode === element ? undefined : known.get(kindOf(child))?.shift();
    if (!kept || (isWhole(kept) && !kept.contains(document.activeElement))) return child;
    if (!isWhole(kept)) adopt(kept, child);
    return kept;
  });
  const kept = new Set(shown);
  for (const child of [...element.childNodes]) if (!kept.has(child)) child.remove();
  place(element, shown);
}

/** Puts children in order. The one with the focus is not moved, because that would take the focus from it. */
function place(/** @type {Element} */ element, /** @type {ChildNode[]} */ shown) {
  const fixed = shown.findIndex((child) => child.parentNode === element && child.contains(document.activeElement));
  /** @type {ChildNode | null} */
  let next = null;
  for (const [index, child] of [...shown.entries()].reverse()) {
    if (index !== fixed && (child.parentNode !== element || child.nextSibling !== next)) element.insertBefore(child, next);
    next = child;
  }
}

/**
 * Makes a node show what another one does.
 *
 * @param {ChildNode} kept
 * @param {ChildNode} fresh
 */
function adopt(kept, fresh) {
  if (!(kept instanceof Element) || !(fresh instanceof Element)) {
    if (kept.nodeValue !== fresh.nodeValue) kept.nodeValue = fresh.nodeValue;
    return;
  }
  if (kept.hasAttribute("popover") && kept.matches(":popover-open")) return;
  takeHandlers(kept, fresh);
  for (const { name } of [...kept.attributes]) if (!fresh.hasAttribute(name) && !isReaders(kept, name)) kept.removeAttribute(name);
  for (const { name, value } of fresh.attributes) {
    if (kept.getAttribute(name) !== value && !isReaders(kept, name)) setAttribute(kept, name, value);
  }
  arrange(kept, [...fresh.childNodes]);
  // What was chosen in a list goes before its attributes.
  if (kept.nodeName === "SELECT") /** @type {HTMLSelectElement} */ (kept).value = /** @type {HTMLSelectElement} */ (fresh).value;
}

function setAttribute(/** @type {Element} */ element, /** @type {string} */ name, /** @type {string} */ value) {
  // The content security policy refuses styles in attributes, and allows those of scripts.
  if (name === "style") /** @type {HTMLElement | SVGElement} */ (element).style.cssText = value;
  else element.setAttribute(name, value);
}

const isWhole = (/** @type {Node} */ node) => node instanceof Element && node.hasAttribute("data-whole");

/** Whether an attribute says what a reader did, and not what the page shows: what is unfolded, where a menu is, and the focus. */
function isReaders(/** @type {Element} */ element, /** @type {string} */ name) {
  return (name === "open" && element.nodeName === "DETAILS") || (name === "style" && element.hasAttribute("popover"))
    // A heading that loses it loses the focus; see `focusPage`.
    || (name === "tabindex" && element.nodeName === "H1");
}

/**
 * Shows a list of records. While a person reads in it, the rows that are there are updated in their places, and new ones
 * wait behind a button with their number.
 *
 * @param {HTMLElement} list What scrolls.
 * @param {object} parts
 * @param {any} [parts.head]
 * @param {HTMLElement[]} parts.rows Each has a key, see `update`.
 * @param {any} [parts.foot]
 * @param {boolean} [parts.isAsked] Whether the reader asked for it. Nothing waits then.
 */
export function updateList(list, { head = null, rows, foot = null, isAsked = false }) {
  const fresh = new Map(rows.map((row) => [keyOf(row), row]));
  const shown = /** @type {HTMLElement[]} */ ([...list.children]).filter((child) => rowsOf.get(list)?.has(keyOf(child)));
  const comers = rows.filter((row) => !rowsOf.get(list)?.has(keyOf(row)));
  const showAll = () => {
    rowsOf.set(list, new Set(fresh.keys()));
    update(list, head, rows, foot);
  };
  if (isAsked || !shown.length || !isRead(list)) { showAll(); return; }
  const notice = h("div", { class: "new-rows" }, h("button", { type: "button", onclick: () => {
    showAll();
    list.scrollTop = 0;
    const first = /** @type {HTMLElement | undefined} */ ([...list.children].find((child) => keyOf(child) === keyOf(rows[0])));
    (first?.querySelector("summary") ?? first)?.focus({ preventScroll: true });
  } }, `${comers.length} new`));
  update(list, head, comers.length ? notice : null, shown.map((row) => fresh.get(keyOf(row)) ?? row), foot);
}

/** True if a person reads in a list: it is scrolled, or has the focus, the selection or an unfolded record. */
function isRead(/** @type {HTMLElement} */ list) {
  const selection = getSelection();
  return list.scrollTop > 0 || (document.scrollingElement?.scrollTop ?? 0) > 0 || list.contains(document.activeElement) || Boolean(list.querySelector("details[open]"))
    || Boolean(selection && !selection.isCollapsed && list.contains(selection.anchorNode));
}
