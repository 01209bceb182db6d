// @ts-check
// An overview of the whole trace that marks the part shown in the waterfall. Drag to zoom, double-click to reset.

import { h } from "./dom.js";
import { flatTone, token } from "./theme.js";

/** The smallest part of a trace that can be shown. */
const smallest = 0.0005;

export class Minimap {
  constructor(onView) {
    this.onView = onView;
    this.view = { from: 0, to: 1 };
    this.canvas = h("canvas", { role: "img", "aria-label": "The whole trace" });
    this.brush = h("div", { class: "brush", hidden: true });
    this.element = h("div", { class: "minimap" }, this.canvas, this.brush);
    this.canvas.addEventListener("pointerdown", (event) => this.press(event));
    this.canvas.addEventListener("pointermove", (event) => this.drag(event));
    this.canvas.addEventListener("pointerup", (event) => this.release(event));
    this.canvas.addEventListener("dblclick", () => this.reset());
    this.resizing = new ResizeObserver(() => this.paint());
    this.resizing.observe(this.element);
    this.updateColors = () => this.paint();
    addEventListener("themechange", this.updateColors);
  }

  destroy() {
    this.resizing.disconnect();
    removeEventListener("themechange", this.updateColors);
  }

  setTrace(trace) {
    this.trace = trace;
    this.paint();
  }

  fraction(event) {
    const box = this.canvas.getBoundingClientRect();
    return Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
  }

  press(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.anchor = this.fraction(event);
  }

  drag(event) {
    if (this.anchor === undefined) return;
    const here = this.fraction(event);
    if (Math.abs(here - this.anchor) > 0.005) this.setView({ from: Math.min(here, this.anchor), to: Math.max(here, this.anchor) });
  }

  release(event) {
    this.drag(event);
    this.anchor = undefined;
  }

  setView({ from, to }) {
    if (to - from < smallest) to = Math.min(from + smallest, 1);
    this.view = { from: Math.max(0, Math.min(from, 1 - smallest)), to: Math.min(1, to) };
    const isWhole = this.view.from <= 0 && this.view.to >= 1;
    this.brush.hidden = isWhole;
    this.brush.style.left = `${this.view.from * 100}%`;
    this.brush.style.width = `${(this.view.to - this.view.from) * 100}%`;
    this.onView(this.view);
  }

  zoom(factor, centre) {
    const width = Math.min((this.view.to - this.view.from) * factor, 1);
    const from = Math.min(Math.max(centre - width / 2, 0), 1 - width);
    this.setView({ from, to: from + width });
  }

  reset() {
    this.setView({ from: 0, to: 1 });
  }

  paint() {
    const box = this.canvas.getBoundingClientRect();
    if (!this.trace || !box.width) return;
    const scale = devicePixelRatio;
    this.canvas.width = box.width * scale;
    this.canvas.height = box.height * scale;
    const draw = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    draw.scale(scale, scale);
    const bad = token("--bad-fill");
    const { spans, durationNs } = this.trace;
    const total = Math.max(durationNs, 1);
    const padding = 6;
    const step = Math.min((box.height - padding * 2) / spans.length, 7);
    const height = Math.max(step * 0.7, 1);
    spans.forEach((span, index) => {
      draw.fillStyle = span.error ? bad : flatTone(span.service);
      draw.globalAlpha = span.error ? 1 : 0.8;
      draw.fillRect((span.offsetNs / total) * box.width, padding + index * step, Math.max((span.durationNs / total) * box.width, 1.5), height);
    });
  }
}
