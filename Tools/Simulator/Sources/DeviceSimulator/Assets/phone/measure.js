// @ts-check
// Reports the size and the place of the views whose nodes accept the action "measure".

import { Reporter } from "./reporter.js";

export class Measurer extends Reporter {
  constructor(host, device) {
    super(host, device, "measure", ["scroll", "transitionend", "animationend"]);
  }

  /** An item's size is known as soon as the observer has reported it. */
  noteSizes(entries) {
    for (const { target, borderBoxSize: [box] } of entries) {
      const item = this.followed.get(Number(/** @type {HTMLElement} */ (target).dataset.node));
      if (item) item.size = [box.inlineSize, box.blockSize];
    }
  }

  valueOf({ view: { element, record }, size }, glass, scale) {
    if (!size) return undefined;
    return [...size, ...(record.properties.place === true ? placeOf(element, glass, scale) : [0, 0, 0, 0, 0, 0])];
  }
}

/** Returns `[x, y, top, leading, bottom, trailing]`, and `[id, x, y]` for each coordinate space around the view. */
function placeOf(element, glass, scale) {
  const box = element.getBoundingClientRect();
  const from = ({ left, top }) => [(box.left - left) / scale, (box.top - top) / scale];
  const spaces = [];
  for (let at = element.parentElement; at && at !== glass; at = at.parentElement) {
    if (!at.classList.contains("coordinate-space")) continue;
    const [x, y] = from(at.getBoundingClientRect());
    // The page scrolls instead of a scroll view that fills it, so the whole view moves.
    const page = at.querySelector(".main-scroller") ? at.closest(".page-body") : undefined;
    spaces.push(Number(at.dataset.node), x, y - (page?.scrollTop ?? 0));
  }
  return [...from(glass.getBoundingClientRect()), ...insetsOf(element, box, scale), ...spaces];
}

/** The insets of the safe area at the edges that the view touches. */
function insetsOf(element, box, scale) {
  const area = element.closest(".page, .sheet-panel, .tab-page, .window-content");
  if (!area) return [0, 0, 0, 0];
  const outer = area.getBoundingClientRect();
  const style = getComputedStyle(element);
  const length = (name) => parseFloat(style.getPropertyValue(name)) || 0;
  const main = element.closest(".page-body");
  const top = main ? parseFloat(getComputedStyle(main).paddingTop) || 0 : length("--safe-top");
  const bottom = length("--safe-bottom");
  const touches = (distance, inset) => Math.abs(distance / scale - inset) <= 1;
  return [touches(box.top - outer.top, top) ? top : 0, 0, touches(outer.bottom - box.bottom, bottom) ? bottom : 0, 0];
}
