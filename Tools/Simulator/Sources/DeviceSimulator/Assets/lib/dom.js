// @ts-check
// The page's icons, and functions that change the DOM only if needed.

import { icons } from "../shared/elements.js";

export { announce, focusedData, h, replace, svg, toast } from "../shared/elements.js";

export const icon = icons({
  wifi: "M2 6.2a9 9 0 0 1 12 0M4.3 8.8a5.6 5.6 0 0 1 7.4 0M6.5 11.3a2.3 2.3 0 0 1 3 0M8 13h.01",
  cellular: "M3 13v-2.5M6.3 13V8.5M9.6 13V6M13 13V3",
  weak: "M3 13v-2.5M6.3 13v-.01M9.6 13v-.01M13 13v-.01",
  airplane: "M14 8c0-.6-.5-1-1.1-1H10L6.6 2H5.2l1.6 5H4L2.8 5.4H1.9L2.6 8l-.7 2.6h.9L4 9h2.8l-1.6 5h1.4L10 9h2.9c.6 0 1.1-.4 1.1-1Z",
  power: "M8 2v5.5M4.6 4.2a5 5 0 1 0 6.8 0",
  sun: "M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM8 1.5v1.2M8 13.3v1.2M14.5 8h-1.2M2.7 8H1.5M12.6 3.4l-.8.8M4.2 11.8l-.8.8M12.6 12.6l-.8-.8M4.2 4.2l-.8-.8",
  moon: "M13.5 9.6A6 6 0 0 1 6.4 2.5a6 6 0 1 0 7.1 7.1Z",
  home: "M2.5 7.5 8 2.8l5.5 4.7M4 6.5v6.7h8V6.5",
  refresh: "M13.2 8a5.2 5.2 0 1 1-1.6-3.8M13.3 2.3v2.6h-2.6",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  play: "M5 3.2v9.6L12.8 8Z",
  stop: "M4 4h8v8H4Z",
  record: "M8 12.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Z",
  bolt: "M8.8 1.8 3.8 9h3.7l-.4 5.2L12.2 7H8.4Z",
  trash: "M3 4.5h10M6.3 4.5V3h3.4v1.5M4.3 4.5l.6 8.5h6.2l.6-8.5",
  layers: "M8 2.5 14 5.8 8 9 2 5.8ZM2.3 8.6 8 11.7l5.7-3.1",
  external: "M9.5 3h3.5v3.5M13 3 7.5 8.5M11.5 9.5V13H3V4.5h3.5",
  back: "M9.5 3.5 5 8l4.5 4.5",
});

/**
 * Sets the text if it differs, so that a selection in it is kept.
 *
 * @param {Element | null | undefined} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

/**
 * Sets an attribute, or removes it if the value is undefined, null or false.
 *
 * @param {Element} element
 * @param {string} name
 * @param {any} value
 */
export function setAttribute(element, name, value) {
  if (value === undefined || value === null || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value === true ? "" : String(value));
}
