// @ts-check
// What the windows of a browser share: one connection for the console's changes, and the answers that many of them ask for.

/** @typedef {{ postMessage(message: any): void, onmessage: ((event: any) => void) | null }} Port */
/** @typedef {{ status: number, headers: [string, string][], text: string }} Answer Status 0 if there was no response. */

/** How often the hub says how it is. A window that does not hear it knows that it gets nothing. */
export const beatMilliseconds = 1_000;
/** The silence after which a connection counts as lost. The console sends something every two seconds. */
export const silenceMilliseconds = 6_000;
/** How long a connection may take. It may wait for one of the browser's six per host. */
const openMilliseconds = 20_000;
/** The time after which a window that has said nothing counts as closed. */
const absenceMilliseconds = 10_000;
const retryMilliseconds = { first: 1_000, most: 10_000 };
/** How many of a browser's six connections the slow requests use, so that the others do not wait for them. */
const slowAtOnce = 3;

const system = {
  now: () => performance.now(),
  request: (/** @type {string} */ url, /** @type {RequestInit} */ options) => fetch(url, options),
  every: (/** @type {() => void} */ work, /** @type {number} */ milliseconds) => {
    const timer = setInterval(work, milliseconds);
    return () => clearInterval(timer);
  },
};

/**
 * The hub of the windows of a browser. It holds a connection while at least one window is visible.
 *
 * A window sends `here` with `isVisible`, at least every ten seconds while it is visible; `reset` after a sign-in or
 * sign-out; and `ask` with an `id`, a `url`, `headers`, the milliseconds for which an answer is `fresh`, and whether it
 * `isSlow`. The hub sends `state` with a `cursor` and possibly a `change`, and `answer` with the `id`.
 */
export class Hub {
  /** @type {Map<Port, number>} When each visible window was heard. */
  #readers = new Map();
  /** @type {"wait" | "open" | "lost"} */
  #state = "wait";
  /** @type {number | undefined} */
  #cursor;
  /** @type {AbortController | undefined} */
  #connection;
  #heardAt = 0;
  #retryAt = 0;
  #retryAfter = retryMilliseconds.first;
  /** @type {(() => void) | undefined} */
  #stopBeat;
  /** @type {Map<string, { askedAt: number, cursor: number | undefined, isDone: boolean, answer: Promise<Answer> }>} */
  #answers = new Map();
  #running = 0;
  /** @type {(() => void)[]} */
  #waiting = [];

  constructor(parts = {}) {
    this.parts = { ...system, ...parts };
  }

  /** @param {Port} port */
  connect(port) {
    port.onmessage = ({ data }) => {
      if (data.kind === "here") this.#note(port, data.isVisible);
      else if (data.kind === "reset") this.#reset();
      else if (data.kind === "ask") this.#ask(port, data);
    };
  }

  /** @param {Port} port @param {boolean} isVisible */
  #note(port, isVisible) {
    const isNew = isVisible && !this.#readers.has(port);
    if (isVisible) this.#readers.set(port, this.parts.now()); else this.#readers.delete(port);
    if (!this.#readers.size) { this.#rest(); return; }
    if (!isNew) return;
    this.#stopBeat ??= this.parts.every(() => this.beat(), beatMilliseconds);
    if (!this.#connection) this.#open();
    port.postMessage(this.#news());
  }

  #news() {
    return { kind: "state", state: this.#state, cursor: this.#cursor };
  }

  /** No one reads: closes the connection, and stops the clock. */
  #rest() {
    this.#connection?.abort();
    this.#connection = undefined;
    this.#stopBeat?.();
    this.#stopBeat = undefined;
    this.#state = "wait";
    this.#answers.clear();
  }

  /** Another key, or none: what was read with the one before is dropped. Windows tell of it all at once. */
  #reset() {
    this.#connection?.abort();
    this.#connection = undefined;
    this.#answers.clear();
    this.#retryAt = this.parts.now();
    this.#say("wait");
  }

  /** Looks after the connection, and tells each window how it is. */
  beat() {
    const now = this.parts.now();
    for (const [port, heardAt] of this.#readers) if (now - heardAt > absenceMilliseconds) this.#readers.delete(port);
    for (const [key, kept] of this.#answers) if (kept.isDone && now - kept.askedAt > silenceMilliseconds) this.#answers.delete(key);
    if (!this.#readers.size) { this.#rest(); return; }
    const most = this.#state === "open" ? silenceMilliseconds : openMilliseconds;
    if (this.#connection && now - this.#heardAt > most) {
      this.#connection.abort();
      this.#connection = undefined;
      this.#say("lost");
    }
    if (!this.#connection && now >= this.#retryAt) this.#open();
    this.#send(this.#news());
  }

  /** @param {any} message */
  #send(message) {
    for (const port of this.#readers.keys()) port.postMessage(message);
  }

  /** @param {"wait" | "open" | "lost"} state */
  #say(state) {
    this.#state = state;
    this.#send(this.#news());
  }

  async #open() {
    const connection = new AbortController();
    this.#connection = connection;
    this.#heardAt = this.parts.now();
    let isRefused = false;
    try {
      const response = await this.parts.request("/api/v1/live", { signal: connection.signal, headers: { accept: "text/event-stream" } });
      isRefused = response.status === 401;
      if (response.ok && response.body) await this.#read(response.body.getReader(), connection);
    } catch { /* the connection has ended */ }
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    // Without a key there is nothing to try again, until a person signs in or opens a window.
    this.#retryAt = isRefused ? Infinity : this.parts.now() + this.#retryAfter;
    this.#retryAfter = Math.min(2 * this.#retryAfter, retryMilliseconds.most);
    this.#say("lost");
  }

  /**
   * @param {ReadableStreamDefaultReader<Uint8Array>} reader
   * @param {AbortController} connection
   */
  async #read(reader, connection) {
    const decoder = new TextDecoder();
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done || this.#connection !== connection) return;
      this.#heardAt = this.parts.now();
      text += decoder.decode(value, { stream: true });
      const events = text.split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) this.#take(event);
    }
  }

  /** @param {string} event Its lines, `name: value`. A comment is a heartbeat. */
  #take(event) {
    const fields = Object.fromEntries(event.split("\n").map((line) => line.split(/: ?(.*)/s, 2)));
    if (fields.event !== "hello" && fields.event !== "change") return;
    const change = JSON.parse(fields.data);
    this.#cursor = change.cursor;
    if (fields.event === "change") { this.#send({ ...this.#news(), change }); return; }
    this.#retryAfter = retryMilliseconds.first;
    this.#say("open");
  }

  /**
   * Answers a window. Windows that ask the same at the same cursor have one answer.
   *
   * @param {Port} port
   * @param {{ id: number, url: string, headers: Record<string, string>, fresh: number, isSlow: boolean }} question
   */
  async #ask(port, { id, url, headers, fresh, isSlow }) {
    const key = JSON.stringify([url, headers]);
    const now = this.parts.now();
    let kept = this.#answers.get(key);
    if (!kept || kept.cursor !== this.#cursor || (kept.isDone && now - kept.askedAt > fresh)) {
      kept = { askedAt: now, cursor: this.#cursor, isDone: false, answer: isSlow ? this.#requestInTurn(url, headers) : this.#request(url, headers) };
      this.#answers.set(key, kept);
    }
    const answer = await kept.answer;
    kept.isDone = true;
    // A refusal is not kept: the next to ask may have signed in.
    if ((answer.status === 0 || answer.status === 401) && this.#answers.get(key) === kept) this.#answers.delete(key);
    port.postMessage({ kind: "answer", id, ...answer });
  }

  /**
   * @param {string} url
   * @param {Record<string, string>} headers
   * @returns {Promise<Answer>}
   */
  async #requestInTurn(url, headers) {
    while (this.#running >= slowAtOnce) await new Promise((resolve) => { this.#waiting.push(() => resolve(undefined)); });
    this.#running += 1;
    try {
      return await this.#request(url, headers);
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  /**
   * @param {string} url
   * @param {Record<string, string>} headers
   * @returns {Promise<Answer>}
   */
  async #request(url, headers) {
    try {
      // The page sees a 304, which a cache would answer with the whole.
      const response = await this.parts.request(url, { headers, cache: "no-store" });
      return { status: response.status, headers: [...response.headers], text: await response.text() };
    } catch {
      return { status: 0, headers: [], text: "" };
    }
  }
}
