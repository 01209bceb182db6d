// @ts-check
// The track of a replay: its frames, gaps, marks, and the current moment.

import { h, icon, replace } from "./dom.js";

/** The maximum time in microseconds between two frames of one continuous part of the track. */
const longest = 30e6;

export class Scrubber {
  constructor(onSeek) {
    this.parts = h("div", { class: "scrub-parts", "aria-hidden": "true" });
    this.knob = h("i", { class: "scrub-knob" });
    this.done = h("i", { class: "scrub-done" });
    this.element = h("div", { class: "scrubber", role: "slider", tabindex: "0", "aria-label": "Replay position", "aria-valuemin": "0" },
      h("div", { class: "scrub-line" }, this.done), this.parts, this.knob);
    const seek = (event) => {
      const box = this.element.getBoundingClientRect();
      const fraction = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
      if (this.track) onSeek(this.track.start + fraction * (this.track.end - this.track.start));
    };
    this.element.addEventListener("pointerdown", (event) => { this.element.setPointerCapture(event.pointerId); this.element.focus(); seek(event); });
    this.element.addEventListener("pointermove", (event) => { if (event.buttons) seek(event); });
  }

  setTrack(track) {
    this.track = track;
    const { start, end, frames, marks } = track;
    const left = (moment) => `${(((moment - start) / (end - start)) * 100).toFixed(3)}%`;
    const width = (from, to) => `${(((to - from) / (end - start)) * 100).toFixed(3)}%`;
    const range = (className, from, to, title) => h("i", { class: className, title, style: { left: left(from), width: width(from, to) } });
    replace(this.parts,
      runs(frames.frames).map(({ from, to }) => range("scrub-run", from, to)),
      frames.gaps.map((gap) => range("scrub-gap", gap.from, gap.to, "Frames missing")),
      marks.map((mark) => (mark.to > mark.from ? range(`mark ${mark.kind}`, mark.from, mark.to, mark.title)
        : h("i", { class: `mark ${mark.kind}`, title: mark.title, style: { left: left(mark.from) } }, mark.kind === "crash" ? icon("crash") : null))));
    this.element.setAttribute("aria-valuemax", String(Math.round((end - start) / 1e6)));
  }

  setMoment(moment, words) {
    if (!this.track) return;
    const { start, end } = this.track;
    const share = `${((moment - start) / (end - start)) * 100}%`;
    this.knob.style.left = share;
    this.done.style.width = share;
    this.element.setAttribute("aria-valuenow", String(Math.round((moment - start) / 1e6)));
    this.element.setAttribute("aria-valuetext", words);
  }
}

/** The periods with continuous frames. */
function runs(frames) {
  const found = [];
  for (const { at } of frames) {
    const last = found.at(-1);
    if (last && at - last.to < longest) last.to = at;
    else found.push({ from: at, to: at });
  }
  return found;
}
