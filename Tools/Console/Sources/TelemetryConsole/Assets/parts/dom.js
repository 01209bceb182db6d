// @ts-check
// The console's icons and shared elements.

import { keepFocus } from "./focus.js";
import { h, icons, replace as fill, toast } from "../shared/elements.js";

export { announce, focusedData, h, svg, toast } from "../shared/elements.js";
export { update, updateList } from "./update.js";

/** Replaces what is in an element. The focus stays with the control that had it. */
export function replace(element, ...children) {
  const giveBack = keepFocus(element);
  fill(element, ...children);
  giveBack();
}

export const icon = icons({
  sessions: "M5 2.5h6a1.5 1.5 0 0 1 1.5 1.5v8a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 12V4A1.5 1.5 0 0 1 5 2.5ZM7 11.5h2",
  health: "M1.5 8.5h3L6.5 4l3 8.5 2-4h3",
  hang: "M4.5 2.5h7M4.5 13.5h7M5.5 2.5c0 3 2.5 4 2.5 5.5S5.5 10.5 5.5 13.5M10.5 2.5c0 3-2.5 4-2.5 5.5s2.5 2.5 2.5 5.5",
  runend: "M8 2.5v5M5 4.3a5 5 0 1 0 6 0",
  tap: "M8 9.5V4a1.2 1.2 0 0 0-2.4 0v6.5L4.2 9.3a1.1 1.1 0 0 0-1.6 1.5l3 3h5.6l1.3-5.3a1 1 0 0 0-.8-1.200Z",
  crumb: "M8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6",
  devices: "M2.5 3.5h8v3M2.5 3.5v8h5M1.5 13.5h6M9.5 8.5h4a1 1 0 0 1 1 1v4a1 1 0 0 1-1 1h-4a1 1 0 0 1-1-1v-4a1 1 0 0 1 1-1Z",
  traces: "M2.5 4h7M4.5 8h9M7 12h5",
  logs: "M3.5 3.5h9M3.5 6.500h9M3.5 9.500h9M3.5 12.500h5.5",
  metrics: "M2.5 12.5 6 8l2.5 2.5 5-6.5",
  explore: "M2.5 13.5v-3M6 13.5v-6M9.5 13.5v-4.500M13 13.5V3",
  boards: "M2.5 2.500h4.500v6h-4.500ZM9 2.500h4.500v3h-4.500ZM9 8h4.500v5.500h-4.500ZM2.500 11h4.500v2.500h-4.500Z",
  alerts: "M4 7a4 4 0 0 1 8 0c0 3 1.500 4 1.500 4.500h-11C2.500 11 4 10 4 7ZM6.500 13.500h3",
  export: "M8 2.500v7.500M4.800 7 8 10.200 11.200 7M3 13h10",
  plus: "M8 3v10M3 8h10",
  pencil: "M3 13v-2.500l7.500-7.500 2.500 2.500L5.500 13ZM9 4.500l2.500 2.500",
  more: "M3.500 8h.01M8 8h.01M12.500 8h.01",
  journeys: "M2 3.500h12L10 8.500v3.800l-4 1.200V8.500Z",
  map: "M4.8 8a1.800 1.800 0 1 1-3.600 0 1.800 1.800 0 0 1 3.600 0ZM14.800 3.800a1.800 1.800 0 1 1-3.600 0 1.800 1.800 0 0 1 3.600 0ZM14.800 12.200a1.800 1.800 0 1 1-3.600 0 1.800 1.800 0 0 1 3.600 0ZM4.700 7.200l6.600-2.700M4.700 8.800l6.600 2.700",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.500h11",
  clock: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.8V8l2.2 1.6",
  down: "m4 6.2 4 4 4-4",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10ZM10.7 10.7 14 14",
  copy: "M5.5 5.5V3.5a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-2M3.5 5.5h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-6a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1Z",
  sun: "M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM8 1.5v1.2M8 13.3v1.2M14.5 8h-1.2M2.7 8H1.5M12.6 3.4l-.8.8M4.2 11.8l-.8.8M12.6 12.6l-.8-.8M4.2 4.2l-.8-.8",
  leave: "M6.5 2.5h-3a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1h3M10.5 5l3 3-3 3M13.2 8H6",
  keyboard: "M2.5 4h11A1 1 0 0 1 14.5 5v6a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1ZM4.5 7h.01M7 7h.01M9.5 7h.01M11.7 7h.01M5.5 9.5h5",
  chevron: "M6 3.5 10.5 8 6 12.5",
  close: "m4 4 8 8M12 4l-8 8",
  alert: "M8 5.2v3.3M8 11h.01M8 1.8 14.6 13.5H1.4Z",
  request: "M2.5 8h10M9 4.5 12.7 8 9 11.5",
  server: "M3 3.5h10v4H3ZM3 9.5h10v3H3ZM5.2 5.5h.01M5.2 11h.01",
  view: "M4.5 2.5h7v11h-7ZM7 11.5h2",
  span: "M3 5.5h7M6 10.5h7",
  event: "M8 3.2 12.8 8 8 12.8 3.2 8Z",
  log: "M3.5 4h9M3.5 8h9M3.5 12h5.5",
  crash: "M8.8 1.8 3.8 9h3.7l-.4 5.2L12.2 7H8.4Z",
  check: "M3 8.5 6.5 12 13 4.5",
  network: "M2 6.5a9 9 0 0 1 12 0M4.3 9a5.6 5.6 0 0 1 7.4 0M8 12.2h.01",
  phone: "M5.5 1.8h5a1 1 0 0 1 1 1v10.4a1 1 0 0 1-1 1h-5a1 1 0 0 1-1-1V2.8a1 1 0 0 1 1-1ZM7.3 11.8h1.4",
  policy: "M2.5 4.5h6M11.5 4.5h2M10 3v3M2.5 11.5h2M7.5 11.5h6M6 10v3",
  recorder: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 10.200a2.200 2.200 0 1 0 0-4.400 2.200 2.200 0 0 0 0 4.400Z",
  gauge: "M2.5 11.5a5.8 5.8 0 1 1 11 0M8 10l2.6-3.4",
  play: "M5 3.2v9.6L12.6 8Z",
  pause: "M5.6 3.500v9M10.4 3.500v9",
  before: "M11.5 3.8 5.8 8l5.7 4.200ZM4.2 3.800v8.4",
  after: "M4.5 3.8 10.2 8l-5.7 4.200ZM11.8 3.800v8.4",
  skip: "M2.5 4 7.5 8l-5 4ZM8 4l5 4-5 4Z",
  gap: "M2.5 8h2.500M11 8h2.500M6.8 8h2.400M5 4.500v7M11 4.500v7",
  back: "M9.5 3.5 5 8l4.5 4.5",
});

/** The large logo for empty pages. */
export function glyph() {
  return h("img", { src: "/assets/shared/icon.svg", class: "glyph", alt: "" });
}

/** Copies `text`. If the browser forbids that, shows the text so that the user can copy it. */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`Copied ${what}`);
  } catch {
    toast(text);
  }
}

export function copyButton(text, what) {
  return h("button", { class: "quiet", type: "button", "aria-label": `Copy ${what}`, title: `Copy ${what}`,
    onclick: (event) => { event.stopPropagation(); copy(text, what); } }, icon("copy"));
}
