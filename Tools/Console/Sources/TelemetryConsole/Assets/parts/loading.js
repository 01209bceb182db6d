// @ts-check
// What a page shows while an answer is under way: words in place of nothing, and an earlier answer marked as one.

import { failedPage, failurePage } from "./components.js";
import { h, replace } from "./dom.js";

/** How long an answer may take before a page says that it waits, in milliseconds. */
const slowAfter = 300;

/** @type {WeakMap<Element, symbol>} The newest work on each element. */
const newest = new WeakMap();

/**
 * Does work that fills an element, and says so meanwhile.
 *
 *     filled(body, "Loading the boards", async () => update(body, cards(await get("boards"))), { retry: load });
 *
 * After a moment, an element without content says what it waits for, and one with content is marked as an earlier answer. A
 * failure is shown in the element. Work on an element that newer work has begun on leaves no mark.
 *
 * @param {HTMLElement} element
 * @param {string} what What the page does, such as "Loading the boards".
 * @param {() => Promise<unknown>} work It throws an `AbortError` if it is no longer wanted.
 * @param {object} options
 * @param {boolean} [options.isRefresh] Whether it asks the same again. What is shown then stays, also after a failure.
 * @param {() => void} [options.retry]
 * @param {(error: any) => any} [options.fail] Makes what is shown after a failure. Without it, that is a `failurePage`. A
 *   text marks what is shown as an earlier answer: the failure is then shown elsewhere.
 */
export async function filled(element, what, work, { isRefresh = false, retry = () => {}, fail } = {}) {
  const turn = Symbol(what);
  newest.set(element, turn);
  const isNewest = () => newest.get(element) === turn;
  const hasNothing = () => !element.children.length || element.children[0].getAttribute("data-key") === "loading";
  const isEmpty = hasNothing();
  element.setAttribute("aria-busy", "true");
  const slow = setTimeout(() => {
    if (hasNothing()) replace(element, h("p", { class: "loading faint", role: "status", "data-key": "loading" }, `${what} …`));
    else if (!isRefresh && !isEmpty) stale(element, `${what} … Below is the answer before.`);
  }, slowAfter);
  try {
    await work();
    if (isNewest()) element.removeAttribute("data-stale");
  } catch (error) {
    if (error.name === "AbortError" || !isNewest()) return;
    if (isRefresh && !isEmpty) return stale(element, `This is not the newest. ${error.message}`);
    element.removeAttribute("data-stale");
    const shown = fail ? fail(error) : failurePage(error, retry);
    if (typeof shown !== "string") replace(element, shown);
    else if (isEmpty) replace(element);
    else stale(element, shown);
  } finally {
    clearTimeout(slow);
    if (isNewest()) element.setAttribute("aria-busy", "false");
  }
}

/**
 * Fills a page that shows one thing, as `filled` does. Without an earlier answer, a failure takes the place of the page.
 *
 * @param {HTMLElement} root
 * @param {string} what
 * @param {() => Promise<unknown>} work
 * @param {object} options
 * @param {HTMLElement} [options.part] The part of the page that is empty until the answer comes. By default, that is all.
 * @param {boolean} [options.isRefresh]
 * @param {() => void} options.retry
 */
export function filledPage(root, what, work, { part = root, isRefresh, retry }) {
  return filled(part, what, work, { isRefresh, fail: (error) => {
    failedPage(root, error, retry);
    return part === root ? [...root.childNodes] : null;
  } });
}

/** Marks what an element shows as an earlier answer, with words, until `filled` has a newer one. */
export function stale(/** @type {Element} */ element, /** @type {string} */ words) {
  element.setAttribute("data-stale", words);
}
