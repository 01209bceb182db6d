// @ts-check
// The replay of a session: a phone that shows what the user saw, synchronized with the timeline.

import { h, icon, replace } from "./dom.js";
import { duration, plural, time } from "../shared/format.js";
import { ReplayFrames } from "../lib/frames.js";
import { marksOf, momentsOf } from "../lib/timeline-items.js";
import { Scrubber } from "./scrubber.js";
import { WireframeView } from "./wireframe-view.js";
import { Wireframe } from "../lib/wireframe.js";

const speeds = [1, 2, 4];
/** Microseconds of inactivity after which playback skips ahead, and how much of it is kept on both sides. */
const idle = 1.5e6;
const lead = 0.5e6;
/** Microseconds for which a tap and a finished hang stay visible. */
const tapTime = 0.7e6;
const afterHang = 3e6;

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class ReplayPlayer {
  /**
   * @param {string} session
   * @param {object} options
   * @param {AbortSignal} options.signal
   * @param {(moment: number, isPlaying: boolean) => void} options.onMoment Called with each new moment.
   */
  constructor(session, { signal, onMoment }) {
    this.onMoment = onMoment;
    this.frames = new ReplayFrames(session, signal);
    this.wireframe = new Wireframe();
    this.stage = new WireframeView();
    this.moments = momentsOf([]);
    /** The session's bounds and the current moment, in microseconds since 1970; `NaN` before they are known. */
    this.start = NaN;
    this.end = NaN;
    this.at = 0;
    /** @type {any} */
    this.session = undefined;
    /** @type {number | undefined} The next frame of the animation, while the replay plays. */
    this.ticking = undefined;
    /** @type {string | undefined} */
    this.failure = undefined;
    this.wanted = 0;
    this.drawn = -1;
    this.speed = 1;
    this.skipsIdle = true;
    this.scrubber = new Scrubber((moment) => this.seek(moment));
    const button = (name, label, run) => h("button", { class: "quiet", type: "button", "aria-label": label, title: label, onclick: run }, icon(name));
    this.playButton = h("button", { class: "replay-play", type: "button", onclick: () => this.toggle() });
    this.place = h("span", { class: "replay-place num" });
    this.clock = h("span", { class: "muted num" });
    this.screenName = h("span", { class: "muted clip" });
    this.state = h("p", { class: "replay-note", role: "status" });
    this.speedButtons = speeds.map((speed) => h("button", { class: "num", type: "button", "aria-label": `Speed ${speed} times`, onclick: () => this.setSpeed(speed) }, `${speed}×`));
    this.skipButton = button("skip", "Skip idle", () => { this.skipsIdle = !this.skipsIdle; this.drawControls(); });
    this.element = h("aside", { class: "replay", "aria-label": "Session replay", hidden: true },
      h("header", { class: "replay-head" }, h("h2", {}, "Replay"), this.screenName, h("div", { class: "spacer" }), this.clock),
      this.stage.element,
      h("div", { class: "replay-controls" },
        this.state, this.scrubber.element,
        h("div", { class: "replay-row" },
          button("before", "Previous event", () => this.step(-1)), this.playButton, button("after", "Next event", () => this.step(1)),
          this.place, h("div", { class: "spacer" }),
          h("div", { class: "replay-speeds", role: "group", "aria-label": "Speed" }, this.speedButtons), this.skipButton)));
    this.element.addEventListener("keydown", (event) => this.pressed(event));
    this.drawControls();
  }

  destroy() {
    this.pause();
    this.stage.destroy();
  }

  get isPlaying() {
    return this.ticking !== undefined;
  }

  get isEmpty() {
    return this.frames.isEmpty;
  }

  /** Loads the list of new frames. */
  async update() {
    const wasAtEnd = !this.isEmpty && this.at >= this.end;
    if (!(await this.frames.update())) return;
    this.element.hidden = this.isEmpty;
    this.drawn = -1;
    this.arrange();
    if (wasAtEnd && this.isFollowing) this.seek(this.end);
    else this.show();
  }

  /** Sets the session's records. Taps, screens, errors, hangs and crashes become marks on the track. */
  setItems(items, session) {
    this.session = session;
    this.moments = momentsOf(items);
    this.arrange();
  }

  arrange() {
    if (!this.session || this.isEmpty) return;
    this.start = Math.min(this.session.startUs, this.frames.start);
    this.end = Math.max(this.session.endUs, this.frames.end, this.start + 1);
    if (!this.at) this.at = Math.max(this.frames.start, this.start);
    this.scrubber.setTrack({ start: this.start, end: this.end, frames: this.frames, marks: marksOf(this.moments, this.frames) });
    this.show();
  }

  // Time

  seek(moment) {
    if (this.isEmpty || !this.session) return;
    this.at = Math.min(Math.max(moment, this.start), this.end);
    this.isFollowing = this.at >= this.end;
    this.show();
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  play() {
    if (this.isEmpty || !this.session || this.isPlaying) return;
    if (this.at >= this.end) this.at = Math.max(this.frames.start, this.start);
    let last = performance.now();
    let shown = 0;
    const tick = (now) => {
      this.ticking = requestAnimationFrame(tick);
      const passed = Math.min(now - last, 250);
      last = now;
      if (this.isWaiting) return;
      this.at = this.advanced(this.at + passed * 1e3 * this.speed);
      // With reduced motion, show about four moments per second instead of continuous movement.
      if (isStill() && now - shown < 240 && this.at < this.end) return;
      shown = now;
      if (this.at >= this.end) {
        this.isFollowing = true;
        this.pause();
      } else this.show();
    };
    this.ticking = requestAnimationFrame(tick);
    this.drawControls();
  }

  pause() {
    cancelAnimationFrame(this.ticking ?? 0);
    this.ticking = undefined;
    this.drawControls();
    if (this.session && !this.isEmpty) this.show();
  }

  /** Returns a moment, or a later one if nothing happens until then. */
  advanced(moment) {
    if (moment >= this.end) return this.end;
    if (!this.skipsIdle || this.moments.hangs.some((hang) => hang.from <= moment && moment <= hang.to)) return moment;
    const index = this.frames.indexAt(moment);
    const before = Math.max(this.frames.frames[index]?.at ?? this.start, this.moments.before(moment) ?? this.start);
    const after = Math.min(this.frames.frames[index + 1]?.at ?? this.end, this.moments.after(moment) ?? this.end);
    return after - moment > idle && moment - before > lead ? after - lead : moment;
  }

  setSpeed(speed) {
    this.speed = speed;
    this.drawControls();
  }

  /** Goes to the next or the previous mark. */
  step(by) {
    const target = by > 0 ? this.moments.after(this.at) : this.moments.before(this.at - 1);
    this.seek(target ?? (by > 0 ? this.end : this.start));
  }

  frame(by) {
    const index = this.frames.indexAt(this.at) + by;
    if (this.frames.frames[index]) this.seek(this.frames.frames[index].at);
  }

  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isButton = event.target.closest("button, a");
    const actions = {
      ArrowLeft: () => this.seek(this.at - 1e6), ArrowRight: () => this.seek(this.at + 1e6),
      ArrowDown: () => this.step(1), ArrowUp: () => this.step(-1),
      PageDown: () => this.step(1), PageUp: () => this.step(-1),
      Home: () => this.seek(this.start), End: () => this.seek(this.end),
      ...(isButton ? {} : { " ": () => this.toggle(), Enter: () => this.toggle() }),
    };
    if (!Object.hasOwn(actions, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    actions[event.key]();
  }

  // Drawing

  drawControls() {
    replace(this.playButton, icon(this.isPlaying ? "pause" : "play"));
    const label = this.isPlaying ? "Pause" : "Play";
    this.playButton.setAttribute("aria-label", label);
    this.playButton.title = `${label} (space)`;
    this.speedButtons.forEach((button, index) => button.setAttribute("aria-pressed", String(speeds[index] === this.speed)));
    this.skipButton.setAttribute("aria-pressed", String(this.skipsIdle));
  }

  show() {
    const { at, frames } = this;
    const index = frames.indexAt(at);
    this.wanted = index;
    const isHere = index < 0 || index === this.drawn || frames.isReady(index);
    if (index < 0) {
      if (this.drawn !== -1) this.wireframe.clear();
      this.drawn = -1;
      this.stage.clear();
    } else if (index !== this.drawn && isHere) this.drawFrame(index);
    // An earlier request may be obsolete, and the current frame may be loaded already.
    if (isHere) this.setWaiting(false);
    else this.load(index);
    this.drawMoment();
    this.onMoment(at, this.isPlaying);
  }

  /** Applies the frames since the one drawn last, or since the key frame. */
  drawFrame(index) {
    const { frames } = this.frames;
    const { key } = frames[index];
    const isNear = this.drawn >= key && this.drawn < index;
    for (let at = isNear ? this.drawn + 1 : key; at <= index; at += 1) this.wireframe.apply(frames[at].content);
    this.drawn = index;
    this.stage.draw(this.wireframe);
    this.screenName.textContent = this.wireframe.screen;
    this.fetchAhead(index);
  }

  async load(index) {
    this.setWaiting(true);
    try {
      await this.frames.fetch(index);
      this.failure = undefined;
    } catch (error) {
      if (error.name === "AbortError") return;
      this.failure = error.message;
    }
    if (this.wanted !== index) return;
    this.setWaiting(false);
    if (this.frames.frames[index] && this.frames.isReady(index)) this.show();
    else this.drawMoment();
  }

  setWaiting(isWaiting) {
    this.isWaiting = isWaiting;
    this.element.toggleAttribute("data-waits", isWaiting);
  }

  fetchAhead(index) {
    const ahead = Math.min(index + 60, this.frames.frames.length - 1);
    if (!this.isPlaying || this.isFetchingAhead || this.frames.isReady(ahead)) return;
    this.isFetchingAhead = true;
    this.frames.fetch(ahead).catch(() => {}).finally(() => { this.isFetchingAhead = false; });
  }

  drawMoment() {
    const { at } = this;
    const taps = this.moments.taps.filter((tap) => tap.at <= at && at < tap.at + tapTime * this.speed);
    this.stage.setTaps(new Set(taps.flatMap((tap) => (tap.widget ? this.wireframe.named(tap.widget) : []))), taps.at(-1)?.point);
    this.stage.clock.textContent = time(at).slice(0, 5);
    this.clock.textContent = time(at);
    this.place.replaceChildren(h("b", {}, place(at - this.start)), ` / ${place(this.end - this.start)}`);
    const words = this.drawCover();
    this.drawNote();
    this.scrubber.setMoment(at, [place(at - this.start), words ?? taps.at(-1)?.title ?? this.wireframe.screen].filter(Boolean).join(", "));
    this.stage.picture.setAttribute("aria-label", words ?? (this.wireframe.screen ? `Screen ${this.wireframe.screen}, as a wireframe` : "A screen, as a wireframe"));
  }

  /** Draws the cover over the screen for a crash, a hang or a gap. */
  drawCover() {
    const { at, stage } = this;
    const drawnAt = this.frames.frames[this.frames.indexAt(at)]?.at ?? -Infinity;
    const crash = this.moments.crashes.findLast((one) => one.at <= at && drawnAt <= one.at);
    const hang = this.moments.hangs.findLast((one) => one.from <= at && at < one.to + afterHang && drawnAt <= one.to);
    const gap = this.frames.gapAt(at);
    /** @type {[kind: string, title: string, text: string, seq?: number, link?: string] | undefined} */
    let cover;
    if (crash) cover = ["crash", "The app crashed", crash.message, crash.seq, "Open crash"];
    else if (hang) cover = ["hang", at < hang.to ? "The app is not responding" : `Hung for ${duration((hang.to - hang.from) * 1e3)}`, at < hang.to ? `${place(at - hang.from)} of ${duration((hang.to - hang.from) * 1e3)}` : "", hang.seq, "Open hang"];
    else if (gap) cover = ["gap", "Frames missing", gap.missing > 0 ? `${plural(gap.missing, "frame")} did not arrive` : "Until the next key frame"];
    else if (this.wanted < 0) cover = ["none", "Not recorded yet", `The replay starts at ${place(this.frames.start - this.start)}`];
    const key = JSON.stringify(cover);
    if (key !== this.covered) {
      this.covered = key;
      stage.body.dataset.cover = cover?.[0] ?? "";
      stage.cover.hidden = !cover;
      if (cover) {
        const [kind, title, text, seq, link] = cover;
        const icons = { crash: "crash", hang: "hang", gap: "gap", none: "phone" };
        replace(stage.cover, h("div", { class: `cover-card ${kind}` }, icon(icons[kind]), h("b", {}, title), text ? h("span", { class: "muted" }, text) : null,
          seq === undefined ? null : h("a", { class: "link", href: `/health/problems/${seq}` }, link)));
      }
    }
    return cover ? [cover[1], cover[2]].filter(Boolean).join(": ") : undefined;
  }

  drawNote() {
    const { isCut, faults } = this.wireframe;
    const text = this.failure ?? (isCut ? "The screen exceeded the size limit of a frame. Part of it is missing." : faults ? "Part of this frame is invalid and is not shown." : "");
    if (this.state.textContent !== text) this.state.textContent = text;
  }
}

/** Formats a time as minutes, seconds and tenths. */
function place(microseconds) {
  const tenths = Math.floor(microseconds / 1e5);
  return `${Math.floor(tenths / 600)}:${String(Math.floor((tenths % 600) / 10)).padStart(2, "0")}.${tenths % 10}`;
}
