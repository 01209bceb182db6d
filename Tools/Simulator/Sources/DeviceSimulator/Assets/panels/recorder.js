// @ts-check
// The flight recorder: its ring, what was promoted today, and the choice of the sessions that are sampled in.

import { h, icon, replace, setAttribute, setText } from "../lib/dom.js";
import { bytes, duration, plural } from "../shared/format.js";
import { triggerTitle } from "../shared/triggers.js";

const samplings = [
  ["automatic", "As the app is configured"], ["policy", "At the policy's rate"], ["everything", "Every session"], ["nothing", "No session"],
];
const running = ["active", "background"];

export class RecorderCard {
  /** @param perform Performs an action on the phone. */
  constructor(perform) {
    this.note = h("span", { class: "panel-note" });
    this.session = h("p", {});
    this.fill = h("i", {});
    this.ring = h("div", { class: "queue-track ring", role: "img" }, this.fill);
    this.facts = h("dl", { class: "figures" });
    this.promoted = h("dl", { class: "triggers" });
    this.none = h("p", {}, "Nothing yet.");
    this.refused = h("p", { class: "refused" });
    this.figures = h("div", { class: "recorder-figures" }, this.ring, this.facts,
      h("div", { class: "field" }, h("div", { class: "field-name" }, "Promoted today, in UTC"), this.promoted, this.none, this.refused));
    this.sampling = h("select", { "aria-label": "Sampling", title: "A change restarts the app", onchange: () => perform({ set: { sampling: this.sampling.value } }) },
      samplings.map(([value, title]) => h("option", { value }, title)));
    this.keep = h("button", { type: "button", title: "As a feedback button of the app does, with keepRecording", onclick: () => perform({ do: "keepRecording" }) },
      icon("bolt"), h("span", {}, "Send the recording"));
    this.element = h("section", { class: "panel recorder" }, h("h2", {}, "Flight recorder", this.note), this.session, this.figures,
      h("div", { class: "field" }, h("div", { class: "field-name" }, "Sessions that are sampled in"), this.sampling), this.keep);
    this.isRunning = false;
  }

  /** Follows the phone's settings, and whether the app can be asked. */
  follow({ app, settings }) {
    this.isRunning = running.includes(app.phase);
    this.sampling.value = settings.sampling;
    this.#allow();
  }

  /** @param status The status of the SDK. */
  update({ recorder, isSampledOut }) {
    this.recorder = recorder;
    this.figures.hidden = !recorder;
    setText(this.note, recorder && !recorder.off ? "on" : "off");
    setText(this.session, describe(recorder, isSampledOut));
    this.#allow();
    if (!recorder) return;
    const share = recorder.capacity > 0 ? Math.min(recorder.bytes / recorder.capacity, 1) : 0;
    this.fill.style.setProperty("width", recorder.records > 0 ? `max(${share * 100}%, 3px)` : "0");
    setAttribute(this.ring, "aria-label", `Ring: ${bytes(recorder.bytes)} of ${bytes(recorder.capacity)}`);
    const rows = Object.entries(recorder.promoted).sort(([, one], [, other]) => other - one);
    replace(this.promoted, rows.map(([trigger, records]) => h("div", {}, h("dt", {}, triggerTitle(trigger)), h("dd", { class: "num" }, plural(records, "record")))));
    this.promoted.hidden = rows.length === 0;
    this.none.hidden = rows.length > 0;
    this.refused.hidden = recorder.refused === 0;
    setText(this.refused, `Today's budget has refused ${plural(recorder.refused, "record")}.`);
    this.drawTimes();
  }

  /** @param {number} now Milliseconds since 1970. */
  drawTimes(now = Date.now()) {
    const { recorder } = this;
    if (!recorder) return;
    const fact = (name, value, note) => h("div", {}, h("dt", {}, name), h("dd", {}, value, h("small", {}, note)));
    replace(this.facts,
      fact("In the ring", plural(recorder.records, "record"), `${bytes(recorder.bytes)} of ${bytes(recorder.capacity)}`),
      fact("Reaches back", recorder.oldest === undefined ? "not yet" : duration(Math.max(Math.round(now / 1000 - recorder.oldest), 0) * 1e9),
        "to the oldest record"),
      fact("Sent today", bytes(recorder.promotedBytes), `of ${bytes(recorder.dailyBytes)}`));
  }

  #allow() {
    this.keep.disabled = !this.isRunning || !this.recorder || Boolean(this.recorder.off);
  }
}

/** Says what becomes of the current session. */
function describe(recorder, isSampledOut) {
  const fate = isSampledOut === undefined ? "Traces are sampled one by one." : isSampledOut
    ? "This session is sampled out" : "This session is sampled in: it is sent.";
  if (!isSampledOut) return !recorder ? `${fate} The app has no flight recorder.` : recorder.off ? `${fate} The recorder is off: ${recorder.off}.` : fate;
  if (!recorder) return `${fate}, and the app has no flight recorder: its spans are dropped.`;
  return recorder.off ? `${fate}, and the recorder is off: ${recorder.off}. Its spans are dropped.`
    : `${fate}: only the recorder has its spans. They are sent if something goes wrong.`;
}
