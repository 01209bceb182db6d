// @ts-check
// Reports how far the scroll views are scrolled whose nodes accept the action "scroll".

import { Reporter } from "./reporter.js";

export class ScrollReporter extends Reporter {
  constructor(host, device) {
    super(host, device, "scroll", ["scroll"]);
  }

  valueOf({ view: { element } }, glass, scale) {
    return [...geometry(element, glass, scale), firstTarget(element, scale)];
  }
}

/** The element that scrolls for a view: the page for one that fills it. */
function scrollerOf(element) {
  return element.classList.contains("main-scroller") ? element.closest(".page-body") ?? element : element;
}

/** Offset, size of the content, size of the view, insets from the top on, and place on the screen. */
function geometry(element, glass, scale) {
  const scroller = scrollerOf(element);
  const own = getComputedStyle(element);
  const outer = scroller === element ? undefined : getComputedStyle(scroller);
  const inset = (name) => (parseFloat(own[name]) || 0) + (parseFloat(outer?.[name] ?? "") || 0);
  const insets = [inset("paddingTop"), inset("paddingLeft"), inset("paddingBottom"), inset("paddingRight")];
  const [top, left, bottom, right] = insets;
  const box = scroller.getBoundingClientRect();
  const screen = glass.getBoundingClientRect();
  return [
    Math.abs(scroller.scrollLeft) - left, scroller.scrollTop - top,
    scroller.scrollWidth - left - right, scroller.scrollHeight - top - bottom,
    scroller.clientWidth, scroller.clientHeight, ...(own.direction === "rtl" ? [top, right, bottom, left] : insets),
    (box.left - screen.left) / scale, (box.top - screen.top) / scale,
  ];
}

/** The node of the first target that is at least half in sight; 0 without one. */
function firstTarget(element, scale) {
  const targets = [...element.querySelector(".scroll-targets")?.children ?? []];
  const scroller = scrollerOf(element);
  const box = scroller.getBoundingClientRect();
  const style = getComputedStyle(scroller);
  const [left, top] = [box.left + (parseFloat(style.paddingLeft) || 0) * scale, box.top + (parseFloat(style.paddingTop) || 0) * scale];
  const isAcross = element.classList.contains("horizontal");
  const found = targets.find((target) => {
    const place = target.getBoundingClientRect();
    return isAcross ? place.left + place.width / 2 > left : place.top + place.height / 2 > top;
  });
  return Number(/** @type {HTMLElement | undefined} */ (found)?.dataset.node ?? 0);
}
