// @ts-check
// Views that come and go in an animated change: with the transition of their node, or else with a fade.

import { leave } from "./view.js";

/** The place of a view before a change, relative to the element to which an absolute position refers. */
export function placeOf(element) {
  const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = element;
  // The width is rounded, and a text that gets less of it than before would take another line.
  return { left: offsetLeft, top: offsetTop, width: offsetWidth + 1, height: offsetHeight };
}

/** Whether the view comes, or goes, with a timing of its own, and so also in a change that is not animated. */
export function hasTiming(transition, way) {
  return transition?.[way]?.some((effect) => Array.isArray(effect)) === true;
}

/** Lets a new view come in. */
export function comeIn(element, transition, animation) {
  for (const { style, timing } of groups(element, transition?.[0] ?? ["opacity"], animation)) {
    element.animate([style, end(style)], options(timing));
  }
}

/** Lets a removed view go out from its place, above those that take it. It accepts no input meanwhile. */
export function goOut(element, place, transition, animation) {
  const all = groups(element, transition?.[1] ?? ["opacity"], animation);
  if (all.length === 0) return element.remove();
  leave(element, Math.max(...all.map(({ timing }) => timing.delay + timing.duration)) * 1000);
  for (const [name, value] of Object.entries(place)) element.style.setProperty(name, `${value}px`);
  Object.assign(element.style, { position: "absolute", margin: 0, maxWidth: "none", maxHeight: "none", boxSizing: "border-box", pointerEvents: "none" });
  for (const { style, timing } of all) element.animate([end(style), style], options(timing));
}

export function options({ delay, duration, curve }) {
  return { delay: delay * 1000, duration: duration * 1000, easing: `linear(${curve.join(", ")})`, fill: "both" };
}

/** The effects by their timing: their own, or else that of the change. One without any has no effect. */
function groups(element, effects, animation) {
  const found = new Map();
  for (const effect of effects) {
    const [name, delay, duration, curve] = Array.isArray(effect) ? effect : [effect];
    const timing = Array.isArray(effect) ? { delay, duration, curve } : animation;
    if (!timing) continue;
    const key = Array.isArray(effect) ? JSON.stringify(timing) : "";
    if (!found.has(key)) found.set(key, { timing, names: [] });
    found.get(key).names.push(name);
  }
  return [...found.values()].map(({ timing, names }) => ({ timing, style: far(element, names) }));
}

/** The style that a view has without the transition. What it does not name is as it is. */
function end({ transformOrigin }) {
  return transformOrigin ? { transformOrigin } : {};
}

/** Returns the style that the effects give a view at the far end. */
function far(element, effects) {
  const isMirrored = getComputedStyle(element.parentElement ?? element).direction === "rtl" ? -1 : 1;
  const style = {};
  const shift = [];
  for (const effect of effects) {
    const [name, first, second] = effect.split(" ");
    if (name === "opacity") style.opacity = 0;
    if (name === "scale") {
      style.scale = first;
      style.transformOrigin = second.split(",").map((share) => `${Number(share) * 100}%`).join(" ");
    }
    if (name === "offset") shift.push([`${first}px`, `${second}px`]);
    if (name === "move") shift.push({ leading: [`${-100 * isMirrored}%`, "0%"], trailing: [`${100 * isMirrored}%`, "0%"], top: ["0%", "-100%"], bottom: ["0%", "100%"] }[first]);
  }
  const sum = (parts) => (parts.length > 1 ? `calc(${parts.join(" + ")})` : parts[0]);
  if (shift.length > 0) style.translate = [0, 1].map((axis) => sum(shift.map((by) => by[axis]))).join(" ");
  return style;
}
