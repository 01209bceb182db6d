// @ts-check
// The SDK status: how much it collects, which records wait and why, and the ledger of all records.

import { h, replace, setText } from "../lib/dom.js";
import { ago, bytes, count, duration, percent, plural } from "../shared/format.js";
import { RecorderCard } from "./recorder.js";

const modes = {
  full: ["Full", "Collects everything: the device is charging."],
  normal: ["Normal", "Collects everything, with traces of sampled sessions."],
  reduced: ["Reduced", "Collects errors, crashes, the app's own events, and a few traces."],
  minimal: ["Minimal", "Collects errors, crashes, and what the app itself records."],
};
const uploads = {
  immediate: "Immediately", batched: "In batches", wifiOnly: "On Wi-Fi only", queued: "Held in the queue",
};
const priorities = [["critical", "Critical"], ["high", "High"], ["normal", "Normal"], ["low", "Low"]];
const order = ["minimal", "reduced", "normal", "full"];

/** The number of records in each place. The rest is in transit between two places. */
function ledgerParts({ created, delivered, inJournal, inQueue, notSent = 0, dropped }) {
  const lost = Object.values(dropped ?? {}).reduce((sum, value) => sum + value, 0);
  return { created, delivered, inJournal, inQueue, notSent, lost, rest: created - delivered - inJournal - inQueue - notSent - lost };
}

export class SDKPanel {
  /** @param perform Performs an action on the phone. */
  constructor(root, perform) {
    this.mode = h("div", { class: "mode" });
    this.reasons = h("ul", { class: "reasons" });
    this.facts = h("dl", { class: "figures" });
    this.blockers = h("ul", { class: "blockers" });
    this.queueTotal = h("span", { class: "panel-note num" });
    this.queue = h("div", { class: "queue" });
    this.ledgerTotal = h("span", { class: "panel-note num" });
    this.ledger = h("div", { class: "ledger-bar", role: "img" });
    this.legend = h("dl", { class: "legend" });
    this.balance = h("p", { class: "balance" });
    this.frameNote = h("span", { class: "panel-note num" });
    this.frames = h("div", { class: "frames", role: "img", "aria-label": "No frames yet" });
    this.frameKey = h("div", { class: "frame-key", "aria-hidden": "true" },
      [["", "On time"], ["slow", "Slow"], ["frozen", "Frozen, over 700 ms"]].map(([name, title]) => h("span", { class: name }, title)));
    this.records = h("section", { class: "panel records" });
    this.recorder = new RecorderCard(perform);
    this.last = undefined;
    this.history = [];
    this.peak = 1;
    this.body = h("div", { class: "sdk-grid" },
      h("div", { class: "sdk-part" },
        h("section", { class: "panel" }, h("h2", {}, "Collection policy"), this.mode, this.reasons, this.facts), this.records),
      h("div", { class: "sdk-part" },
        h("section", { class: "panel" }, h("h2", {}, "Ledger", this.ledgerTotal), this.ledger, this.legend, this.balance),
        h("section", { class: "panel" }, h("h2", {}, "Offline queue", this.queueTotal), this.queue, this.blockers),
        this.recorder.element,
        h("section", { class: "panel" }, h("h2", {}, "Recent frames", this.frameNote), h("div", { class: "frames-box" }, h("span", { class: "frames-line" }, "16.7 ms"), this.frames),
          this.frameKey)));
    this.empty = h("section", { class: "panel" }, h("h2", {}, "SDK"), h("p", { class: "muted" }, "Shows the status of the SDK when the app is running."));
    replace(root, this.empty, this.body);
    this.update(null);
    setInterval(() => { this.#drawTimes(); this.recorder.drawTimes(); }, 1000);
  }

  update(status) {
    this.body.hidden = !status;
    this.empty.hidden = Boolean(status);
    if (!status) return;
    this.status = status;
    this.#drawPolicy();
    this.#drawQueue();
    this.#drawLedger();
    this.recorder.update(status);
  }

  #drawPolicy() {
    const { status } = this;
    const [title, words] = modes[status.mode] ?? [status.mode, ""];
    const rank = order.indexOf(status.mode);
    this.mode.dataset.mode = status.mode;
    replace(this.mode, h("div", { class: "mode-name" }, h("strong", {}, title),
      h("span", { class: "mode-steps", "aria-hidden": "true" }, order.map((_, index) => h("i", { class: index <= rank ? "on" : "" })))), h("p", {}, words));
    replace(this.reasons, status.reasons.map((reason) => h("li", {}, reason)));
    this.reasons.hidden = status.reasons.length === 0;
    this.#drawTimes();
  }

  #drawTimes() {
    const { status } = this;
    if (!status) return;
    const fact = (name, value, note) => h("div", {}, h("dt", {}, name), h("dd", {}, value, note ? h("small", {}, note) : null));
    replace(this.facts,
      fact("Sampling", percent(status.fixedSamplingRate ?? status.samplingRate),
        status.fixedSamplingRate === undefined ? "of sessions, by the policy" : `of sessions, a fixed rate; the policy's is ${percent(status.samplingRate)}`),
      fact("Upload", uploads[status.upload] ?? status.upload, status.flushInterval > 0 ? `every ${duration(status.flushInterval * 1e9)}` : null),
      fact("Last upload", status.lastUpload ? ago(status.lastUpload * 1e6) : "none yet", `${plural(status.requests, "request")}, ${bytes(status.bytesSent)}`),
      status.lastFailure ? h("div", { class: "failure" }, h("dt", {}, "Last failure"), h("dd", {}, status.lastFailure)) : null);
  }

  #drawQueue() {
    const { queue, blockers } = this.status;
    const total = Object.values(queue).reduce((sum, value) => sum + value, 0);
    this.peak = total === 0 ? 1 : Math.max(this.peak, ...Object.values(queue), 1);
    setText(this.queueTotal, total === 0 ? "empty" : plural(total, "record"));
    if (this.queue.childElementCount === 0) {
      replace(this.queue, priorities.map(([name, title]) => h("div", { class: `queue-row ${name}` }, h("span", {}, title), h("span", { class: "queue-track" }, h("i", {})), h("b", { class: "num" }))));
    }
    priorities.forEach(([name], index) => {
      const value = queue[name] ?? 0;
      const line = this.queue.children[index];
      line.classList.toggle("none", value === 0);
      line.querySelector("i")?.style.setProperty("width", `${value === 0 ? 0 : Math.max((value / this.peak) * 100, 1.5)}%`);
      setText(line.lastElementChild, count(value));
    });
    const title = blockers.length === 0 ? "Sending" : total > 0 ? "Waiting because" : "Not sending because";
    replace(this.blockers, h("li", { class: "blockers-title" }, title),
      blockers.length ? blockers.map((blocker) => h("li", {}, blocker)) : h("li", { class: "fine" }, "Nothing holds records back."));
  }

  #drawLedger() {
    const parts = ledgerParts(this.status.ledger);
    const rows = [
      ["delivered", "Delivered", parts.delivered], ["journal", "In the journal", parts.inJournal], ["queue", "In the queue", parts.inQueue],
      ["rest", "In transit", Math.max(parts.rest, 0)], ["not-sent", "Not sent", parts.notSent], ["dropped", "Dropped", parts.lost],
    ];
    setText(this.ledgerTotal, `${count(parts.created)} created`);
    if (this.ledger.childElementCount === 0) replace(this.ledger, rows.map(([name]) => h("i", { class: name })));
    rows.forEach(([, , value], index) => {
      const share = parts.created > 0 ? (value / parts.created) * 100 : 0;
      this.ledger.querySelectorAll(":scope > *")[index].style.setProperty("width", value > 0 ? `max(${share}%, 3px)` : "0");
    });
    this.ledger.setAttribute("aria-label", rows.map(([, title, value]) => `${title}: ${value}`).join(", "));
    replace(this.legend,
      rows.map(([name, title, value]) =>
        h("div", {}, h("dt", { class: name }, title), h("dd", { class: "num" }, count(value)))),
      Object.entries(this.status.ledger.dropped ?? {}).filter(([, value]) => value > 0).map(([reason, value]) =>
        h("div", { class: "reason" }, h("dt", {}, reason), h("dd", { class: "num" }, count(value)))));
    this.balance.dataset.state = parts.rest === 0 ? "even" : "odd";
    setText(this.balance, parts.rest === 0 ? "Every record is accounted for."
      : parts.rest > 0 ? `${plural(parts.rest, "record")} in transit.`
        : `${plural(-parts.rest, "record")} counted twice.`);
  }

  /** Adds a bar for a summary, as high as its longest frame. */
  noteFrames(summary) {
    this.history = [...this.history.slice(-71), summary];
    const sum = (name) => this.history.reduce((total, item) => total + item[name], 0);
    const slow = sum("slow");
    setText(this.frameNote, `${plural(sum("frames"), "frame")}, ${count(slow)} slow${sum("frozen") ? `, ${sum("frozen")} frozen` : ""}`);
    replace(this.frames, this.history.map((item) => h("i", {
      class: item.frozen ? "frozen" : item.slow ? "slow" : "", title: `${plural(item.frames, "frame")}, longest ${item.longest.toFixed(1)} ms, ${item.missed} missed`,
      style: { height: `${Math.min(Math.max(Math.log2(1 + item.longest) / Math.log2(1 + 1000), 0.04), 1) * 100}%` } })));
    this.frames.setAttribute("aria-label", `Longest recent frame: ${summary.longest.toFixed(1)} milliseconds`);
  }

  clearFrames() {
    this.history = [];
    replace(this.frames, h("span", { class: "faint" }, "Frames appear when the screen changes."));
    setText(this.frameNote, "");
  }
}
