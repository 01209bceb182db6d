// @ts-check
// An overview of a session: the activity of phone and backend over time. Click or drag to go to a moment.

import { inRows, screensOf } from "../lib/timeline-items.js";
import { recorderBands } from "../lib/recorder.js";
import { conditionBands } from "./conditions.js";
import { h } from "./dom.js";
import { duration, plural } from "../shared/format.js";
import { token } from "./theme.js";

const labelWidth = 62;
const bandHeight = 20;
const lanesHeight = 68;
/** How many values of a band its description names. */
const namedValues = 5;

export class SessionOverview {
  constructor(onJump) {
    this.items = [];
    /** @type {{ title: string, parts: any[] }[]} */
    this.bands = [];
    /** The time of the session in microseconds; `NaN` before it is known. */
    this.start = NaN;
    this.length = 1;
    this.canvas = h("canvas", { role: "img", "aria-label": "Activity of phone and backend over the session" });
    this.axis = h("div", { class: "overview-axis num", "aria-hidden": "true" });
    this.playhead = h("i", { class: "playhead", hidden: true });
    this.element = h("div", { class: "overview" }, this.canvas, this.playhead, this.axis);
    const jump = (event) => {
      const box = this.canvas.getBoundingClientRect();
      onJump(Math.min(Math.max((event.clientX - box.left - labelWidth) / (box.width - labelWidth), 0), 1));
    };
    this.canvas.addEventListener("pointerdown", (event) => { this.canvas.setPointerCapture(event.pointerId); jump(event); });
    this.canvas.addEventListener("pointermove", (event) => { if (event.buttons) jump(event); });
    this.resizing = new ResizeObserver(() => this.draw());
    this.resizing.observe(this.canvas);
    // At once: paper does not wait for a frame.
    this.updateColors = () => this.paint();
    addEventListener("themechange", this.updateColors);
  }

  destroy() {
    this.resizing.disconnect();
    removeEventListener("themechange", this.updateColors);
  }

  setItems(items, session) {
    this.items = items;
    this.start = session.startUs;
    this.length = Math.max(session.endUs - session.startUs, 1);
    this.bands = [{ title: "Screen", parts: screensOf(items) }, ...conditionBands(items, this.start), ...recorderBands(items, session)];
    this.canvas.style.height = `${this.bands.length * bandHeight + lanesHeight}px`;
    this.canvas.setAttribute("aria-label", this.summary());
    this.axis.replaceChildren(...[0, 0.25, 0.5, 0.75, 1].map((part) => h("span", {}, part ? duration(this.length * part * 1e3) : "0")));
    this.draw();
  }

  /** What the picture shows, in a few words: a session may have hundreds of screens. */
  summary() {
    const count = (side) => this.items.filter((item) => item.side === side).length;
    const errors = this.items.filter((item) => item.error).length;
    const bands = this.bands.filter(({ parts }) => parts.length).map(({ title, parts }) => {
      if (parts.length <= namedValues) return `${title}: ${parts.map((part) => part.text).join(", ")}`;
      const values = [...new Set(parts.map((part) => part.text))];
      const rest = values.length > namedValues ? ` and ${values.length - namedValues} more` : "";
      return `${title}: ${values.slice(0, namedValues).join(", ")}${rest}${parts.length > values.length ? `, ${parts.length - 1} changes` : ""}`;
    });
    return [`${duration(this.length * 1e3)} of activity: ${plural(count("device"), "record")} of the phone, ${count("backend")} of the backend, ${plural(errors, "error")}`, ...bands].join(". ");
  }

  /** Marks the part of the session whose records are visible. */
  setWindow(first, last) {
    const seen = first && last ? [first.timeUs, last.timeUs] : undefined;
    if (String(seen) === String(this.seen)) return;
    this.seen = seen;
    this.draw();
  }

  /** Marks the replay's current moment. */
  setMoment(moment) {
    const share = Math.min(Math.max((moment - this.start) / this.length, 0), 1);
    this.playhead.hidden = !Number.isFinite(share);
    this.playhead.style.setProperty("--share", share);
  }

  draw() {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => { this.pending = undefined; this.paint(); });
  }

  /** Draws one condition over time. Each part ends where the next starts. */
  paintBand(draw, { title, parts }, top, x, colors) {
    if (!parts.length) return;
    draw.fillStyle = colors.faint;
    draw.fillText(title, 0, top + 9);
    parts.forEach((part, index) => {
      const left = x(part.from);
      const right = x(parts[index + 1]?.from ?? this.start + this.length);
      const width = Math.max(right - left - 2, 1);
      draw.fillStyle = part.isStrained ? colors.strained : colors.band;
      draw.globalAlpha = part.isStrained ? 0.34 : 1;
      draw.beginPath();
      draw.roundRect(left, top + 1, width, 16, 3);
      draw.fill();
      draw.globalAlpha = 1;
      if (width < 34) return;
      draw.save();
      draw.beginPath();
      draw.rect(left, top, width - 4, 18);
      draw.clip();
      draw.fillStyle = part.isStrained ? colors.plain : colors.text;
      draw.fillText(part.text, left + 6, top + 9.5);
      draw.restore();
    });
  }

  paint() {
    const { canvas } = this;
    const box = canvas.getBoundingClientRect();
    if (!box.width || Number.isNaN(this.start)) return;
    const scale = devicePixelRatio;
    canvas.width = box.width * scale;
    canvas.height = box.height * scale;
    const draw = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    draw.scale(scale, scale);
    const colors = { phone: token("--phone"), backend: token("--backend"), bad: token("--bad-fill"), line: token("--line"), faint: token("--text-3"), chosen: token("--chosen"), band: token("--line-strong"), strained: token("--warn-fill"), text: token("--text-2"), plain: token("--text") };
    const width = box.width - labelWidth;
    const x = (time) => labelWidth + Math.min(Math.max((time - this.start) / this.length, 0), 1) * width;

    if (this.seen) {
      draw.fillStyle = colors.chosen;
      draw.fillRect(x(this.seen[0]) - 2, 0, Math.max(x(this.seen[1]) - x(this.seen[0]) + 4, 4), box.height);
    }
    draw.font = `11px ${getComputedStyle(canvas).fontFamily}`;
    draw.textBaseline = "middle";
    this.bands.forEach((band, index) => this.paintBand(draw, band, index * bandHeight, x, colors));
    const ground = this.bands.length * bandHeight;
    /** @type {[lane: string, name: string, top: number, color: string][]} */
    const lanes = [["device", "Phone", ground + 4, colors.phone], ["backend", "Backend", ground + 38, colors.backend]];
    for (const [lane, name, top, color] of lanes) {
      draw.fillStyle = colors.faint;
      draw.fillText(name, 0, top + 13);
      draw.fillStyle = colors.line;
      draw.fillRect(labelWidth, top + 26, width, 1);
      const rows = inRows(this.items.filter((item) => item.side === lane), 4);
      for (const [item, row] of rows) {
        const left = x(item.timeUs);
        draw.fillStyle = item.error ? colors.bad : color;
        draw.globalAlpha = item.error ? 1 : item.durationNs === undefined ? 0.9 : 0.55;
        if (item.durationNs === undefined) {
          draw.beginPath();
          draw.arc(left, top + 4 + row * 6, item.kind === "crash" ? 4.5 : 2.2, 0, 7);
          draw.fill();
        } else {
          draw.fillRect(left, top + 2 + row * 6, Math.max(x(item.timeUs + item.durationNs / 1e3) - left, 1.5), 4);
        }
      }
      draw.globalAlpha = 1;
    }
  }
}
