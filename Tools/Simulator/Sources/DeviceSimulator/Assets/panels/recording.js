// @ts-check
// A scenario from what one does on this page: starting, the steps so far, and the file.

import { h, icon, setText, toast } from "../lib/dom.js";
import { plural } from "../shared/format.js";

export class RecordingPanel {
  /**
   * @param {HTMLElement} root
   * @param {{ command: (name: "start" | "stop") => Promise<any>, read: () => Promise<string>, url: string }} recording
   */
  constructor(root, { command, read, url }) {
    this.read = read;
    this.note = h("span", { class: "panel-note" });
    this.hint = h("p", { class: "spoken-note" }, "Reinstalls the app, and writes down what you do with it and with the device.");
    const run = (/** @type {"start" | "stop"} */ name) => async () => {
      try {
        await command(name);
      } catch (error) {
        toast(error.message);
      }
    };
    this.start = h("button", { type: "button", onclick: run("start") }, icon("record"), h("span", {}, "Record"));
    this.stop = h("button", { type: "button", class: "primary", onclick: run("stop") }, icon("stop"), h("span", {}, "Stop"));
    this.file = h("a", { class: "text-link", href: url, download: "scenario.yaml" }, "Download scenario.yaml");
    this.text = h("pre", { class: "output-lines", tabindex: "0", "aria-label": "Recorded scenario" });
    this.element = h("section", { class: "panel recording-panel" }, h("h2", {}, "Scenario", this.note), this.hint, this.text,
      h("div", { class: "actions" }, this.start, this.stop, this.file));
    root.append(this.element);
    this.update({});
  }

  /** @param {{ recording?: { isOn: boolean, steps: number } }} state The state of the phone. */
  async update({ recording }) {
    const isOn = recording?.isOn === true;
    setText(this.note, recording ? (isOn ? "recording, " : "") + plural(recording.steps, "step") : "");
    this.start.hidden = isOn;
    this.stop.hidden = !isOn;
    this.file.hidden = !recording || isOn;
    this.hint.hidden = Boolean(recording);
    this.text.hidden = !recording;
    const key = JSON.stringify(recording ?? null);
    if (this.shown === key) return;
    this.shown = key;
    if (!recording) return;
    try {
      const text = await this.read();
      if (this.shown !== key) return;
      setText(this.text, text);
      this.text.scrollTop = this.text.scrollHeight;
    } catch {
      // The phone was switched off; the next state has the rest.
      this.shown = undefined;
    }
  }
}
