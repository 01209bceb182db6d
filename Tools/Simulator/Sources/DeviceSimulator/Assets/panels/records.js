// @ts-check
// The newest records of the session in the console, which show that the app's records arrived.

import { h, replace, setText } from "../lib/dom.js";
import { duration, time } from "../shared/format.js";

const limit = 50;
/** Milliseconds between two looks for a crash, and the number of looks. */
const crashPause = 1000;
const crashLooks = 60;

export class RecordList {
  #abort = new AbortController();
  #timer;

  constructor(root) {
    this.root = root;
    this.note = h("span", { class: "panel-note" });
    this.crash = h("p", { class: "crash-note", role: "status" });
    this.list = h("ol", { class: "record-list" });
    this.items = [];
    this.origins = new Map();
    replace(root, h("h2", {}, "Records in the console", this.note), this.crash, this.list);
    root.hidden = true;
  }

  /** Follows a session. Hides the list if there is no console or no session. */
  follow(console, session) {
    const base = console ? new URL(console, location.href).href : undefined;
    this.root.hidden = !base || !session;
    if (base === this.base && session === this.session) return;
    this.base = base;
    this.session = session;
    this.#stop();
    this.items = [];
    this.cursor = undefined;
    if (!base || !session) return;
    replace(this.note, h("a", { href: new URL(`sessions/${encodeURIComponent(session)}`, base).href, class: "text-link" }, "Open session"));
    this.#draw();
    this.#open();
  }

  /** Links to the crash in the console when the next launch has sent its report. */
  async noteCrash(timeUs) {
    const looked = (this.crashLook = {});
    replace(this.crash);
    for (let look = 0; look < crashLooks; look++) {
      await new Promise((resolve) => setTimeout(resolve, crashPause));
      if (looked !== this.crashLook) return;
      if (!this.base) continue;
      const response = await fetch(new URL("api/v1/health/groups?kind=crash", this.base)).catch(() => undefined);
      // They come in the order of their weight, and those of other devices may weigh more.
      const groups = response?.ok ? (await response.json()).groups.toSorted((a, b) => b.lastUs - a.lastUs) : [];
      const [group] = groups;
      if (!group || group.lastUs < timeUs) continue;
      return replace(this.crash, h("a", { class: "text-link", href: new URL(`health/groups/${group.fingerprint}`, this.base).href }, "Open the crash in the console"));
    }
  }

  /** Closes the connection while the page is hidden. */
  setVisible(isVisible) {
    this.#stop();
    if (isVisible && this.base && this.session) this.#open();
  }

  #stop() {
    this.#abort.abort();
    this.#abort = new AbortController();
    clearTimeout(this.#timer);
    this.source?.close();
  }

  #open() {
    this.source = new EventSource(new URL(`api/v1/live?session=${encodeURIComponent(this.session)}`, this.base));
    const soon = () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#load(), 150);
    };
    this.source.addEventListener("hello", soon);
    this.source.addEventListener("change", soon);
  }

  async #load() {
    const { signal } = this.#abort;
    const path = `api/v1/sessions/${encodeURIComponent(this.session)}/timeline`;
    try {
      let next;
      do {
        const query = new URLSearchParams({ limit: "5000" });
        if (next) query.set("cursor", next);
        else if (this.cursor !== undefined) query.set("since", String(this.cursor));
        const response = await fetch(new URL(`${path}?${query}`, this.base), { signal });
        // No records of the session have arrived yet.
        if (response.status === 404) break;
        if (!response.ok) throw new Error(String(response.status));
        const page = await response.json();
        this.#take(page);
        next = page.next;
      } while (next);
    } catch (error) {
      if (error.name === "AbortError") return;
    }
    this.#draw();
  }

  #take(page) {
    for (const origin of page.origins) this.origins.set(origin.id, origin);
    const known = new Set(this.items.map((item) => item.seq));
    const fresh = page.items.filter((item) => !known.has(item.seq));
    for (const item of fresh) item.isFresh = this.cursor !== undefined;
    this.items = [...this.items, ...fresh].sort((a, b) => b.timeUs - a.timeUs || b.seq - a.seq).slice(0, limit);
    this.cursor = Math.max(this.cursor ?? 0, page.cursor);
  }

  #draw() {
    if (this.items.length === 0) {
      replace(this.list, h("li", { class: "faint" }, "No records of this session yet."));
      return;
    }
    const rows = new Map([...this.list.querySelectorAll(":scope > *")].map((row) => [row.dataset.seq, row]));
    this.list.replaceChildren(...this.items.map((item) => rows.get(String(item.seq)) ?? this.#row(item)));
  }

  #row(item) {
    const lane = this.origins.get(item.origin)?.side === "backend" ? "backend" : "phone";
    const page = item.traceId ? `traces/${item.traceId}${item.spanId ? `?span=${item.spanId}` : ""}` : `sessions/${encodeURIComponent(this.session)}`;
    const name = h("span", { class: "clip" });
    setText(name, item.name || bodyText(item.body) || "(no name)");
    return h("li", { "data-seq": item.seq, class: item.isFresh ? "fresh" : "" },
      h("a", { href: new URL(page, this.base).href, class: `record ${item.kind} ${item.error ? "error" : ""}` },
        h("span", { class: "record-time num" }, time(item.timeUs)), h("i", { class: `lane of-${lane}`, title: lane === "backend" ? "Backend" : "Phone" }),
        name, h("span", { class: "record-kind" }, item.kind),
        h("span", { class: "record-length num" }, item.durationNs === undefined ? "" : duration(item.durationNs))));
  }
}

function bodyText(body) {
  return typeof body === "string" ? body : "";
}
