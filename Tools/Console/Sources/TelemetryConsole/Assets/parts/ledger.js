// @ts-check
// A device's record ledger: created = delivered + pending + not sent + dropped, for a snapshot or for a period between two.

import { h, icon, replace, svg } from "./dom.js";
import { ago, count, date, decimalPercent, plural, time } from "../shared/format.js";

/** Explanations of the drop reasons. The first two are intentional; all others are losses. */
const reasons = {
  "sampled out": "The sampler did not select the trace.",
  "not admitted": "The current mode does not collect this kind of record.",
  evicted: "The queue was full, and the record had the lowest priority and was the oldest.",
  expired: "The record was older than the maximum age.",
  "retries spent": "The retry limit was reached.",
  rejected: "The server rejected the record.",
  oversized: "The record was larger than the size limit.",
  "buffer full": "Records were created faster than the buffer could be emptied.",
  "disk full": "The disk was full.",
  corrupt: "The file was damaged, or the app was killed while writing.",
  "shut down": "The record was created after the SDK was shut down.",
};
const onPurpose = new Set(["sampled out", "not admitted"]);

/** The parts of a ledger, in drawing order. */
function places(account) {
  return [
    { kind: "delivered", label: "delivered", count: account.delivered ?? 0 },
    { kind: "journal", label: "pending in the journal", count: account.journal ?? 0 },
    { kind: "queue", label: "pending in the queue", count: account.queue ?? 0 },
    { kind: "unsent", label: "not sent", count: unsent(account) },
    ...account.dropped.map((drop) => ({ kind: onPurpose.has(drop.reason) ? "spared" : "lost", label: drop.reason, count: drop.count })),
    { kind: "gap", label: "unaccounted for", count: Math.max(account.unaccounted ?? 0, 0) },
  ].filter((place) => place.count > 0);
}

const waiting = (account) => (account.journal ?? 0) + (account.queue ?? 0);
/** What the flight recorder holds or has overwritten. */
const unsent = (account) => Math.max(account.notSent ?? 0, 0);
/** What the flight recorder held before a period and sent in it. */
const taken = (account) => Math.max(-(account.notSent ?? 0), 0);
const recorded = "The flight recorder holds these records, or has overwritten them.";
const dropped = (account, test = (_drop) => true) => account.dropped.reduce((sum, drop) => sum + (test(drop) ? drop.count : 0), 0);
const spared = (account) => dropped(account, (drop) => onPurpose.has(drop.reason));

/** Whether the ledger covers a period: it then has the number of records pending at its start. */
const isPeriod = (account) => account.carried !== undefined;

/** The ledger in one sentence, for screen readers. */
function sentence(account) {
  const before = taken(account) ? `${count(taken(account))} from the flight recorder and ` : "";
  const carried = isPeriod(account) ? `${plural(account.carried, "record")} pending and ${before}` : "";
  return `${carried}${plural(account.created ?? 0, "record")} created: ${places(account).map((place) => `${count(place.count)} ${place.label}`).join(", ")}`;
}

/** The ledger as a stacked bar. Each part has a minimum width, so that it stays visible. */
export function ledgerBar(account) {
  return h("div", { class: "ledger-bar", role: "img", "aria-label": sentence(account) }, places(account).map((place) =>
    h("i", { class: place.kind, title: `${count(place.count)} ${place.label}`, style: { "flex-grow": String(place.count) } })));
}

/** A badge that says whether all records are accounted for. */
export function verdict(account, { short = false } = {}) {
  const { unaccounted } = account;
  if (unaccounted === 0) return h("span", { class: "verdict good" }, icon("check"), short ? "Balanced" : "All records accounted for");
  if (unaccounted === undefined) return h("span", { class: "verdict" }, "Ledger incomplete");
  return h("span", { class: "verdict bad" }, icon("alert"),
    unaccounted > 0 ? `${plural(unaccounted, "record")} unaccounted for` : `${plural(-unaccounted, "record")} counted twice`);
}

/**
 * The ledger as a line: created = delivered + pending + not sent + dropped. A period adds what was pending at its start.
 * Without a flight recorder nothing is not sent.
 */
export function ledgerLine(account) {
  const term = (number, word, kind) => h("span", { class: kind }, h("b", {}, number === undefined ? "?" : count(number)), ` ${word}`);
  return h("span", { class: "ledger-line" },
    isPeriod(account) && account.carried ? [term(account.carried, "pending before", "queue"), h("i", {}, "+")] : null,
    taken(account) ? [term(taken(account), "from the recorder", "unsent"), h("i", {}, "+")] : null,
    term(account.created, "created"), h("i", {}, "="), term(account.delivered, "delivered", "delivered"), h("i", {}, "+"),
    term(waiting(account), "pending", "queue"), h("i", {}, "+"),
    unsent(account) ? [term(unsent(account), "not sent", "unsent"), h("i", {}, "+")] : null,
    term(dropped(account), "dropped", spared(account) === dropped(account) ? null : "lost"));
}

/** The ledger as a bar, with the equation and the drop reasons below it. */
export function ledgerFigure(account) {
  const term = (title, number, kind, ...more) => h("div", { class: `term ${kind}` },
    h("dt", {}, title), h("dd", {}, number === undefined ? "?" : count(number)), h("dd", { class: "parts" }, more));
  // A list of terms has no place for a sign between two of them, so the style draws it before the second.
  const signed = (sign, title, number, kind, ...more) => {
    const element = term(title, number, kind, ...more);
    element.dataset.sign = sign;
    return element;
  };
  const part = (kind, number, label, explanation) => h("span", { title: explanation ?? null }, h("i", { class: kind }), `${number === undefined ? "?" : count(number)} ${label}`);
  const all = (account.created ?? 0) + (account.carried ?? 0) + taken(account);
  const share = all > 0 && account.delivered !== undefined ? `${percent(account.delivered / all)} of total` : "";
  return h("div", { class: "ledger" },
    ledgerBar(account),
    h("dl", { class: "equation" },
      isPeriod(account)
        ? [term("Pending at start", account.carried, "carried", h("span", {}, "from before")),
          taken(account) ? signed("+", "From the recorder", taken(account), "carried", h("span", {}, "recorded before")) : null,
          signed("+", "Created", account.created, "created", h("span", {}, "on the device"))]
        : term("Created", account.created, "created", h("span", {}, "since installation")),
      signed("=", "Delivered", account.delivered, "delivered", share ? h("span", {}, h("i", { class: "delivered" }), share) : null),
      signed("+", isPeriod(account) ? "Pending at end" : "Pending", account.journal === undefined && account.queue === undefined ? undefined : waiting(account), "waiting",
        part("journal", account.journal, "in the journal"), part("queue", account.queue, "in the queue")),
      unsent(account)
        ? signed("+", "Not sent", unsent(account), "recorder", h("span", { title: recorded }, h("i", { class: "unsent" }), "in the recorder"))
        : null,
      signed("+", "Dropped", dropped(account), "dropped", account.dropped.length
        ? account.dropped.map((drop) => part(onPurpose.has(drop.reason) ? "spared" : "lost", drop.count, drop.reason, reasons[drop.reason]))
        : h("span", {}, "none"))));
}

function percent(share) {
  if (share > 0.999 && share !== 1) return "more than 99.9 %";
  if (share > 0 && share < 0.001) return "less than 0.1 %";
  return decimalPercent(share, 1);
}

const width = 400;
const height = 84;

/**
 * Charts of a device's ledger over time. Calls `onChoose` with the index of the snapshot under the pointer, or with
 * `undefined` for the latest.
 */
export class LedgerChart {
  constructor(onChoose) {
    this.onChoose = onChoose;
    /** @type {any[]} */
    this.accounts = [];
    /** @type {{ mark: SVGElement, value: HTMLElement, total: (account: any) => number }[]} */
    this.marks = [];
    /** @type {number | undefined} */
    this.chosen = undefined;
    this.element = h("div", { class: "course" });
    this.element.addEventListener("pointermove", (event) => this.point(event));
    this.element.addEventListener("pointerleave", () => this.choose(undefined));
  }

  setAccounts(accounts) {
    this.accounts = accounts;
    if (this.chosen !== undefined && this.chosen >= accounts.length) this.chosen = undefined;
    this.draw();
  }

  choose(index) {
    if (this.chosen === index) return;
    this.chosen = index;
    this.mark();
    this.onChoose(index);
  }

  /** Selects an earlier or later snapshot, up to the latest. */
  step(by) {
    const last = this.accounts.length - 1;
    const next = Math.max((this.chosen ?? last) + by, 0);
    this.choose(next >= last ? undefined : next);
  }

  point(event) {
    const chart = event.target.closest(".chart");
    if (!chart || this.accounts.length < 2) return;
    const box = chart.querySelector("svg").getBoundingClientRect();
    const place = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1) * width;
    let nearest = 0;
    this.accounts.forEach((account, index) => {
      if (Math.abs(this.x(account) - place) < Math.abs(this.x(this.accounts[nearest]) - place)) nearest = index;
    });
    this.choose(nearest === this.accounts.length - 1 ? undefined : nearest);
  }

  x(account) {
    const first = this.accounts[0].timeUs;
    const last = this.accounts.at(-1).timeUs;
    return last === first ? width : ((account.timeUs - first) / (last - first)) * width;
  }

  draw() {
    if (this.accounts.length < 2) {
      replace(this.element, this.accounts.length ? h("p", { class: "faint" }, "The chart appears with the second snapshot.") : null);
      return;
    }
    const charts = [
      ["Created", [["delivered", (account) => account.delivered ?? 0], ["queue", waiting], ["unsent", unsent], ["lost", dropped]]],
      ["Pending", [["journal", (account) => account.journal ?? 0], ["queue", (account) => account.queue ?? 0]]],
      ["Dropped", [["spared", spared], ["lost", (account) => dropped(account) - spared(account)]]],
    ];
    this.marks = [];
    replace(this.element, charts.map(([title, layers]) => this.chart(title, layers)));
    this.mark();
  }

  chart(title, layers) {
    const total = (account) => layers.reduce((sum, [, value]) => sum + value(account), 0);
    const highest = Math.max(...this.accounts.map(total));
    const y = (value) => height - (value / Math.max(highest, 1)) * (height - 2);
    const point = (account, value) => `${this.x(account).toFixed(1)} ${y(value).toFixed(1)}`;
    let base = this.accounts.map(() => 0);
    const areas = layers.map(([kind, value]) => {
      const top = this.accounts.map((account, index) => base[index] + value(account));
      const path = `M${this.accounts.map((account, index) => point(account, top[index])).join("L")}L${this.accounts.map((account, index) => point(account, base[index])).reverse().join("L")}Z`;
      const isThere = top.some((number, index) => number > base[index]);
      base = top;
      return isThere ? svg("path", { class: kind, d: path }) : null;
    });
    const mark = svg("line", { class: "mark", y1: 0, y2: height });
    const value = h("span", { class: "num" });
    this.marks.push({ mark, value, total });
    const [first, last] = [this.accounts[0], this.accounts.at(-1)];
    return h("figure", { class: "chart" },
      h("figcaption", {}, h("span", {}, title), value),
      svg("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img",
        "aria-label": `${title}: ${count(total(first))} at ${time(first.timeUs)}, ${count(total(last))} at ${time(last.timeUs)}, at most ${count(highest)}` },
      areas, svg("path", { class: "outline", d: `M${this.accounts.map((account) => point(account, total(account))).join("L")}` }),
      svg("line", { class: "ground", x1: 0, x2: width, y1: height, y2: height }), mark),
      h("div", { class: "ends num", "aria-hidden": "true" }, h("span", {}, clockOf(first, last)), h("span", {}, time(last.timeUs))));
  }

  mark() {
    const account = this.accounts[this.chosen ?? this.accounts.length - 1];
    if (!account || this.accounts.length < 2) return;
    for (const { mark, value, total } of this.marks) {
      const place = Math.min(this.x(account), width - 0.5).toFixed(1);
      mark.setAttribute("x1", place);
      mark.setAttribute("x2", place);
      value.textContent = count(total(account));
    }
    this.element.classList.toggle("chosen", this.chosen !== undefined);
  }
}

function clockOf(first, last) {
  return date(first.timeUs) === date(last.timeUs) ? time(first.timeUs) : `${date(first.timeUs)} ${time(first.timeUs)}`;
}

/** Formats when a snapshot was taken. */
export function accountTime(account) {
  return `${date(account.timeUs) === "today" ? "" : `${date(account.timeUs)} `}${time(account.timeUs)}, ${ago(account.timeUs)}`;
}
