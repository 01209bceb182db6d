// @ts-check
// The boards that a form offers.

import { get } from "../lib/api.js";
import { toast } from "./dom.js";

/** How long the list may take before the page says that it waits, in milliseconds. */
const patience = 300;

/**
 * Returns the boards that can be changed, as choices of a form. Says so if the list takes long, cannot be loaded or has none,
 * and then returns `undefined`.
 *
 * @returns {Promise<[string, string][] | undefined>}
 */
export async function boardChoices() {
  const slow = setTimeout(() => toast("Loading the boards …"), patience);
  try {
    const { boards } = await get("boards");
    const usable = boards.filter((board) => !board.error);
    if (usable.length) return usable.map(({ id, title }) => [id, title ?? id]);
    toast("There is no board without an error. Make one on the page of the boards.");
  } catch (error) {
    toast(`The boards could not be loaded. ${/** @type {Error} */ (error).message}`);
  } finally {
    clearTimeout(slow);
  }
  return undefined;
}
