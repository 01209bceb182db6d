// @ts-check
// The phone: its frame, its screen, and what covers the screen if the app is not in the foreground.

import { h, icon, replace, setAttribute, setText } from "../lib/dom.js";
import { plural } from "../shared/format.js";
import { refresh, refreshable, watchGestures } from "./gestures.js";
import { Screen } from "./screen.js";
import { StatusBar } from "./statusbar.js";
import { points, setStyles } from "../lib/style.js";

/** The width of the frame at the sides, and above and below the screen. */
const frames = { homeButton: { side: 16, end: 96 }, plain: { side: 24, end: 24 }, notch: { side: 15, end: 15 }, island: { side: 15, end: 15 } };
/** The radius of the screen's corners. */
const corners = { homeButton: 0, plain: 18, notch: 47, island: 55 };

export class Phone {
  /** Called after a change of the screen. */
  onScreen;

  /**
   * @param {HTMLElement} root
   * @param {object} options
   * @param {any} options.device
   * @param {(action: any) => void} options.perform
   * @param {(isHanging: boolean) => void} options.onHang Called when the app stops or starts to respond.
   */
  constructor(root, { device, perform, onHang }) {
    this.perform = perform;
    this.onHang = onHang;
    this.device = device;
    this.queued = 0;
    this.size = { width: 423, height: 882 };
    this.appName = "App";
    this.statusBar = new StatusBar();
    this.app = h("div", { class: "app" });
    this.cover = h("div", { class: "phone-cover" });
    this.hang = h("div", { class: "hang", role: "status" });
    this.glass = h("div", { class: "phone-screen" }, this.app, this.cover, this.statusBar.element, h("div", { class: "island" }),
      h("div", { class: "home-indicator" }), this.hang);
    this.body = h("div", { class: "phone" }, h("i", { class: "side-button mute" }), h("i", { class: "side-button up" }), h("i", { class: "side-button down" }), h("i", { class: "side-button power" }), this.glass);
    this.holder = h("div", { class: "phone-holder" }, this.body);
    const tool = (name, title, run) => h("button", { type: "button", class: "quiet", title, "aria-label": title, onclick: run }, icon(name));
    this.homeTool = tool("home", "Home screen", () => this.perform({ do: "background" }));
    this.refreshTool = tool("refresh", "Pull to refresh", () => {
      const scroller = refreshable(this.glass);
      if (scroller) refresh(scroller, this.device);
    });
    this.darkTool = tool("moon", "Switch the phone between light and dark", () => this.perform({ set: { isDark: !this.settings?.isDark } }));
    this.name = h("span", { class: "clip" });
    this.tools = h("div", { class: "phone-tools" }, this.name, this.homeTool, this.refreshTool, this.darkTool);
    replace(root, this.tools, this.holder);
    this.root = root;
    this.screen = new Screen(this.app, device);
    watchGestures(this.glass, device);
    this.glass.addEventListener("keydown", (event) => this.#keyDown(event));
    new ResizeObserver(() => this.fit()).observe(root);
    addEventListener("resize", () => this.fit());
    setInterval(() => this.#watchHang(), 250);
  }

  /** Scales the phone down to the available room. */
  fit() {
    const outer = this.size;
    const isStacked = matchMedia("(max-width: 760px)").matches;
    const room = innerHeight - this.holder.getBoundingClientRect().top - scrollY - 14;
    const scale = Math.min(1, (this.root.clientWidth - 16) / outer.width, isStacked ? 1 : Math.max(room, 480) / outer.height);
    this.body.style.setProperty("transform", `scale(${scale})`);
    this.holder.style.setProperty("width", `${outer.width * scale}px`);
    this.holder.style.setProperty("height", `${outer.height * scale}px`);
  }

  /** Draws another device: the size and the corners of its screen, and its front. */
  #drawDevice(profile) {
    const frame = frames[profile.front];
    const [side, end] = profile.isLandscape ? [frame.end, frame.side] : [frame.side, frame.end];
    const radius = corners[profile.front];
    this.size = { width: profile.width + 2 * side, height: profile.height + 2 * end };
    setStyles(this.body, {
      width: points(this.size.width), height: points(this.size.height), padding: `${end}px ${side}px`,
      "border-radius": points(Math.max(radius + side, 44)),
    });
    setStyles(this.glass, {
      width: points(profile.width), height: points(profile.height), "--corner": points(radius),
      "--screen-top": points(profile.safeTop), "--screen-bottom": points(profile.safeBottom), "--screen-side": points(profile.safeSide),
    });
    this.body.dataset.front = profile.front;
    this.body.dataset.orientation = profile.isLandscape ? "landscape" : "portrait";
    this.glass.dataset.idiom = profile.model.startsWith("iPad") ? "pad" : "phone";
    this.fit();
  }

  #keyDown(event) {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    const top = [...this.app.querySelectorAll("[data-presented]:not(.leaving)")].at(-1);
    const cancel = top?.querySelector(".role-cancel");
    const page = [...this.app.querySelectorAll(".page[data-back]:not(.covered, .leaving)")].at(-1);
    if (top?.dataset.dismiss) this.device.send(Number(top.dataset.dismiss), "dismiss");
    else if (cancel) cancel.click();
    else if (!top && page) this.device.send(Number(page.dataset.back), "back");
  }

  show(tree) {
    this.screen.show(tree);
    this.screenChanged();
  }

  /** Applies a patch. Returns false if it is for a screen that this page does not have. */
  apply(patch) {
    const isDone = this.screen.apply(patch);
    if (isDone) this.screenChanged();
    return isDone;
  }

  screenChanged() {
    const window = this.app.querySelector(".window");
    setAttribute(this.glass, "data-scheme", window?.dataset.scheme ?? "light");
    setAttribute(this.glass, "data-over", window?.dataset.over ?? "");
    this.onScreen?.();
    this.refreshTool.disabled = this.phase !== "active" || !refreshable(this.glass);
  }

  update(state) {
    this.appName = state.device.app;
    const { profile } = state.device;
    const model = `${profile.model} ${profile.isLandscape}`;
    if (this.model !== model) this.#drawDevice(profile);
    this.model = model;
    const { app, settings } = state;
    this.settings = settings;
    const hasChanged = this.phase !== app.phase || this.end !== JSON.stringify(app.end);
    const hasFocus = this.glass.contains(document.activeElement);
    this.phase = app.phase;
    this.end = JSON.stringify(app.end);
    this.statusBar.update(settings);
    this.glass.classList.toggle("calm", settings.reducesMotion);
    this.glass.dataset.phase = app.phase;
    this.glass.dataset.contrast = settings.increasesContrast ? "increased" : "standard";
    this.glass.dataset.dark = String(settings.isDark);
    this.homeTool.disabled = app.phase !== "active";
    this.app.inert = app.phase !== "active";
    if (hasChanged) this.#drawCover(app);
    // What had the focus has gone with the app, or with the button that has started it.
    if (hasChanged && hasFocus) (this.cover.querySelector("button") ?? this.root).focus({ preventScroll: true });
    if (hasChanged && (app.phase === "notRunning" || app.phase === "launching")) this.screen.clear();
    this.screenChanged();
    this.noteScreen(this.screenName);
  }

  clear() {
    this.screen.clear();
  }

  /** Shows the screen name that the SDK reports. */
  noteScreen(name) {
    this.screenName = name;
    const isShown = this.phase === "active" && name;
    setText(this.name, isShown ? `Screen “${name}”` : "");
  }

  noteQueue(waiting) {
    if (waiting === this.queued) return;
    this.queued = waiting;
    const words = this.cover.querySelector(".widget-queue");
    if (words) setText(words, this.#queueWords());
  }

  #queueWords() {
    return this.queued === 0 ? "No records waiting to be sent" : `${plural(this.queued, "record")} waiting to be sent`;
  }

  #drawCover(app) {
    const kind = { notRunning: "home", background: "home", suspended: "home", launching: "splash", ended: "end" }[app.phase];
    this.cover.className = `phone-cover ${kind ?? ""}`;
    this.cover.hidden = !kind;
    if (kind === "home") replace(this.cover, this.#home(app.phase));
    else if (kind === "splash") replace(this.cover, h("img", { src: new URL("../shared/icon.svg", import.meta.url), alt: "", class: "splash-icon" }), h("span", { class: "visually-hidden" }, "The app is starting"));
    else if (kind === "end") replace(this.cover, this.#ended(app));
    else replace(this.cover);
  }

  #home(phase) {
    const [words, action] = {
      notRunning: ["Not running", { do: "launch" }], background: ["In the background", { do: "foreground" }],
      suspended: ["Suspended by the system", { do: "resume" }],
    }[phase];
    return [
      h("div", { class: "widget" }, h("span", { class: "widget-title" }, "Astrolabe"), h("strong", {}, words), h("span", { class: "widget-queue" }, this.#queueWords())),
      h("button", { type: "button", class: "app-icon", "aria-label": `Open ${this.appName}`, onclick: () => this.perform(action) },
        h("span", { class: "app-tile" }, h("img", { src: new URL("../shared/icon.svg", import.meta.url), alt: "" })), h("span", {}, this.appName)),
    ];
  }

  #ended({ end }) {
    const title = { exit: end?.code === 0 ? "The app has ended" : "The app exited", signal: "The app crashed", killed: "The app was killed" }[end?.kind] ?? "The app has ended";
    return h("div", { class: "end-card", role: "alertdialog", "aria-label": title },
      h("span", { class: `end-mark ${end?.kind ?? "exit"}` }, icon(end?.kind === "signal" ? "bolt" : "power")),
      h("h2", {}, title), end?.detail ? h("p", {}, end.detail) : null,
      end?.kind === "signal" ? h("p", { class: "end-note" }, "The next launch sends the crash report.") : null,
      h("p", { class: "end-code" }, { exit: `exit code ${end?.code}`, signal: `signal ${end?.code}`, killed: `signal ${end?.code}` }[end?.kind] ?? ""),
      h("button", { type: "button", class: "relaunch", onclick: () => this.perform({ do: "launch" }) }, "Relaunch"));
  }

  #watchHang() {
    const waited = this.phase === "active" ? this.device.queue.waited : 0;
    const isHanging = waited > 1000;
    if (isHanging !== this.glass.classList.contains("hanging")) this.onHang(isHanging);
    this.glass.classList.toggle("hanging", isHanging);
    setText(this.hang, isHanging ? `Not responding for ${(waited / 1000).toFixed(0)} s` : "");
  }
}
