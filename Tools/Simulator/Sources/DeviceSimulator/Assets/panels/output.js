// @ts-check
// The last lines that the app has written, as the console of Xcode shows them.

import { h, setText } from "../lib/dom.js";

const kept = 200;

export class OutputPanel {
  /** @param {HTMLElement} root */
  constructor(root) {
    /** @type {string[]} */
    this.lines = [];
    this.text = h("pre", { class: "output-lines", tabindex: "0", role: "log", "aria-live": "off", "aria-label": "Output of the app" });
    this.none = h("p", { class: "spoken-note" }, "The app has written nothing since its launch.");
    this.details = h("details", { class: "panel spoken-panel output-panel", open: true },
      h("summary", {}, h("h2", {}, "Output")), this.none, this.text);
    root.append(this.details);
    this.show([]);
  }

  /** @param {string[]} lines All lines since the launch. */
  show(lines) {
    this.lines = lines.slice(-kept);
    this.#draw();
  }

  /** @param {string[]} lines Lines that follow. */
  add(lines) {
    this.show([...this.lines, ...lines]);
  }

  /** Stays at the end unless one has scrolled up. */
  #draw() {
    const { scrollTop, scrollHeight, clientHeight } = this.text;
    const isAtEnd = !(scrollTop + clientHeight < scrollHeight - 8);
    setText(this.text, this.lines.join("\n"));
    this.text.hidden = this.lines.length === 0;
    this.none.hidden = this.lines.length > 0;
    if (isAtEnd) this.text.scrollTop = this.text.scrollHeight;
  }
}
