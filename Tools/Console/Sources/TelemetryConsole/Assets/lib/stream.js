// @ts-check
// This window at the hub of all windows of its browser: changes of the console, and answers that other windows ask for too.

import { beatMilliseconds, Hub, silenceMilliseconds } from "./hub.js";

/** @typedef {import("./hub.js").Port} Port */
/** @typedef {"wait" | "open" | "lost"} State */

/**
 * A window's side of the hub. `connect` makes a port to it, again after a silence: the hub may have crashed.
 */
export class HubClient {
  /** @type {State} */
  #state = "wait";
  /** @type {number | undefined} */
  #known;
  /** @type {Port | undefined} */
  #port;
  #heardAt = 0;
  #isVisible = false;
  #asked = 0;
  /** @type {Map<number, { resolve: (response: Response) => void, reject: (error: Error) => void }>} */
  #questions = new Map();

  /**
   * @param {object} parts
   * @param {() => Port} parts.connect
   * @param {() => number} [parts.now] Milliseconds of a clock that never goes back.
   */
  constructor({ connect, now = () => performance.now() }) {
    this.connect = connect;
    this.now = now;
    this.onChange = (/** @type {any} */ _change) => {};
    this.onState = (/** @type {State} */ _state) => {};
  }

  /** Tells the hub whether this window is visible. Is called when that changes, and each second while it is. */
  beat(/** @type {boolean} */ isVisible) {
    const isShown = isVisible && !this.#isVisible;
    this.#isVisible = isVisible;
    if (isShown) { this.#heardAt = this.now(); this.#say("wait"); }
    if (isVisible && this.now() - this.#heardAt > silenceMilliseconds) this.leave();
    this.#join().postMessage({ kind: "here", isVisible });
  }

  /** Drops what was read with another key. */
  reset() {
    this.#port?.postMessage({ kind: "reset" });
  }

  /** Drops a hub that says nothing. The next message goes to another one. */
  leave() {
    if (this.#port) this.#port.onmessage = null;
    this.#port = undefined;
    for (const { reject } of this.#questions.values()) reject(new TypeError("the hub has ended"));
    this.#questions.clear();
    this.#heardAt = this.now();
    this.#say("lost");
  }

  /**
   * Asks the console by way of the hub.
   *
   * @param {string} url
   * @param {{ headers?: Record<string, string>, signal?: AbortSignal, fresh?: number, isSlow?: boolean }} options `fresh` is
   *   for how many milliseconds an answer to another window will do, if nothing has changed since. What `isSlow` takes turns.
   * @returns {Promise<Response>}
   */
  ask(url, { headers = {}, signal, fresh = 500, isSlow = false } = {}) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) { reject(signal.reason); return; }
      this.#asked += 1;
      const id = this.#asked;
      signal?.addEventListener("abort", () => { this.#questions.delete(id); reject(signal.reason); }, { once: true });
      this.#questions.set(id, { resolve, reject });
      this.#join().postMessage({ kind: "ask", id, url, headers, fresh, isSlow });
    });
  }

  #join() {
    if (this.#port) return this.#port;
    const port = this.connect();
    port.onmessage = ({ data }) => { if (data.kind === "answer") this.#answer(data); else this.#take(data); };
    this.#port = port;
    return port;
  }

  /** @param {import("./hub.js").Answer & { id: number }} answer */
  #answer({ id, status, headers, text }) {
    const question = this.#questions.get(id);
    this.#questions.delete(id);
    if (status === 0) question?.reject(new TypeError("the console is not reachable"));
    else question?.resolve(new Response([204, 304].includes(status) ? null : text, { status, headers }));
  }

  /** @param {{ state: State, cursor?: number, change?: any }} news */
  #take({ state, cursor, change }) {
    this.#heardAt = this.now();
    if (!this.#isVisible) return;
    this.#say(state);
    const hasMissed = this.#known !== undefined && cursor !== undefined && cursor !== this.#known;
    this.#known = cursor ?? this.#known;
    if (change) this.onChange(change); else if (hasMissed) this.onChange({ cursor, metrics: true });
  }

  /** @param {State} state */
  #say(state) {
    if (state === this.#state) return;
    this.#state = state;
    this.onState(state);
  }
}

let hasWorkers = typeof SharedWorker !== "undefined";
/** @type {Hub | undefined} */
let own;

/** Connects to the browser's hub. A browser without shared workers has a hub in each window. */
function connectToHub() {
  if (hasWorkers) {
    try {
      const worker = new SharedWorker("/assets/lib/hub-worker.js", { type: "module", name: "astrolabe.hub" });
      worker.addEventListener("error", () => { hasWorkers = false; client.leave(); });
      return worker.port;
    } catch {
      hasWorkers = false;
    }
  }
  own ??= new Hub();
  /** @type {Port} */
  const here = { onmessage: null, postMessage: (data) => queueMicrotask(() => there.onmessage?.({ data })) };
  /** @type {Port} */
  const there = { onmessage: null, postMessage: (data) => queueMicrotask(() => here.onmessage?.({ data })) };
  own.connect(there);
  return here;
}

const client = new HubClient({ connect: connectToHub });

/** Asks the console once for all windows that ask the same. See `HubClient.ask`. */
export const ask = client.ask.bind(client);

/**
 * Follows the console's changes, while this window is visible.
 *
 * Calls `onChange` for each change, and once for those that were missed. The windows of a browser share one connection,
 * because a browser allows six per host. A sign-in opens the connection again that a refusal has ended.
 *
 * @param {object} options
 * @param {(change: any) => void} options.onChange
 * @param {(state: State) => void} [options.onState] `open` only while the console is heard.
 */
export function follow({ onChange, onState = () => {} }) {
  client.onChange = onChange;
  client.onState = onState;
  const beat = () => client.beat(!document.hidden);
  beat();
  setInterval(() => { if (!document.hidden) beat(); }, beatMilliseconds);
  document.addEventListener("visibilitychange", beat);
  addEventListener("pagehide", () => client.beat(false));
  addEventListener("pageshow", beat);
  for (const change of ["signedin", "signedout"]) addEventListener(change, () => client.reset());
}
