// @ts-check
// The boards that a form offers.

import { get } from "../lib/api.js";
import { toast } from "./dom.js";

/** The time after which the page says that it waits, in milliseconds. */
const slowAfter = 300;

let isAsking = false;

/**
 * Returns the boards that can be changed, as choices of a form. Says so if the list takes long, cannot be loaded or has none,
 * and then returns `undefined`, as it does if a list is on its way or the page was left meanwhile.
 *
 * @returns {Promise<[string, string][] | undefined>}
 */
export async function boardChoices() {
  if (isAsking) return undefined;
  isAsking = true;
  const page = location.pathname;
  const slow = setTimeout(() => toast("Loading the boards …"), slowAfter);
  try {
    const { boards } = await get("boards");
    if (location.pathname !== page) return undefined;
    const usable = boards.filter((board) => !board.error);
    if (usable.length) return usable.map(({ id, title }) => [id, title ?? id]);
    toast("There is no board without an error. Make one on the page of the boards.");
  } catch (error) {
    toast(`The boards could not be loaded. ${/** @type {Error} */ (error).message}`);
  } finally {
    isAsking = false;
    clearTimeout(slow);
  }
  return undefined;
}
