// @ts-check
// The connection to the device: it receives server-sent events, and sends the user's events and actions in order.

const api = new URL("../../api/v1/", import.meta.url);

/** @param {string} name */
export function resourceURL(name) {
  return new URL(`resources/${encodeURIComponent(name)}`, api).href;
}

export const getScreen = () => get("screen");

/** What VoiceOver reads on the screen. */
export const getSpoken = () => get("voiceover");

/**
 * @param {string} path
 * @returns {Promise<any>}
 */
async function get(path) {
  return (await fetched(path, "application/json")).json();
}

/**
 * @param {string} path
 * @param {string} accept
 */
async function fetched(path, accept) {
  const response = await fetch(new URL(path, api), { headers: { accept } });
  if (!response.ok) throw new Error(`the device responded with HTTP ${response.status}`);
  return response;
}

/** The scenario that is recorded: starting and stopping it, its text, and its address. */
export const recording = {
  /** @param {"start" | "stop"} name */
  command: (name) => post("recording", { do: name }),
  read: async () => (await fetched("recording", "application/yaml")).text(),
  url: new URL("recording", api).href,
};

/**
 * @param {string} path
 * @param {any} body
 * @returns {Promise<any>}
 */
async function post(path, body) {
  let response;
  try {
    response = await fetch(new URL(path, api), {
      method: "POST", headers: { "content-type": "application/json", accept: "application/json" }, body: JSON.stringify(body),
    });
  } catch {
    throw new Error("The device does not respond. It may have been stopped.");
  }
  const reply = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(reply.error ?? `The device responded with HTTP ${response.status}.`);
  return reply;
}

/**
 * Performs an action: `{do: "kill"}` or `{set: {network: "weak"}}`. Throws the error message of the device.
 *
 * @param {any} action
 */
export function perform(action) {
  return post("actions", action);
}

const kinds = ["hello", "patch", "screen", "state", "status", "outcome", "frames", "output"];

/**
 * Calls the handler named after each event, and `onLink("open" | "lost")`. The first event of each connection is a hello
 * with the whole state. A hidden page closes its connection, because browsers allow only six to one host.
 *
 * @param {{ onLink: (state: "open" | "lost") => void, [event: string]: (message: any) => void }} handlers
 */
export function follow(handlers) {
  /** @type {EventSource | undefined} */
  let source;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let retry;

  function open() {
    clearTimeout(retry);
    source?.close();
    const opened = new EventSource(new URL("live", api));
    source = opened;
    for (const kind of kinds) {
      opened.addEventListener(kind, (event) => {
        if (kind === "hello") handlers.onLink("open");
        handlers[kind]?.(JSON.parse(event.data));
      });
    }
    opened.onerror = () => {
      handlers.onLink("lost");
      if (opened.readyState === EventSource.CLOSED) retry = setTimeout(open, 1500);
    };
  }

  open();
  document.addEventListener("visibilitychange", () => {
    clearTimeout(retry);
    if (document.hidden) source?.close();
    else open();
  });
}

/** What the page reports by itself: the last report of a node is the one that counts. */
const reports = new Set(["measure", "scroll"]);

/**
 * A queue of the user's events, sent one at a time. A change replaces the waiting change of the same field, and a report
 * the waiting report of the same node, so that typing and scrolling do not fill the queue. `pending` returns how many events of a node have no outcome yet.
 */
export class EventQueue {
  /** @type {{ node: number, action: string, value: any, since: number }[]} */
  #waiting = [];
  #isSending = false;
  /** @type {Map<symbol, { node: number, since: number, number?: number }>} */
  #open = new Map();
  /** @type {Map<number, true>} The numbers of events whose outcome came before the response to them. */
  #early = new Map();
  /** @type {Map<number, () => void>} */
  #listeners = new Map();

  /** @param {{ onFailure: (error: Error) => void }} options */
  constructor({ onFailure }) {
    this.onFailure = onFailure;
  }

  /**
   * @param {number} node
   * @param {string} action
   * @param {any} value
   */
  send(node, action, value = null) {
    const last = this.#waiting.at(-1);
    const older = reports.has(action) ? this.#waiting.find((item) => item.node === node && item.action === action) : undefined;
    if (older) older.value = value;
    else if (action === "change" && last?.node === node && last.action === "change") last.value = value;
    else if (this.#waiting.length < 200) this.#waiting.push({ node, action, value, since: performance.now() });
    this.#pump();
  }

  async #pump() {
    if (this.#isSending) return;
    this.#isSending = true;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      const { since, ...event } = next;
      const key = Symbol(event.action);
      /** @type {{ node: number, since: number, number?: number }} */
      const item = { node: event.node, since };
      this.#open.set(key, item);
      try {
        const { number } = await post("events", event);
        if (this.#early.has(number)) this.#settle(key);
        else item.number = number;
        this.#early.delete(number);
      } catch (error) {
        this.#settle(key);
        if (!reports.has(event.action)) this.onFailure(error);
      }
    }
    this.#isSending = false;
  }

  /**
   * Removes the event with this number, because the app has handled it.
   *
   * @param {number} number
   */
  settled(number) {
    for (const [key, item] of this.#open) if (item.number === number) return this.#settle(key);
    this.#early.set(number, true);
    if (this.#early.size > 100) this.#early.delete([...this.#early.keys()][0]);
  }

  /** @param {symbol} key */
  #settle(key) {
    const item = this.#open.get(key);
    this.#open.delete(key);
    if (item && this.pending(item.node) === 0) this.#listeners.get(item.node)?.();
  }

  /** Removes all events, because the app has ended. */
  clear() {
    this.#waiting = [];
    const nodes = new Set([...this.#open.values()].map((item) => item.node));
    this.#open.clear();
    this.#early.clear();
    for (const node of nodes) this.#listeners.get(node)?.();
  }

  /** @param {number} node */
  pending(node) {
    let count = 0;
    for (const item of this.#waiting) if (item.node === node) count += 1;
    for (const item of this.#open.values()) if (item.node === node) count += 1;
    return count;
  }

  /**
   * Calls `listener` when no event of the node is pending.
   *
   * @param {number} node
   * @param {() => void} listener
   */
  onSettled(node, listener) {
    this.#listeners.set(node, listener);
  }

  /** @param {number} node */
  forget(node) {
    this.#listeners.delete(node);
  }

  /** The time since the oldest pending event was sent, in milliseconds; 0 if there is none. */
  get waited() {
    let oldest = Infinity;
    for (const item of this.#open.values()) oldest = Math.min(oldest, item.since);
    return oldest === Infinity ? 0 : performance.now() - oldest;
  }
}
