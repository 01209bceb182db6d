// @ts-check
// The parts that charts over time have in common: axes, a tip beside a position, and reading with the keyboard.

import { timeTicks } from "../lib/axes.js";
import { h, replace, svg } from "./dom.js";
import { focusPage } from "./focus.js";
import { dayAndTime, quantity } from "../shared/format.js";

/**
 * Makes the steps of a picture readable with the keyboard: arrows, Home and End go through them, Escape leaves them.
 *
 * It is a slider for screen readers, which read its value after each key. `show(step)` shows a step and returns it as text,
 * and `hide()` ends that. With `move(step, by)`, the up and down arrows return the text of another place in the step. With
 * `press(step)`, Enter returns the text of what it does there, which Escape ends if `cancel()` returns true.
 *
 * @param {SVGElement} picture
 * @param {{ count: number, show: (step: number) => string, hide: () => void, move?: (step: number, by: number) => string,
 *   press?: (step: number) => string, cancel?: () => boolean }} steps
 */
export function readable(picture, { count, show, hide, move, press, cancel }) {
  let step = count - 1;
  const say = (text) => { picture.setAttribute("aria-valuenow", step); picture.setAttribute("aria-valuetext", text); };
  for (const [name, value] of Object.entries({ role: "slider", tabindex: 0, "aria-valuemin": 0, "aria-valuemax": count - 1, "aria-valuenow": step, "aria-valuetext": "Arrow keys read the values" })) picture.setAttribute(name, value);
  picture.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: count - 1 };
    if (event.key in steps) {
      step = Math.min(Math.max(steps[event.key], 0), count - 1);
      say(show(step));
    } else if (move && (event.key === "ArrowUp" || event.key === "ArrowDown")) say(move(step, event.key === "ArrowUp" ? 1 : -1));
    else if (press && event.key === "Enter") say(press(step));
    else if (event.key === "Escape" && document.activeElement === picture) { if (!cancel?.()) { hide(); focusPage(); } }
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  picture.addEventListener("focus", () => { if (picture.matches(":focus-visible")) say(show(step)); });
  picture.addEventListener("blur", hide);
}

/** The grid and the labels of both axes. */
export function axes({ inner, x, y, ticks, answer, width }) {
  return [
    ticks.map(({ value, text }) => [
      svg("line", { class: "grid", x1: inner.left, x2: inner.right, y1: y(value), y2: y(value) }),
      svg("text", { class: "tick", x: inner.left - 8, y: y(value) + 3.5, "text-anchor": "end" }, text),
    ]),
    timeTicks(answer.fromUs, answer.toUs, Math.max(2, Math.floor(width / 110))).map(({ timeUs, text }) => [
      svg("line", { class: "grid faint-grid", x1: x(timeUs), x2: x(timeUs), y1: inner.top, y2: inner.bottom }),
      svg("text", { class: "tick", x: x(timeUs), y: inner.bottom + 15, "text-anchor": x(timeUs) > inner.right - 24 ? "end" : "middle" }, text),
    ]),
  ];
}

/** The start of a step and its length. */
export function timeText(timeUs, stepUs) {
  const end = stepUs ? ` + ${quantity(stepUs * 1e3, { unit: "ns" })}` : "";
  return `${dayAndTime(timeUs)}${end}`;
}

/** Shows lines `[color, title, value, note]` below a heading, and a sentence below them, beside a position. */
export function showTip(tip, frame, position, [heading, ...lines], sentence = "") {
  replace(tip, h("strong", {}, heading), lines.map(([color, title, value, note]) => h("div", {},
    h("i", { class: "dot", style: { "--tone": color } }), h("span", { class: "clip" }, title), h("b", {}, value), note ? h("span", { class: "faint" }, note) : null)), sentence ? h("p", { class: "muted" }, sentence) : null);
  tip.hidden = false;
  const isRight = position > frame.clientWidth / 2;
  tip.style.left = isRight ? "auto" : `${position + 14}px`;
  tip.style.right = isRight ? `${frame.clientWidth - position + 14}px` : "auto";
}
