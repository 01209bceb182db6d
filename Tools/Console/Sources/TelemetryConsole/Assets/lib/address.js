// @ts-check
// The address of the page. Every change of it goes through here, so that it always names the time zone if one was chosen.

import { zone } from "../shared/zone.js";

/** How many pages of the console the browser's back button can go through. */
export const depth = () => history.state?.depth ?? 0;

/**
 * A path of the console, with the chosen time zone. Local times need no name.
 *
 * @param {string} path
 */
export function withZone(path) {
  const [page, ...rest] = path.split("?");
  const parameters = rest.join("?").split("&").filter((parameter) => parameter && !parameter.startsWith("zone="));
  if (zone() !== "local") parameters.push(`zone=${encodeURIComponent(zone())}`);
  return parameters.length ? `${page}?${parameters.join("&")}` : page;
}

/**
 * Names what the page shows now, in place of what it showed.
 *
 * @param {string} path
 */
export function replaceAddress(path) {
  history.replaceState(history.state, "", withZone(path));
}

/**
 * Names what the page shows now, as a new place for the back button. Does nothing if it is the address already.
 *
 * @param {string} path
 */
export function pushAddress(path) {
  if (withZone(path) !== location.pathname + location.search) history.pushState({ depth: depth() + 1 }, "", withZone(path));
}
