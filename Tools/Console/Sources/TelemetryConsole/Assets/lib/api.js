// @ts-check
// Requests to the console's API. The caller's signal cancels a request when its page closes.

import { admitted } from "./access.js";

export class APIError extends Error {
  /**
   * @param {number} status
   * @param {string} message
   * @param {{ column?: number, length?: number, path?: string, suggestions?: string[] }} body The response, with the place
   *   of an error in a query.
   */
  constructor(status, message, body = {}) {
    super(message);
    this.status = status;
    this.column = body.column;
    this.length = body.length;
    this.path = body.path;
    this.suggestions = body.suggestions;
  }
}

/**
 * Asks the API, and returns the JSON of its response.
 *
 * @param {string} path
 * @param {Record<string, any>} parameters Those that are absent, `null`, `false` or "" are left out.
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function get(path, parameters = {}, signal) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== "" && value !== false) query.set(name, String(value));
  }
  const url = `/api/v1/${path}${query.size ? `?${query}` : ""}`;
  let response;
  try {
    response = await admitted(() => fetch(url, { signal, headers: { accept: "application/json" } }));
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new APIError(0, "The console is not reachable. It may have been stopped.");
  }
  // In a large store, some answers are older than the newest records.
  if (response.headers.has("age")) dispatchEvent(new CustomEvent("answerage", { detail: Number(response.headers.get("age")) }));
  const body = await response.json().catch((error) => {
    if (error.name === "AbortError") throw error;
    return {};
  });
  if (!response.ok) throw new APIError(response.status, body.error ?? `The console responded with HTTP ${response.status}.`, body);
  return body;
}

/**
 * Subscribes to the console's changes.
 *
 * Calls `onChange` for each change that the console reports, and once after a reconnection if changes were missed. A
 * hidden page closes its connection, because browsers allow six connections per host over all tabs. A sign-in opens the
 * connection again that a refusal has ended.
 *
 * @param {Record<string, string>} parameters
 * @param {object} options
 * @param {(change: any) => void} options.onChange
 * @param {(state: "open" | "lost") => void} [options.onState]
 * @returns {() => void} Ends the subscription.
 */
export function follow(parameters, { onChange, onState = () => {} }) {
  const query = new URLSearchParams(parameters);
  /** @type {EventSource} */
  let source;
  /** @type {number | undefined} */
  let known;

  function open() {
    source = new EventSource(`/api/v1/live${query.size ? `?${query}` : ""}`);
    source.addEventListener("hello", (event) => {
      const { cursor } = JSON.parse(event.data);
      onState("open");
      if (known !== undefined && cursor > known) onChange({ cursor, metrics: true });
      known = cursor;
    });
    source.addEventListener("change", (event) => {
      const change = JSON.parse(event.data);
      known = change.cursor;
      onChange(change);
    });
    source.onerror = () => onState("lost");
  }

  function visibilityChanged() {
    source.close();
    if (!document.hidden) open();
  }

  open();
  document.addEventListener("visibilitychange", visibilityChanged);
  addEventListener("signedin", visibilityChanged);
  return () => {
    source.close();
    document.removeEventListener("visibilitychange", visibilityChanged);
    removeEventListener("signedin", visibilityChanged);
  };
}

/**
 * Returns a function that runs `work`. Calls made while it runs lead to one more run, and are never queued.
 *
 * @param {() => Promise<unknown>} work
 */
export function coalesce(work) {
  let isRunning = false;
  let isWanted = false;
  return async function run() {
    if (isRunning) { isWanted = true; return; }
    isRunning = true;
    try {
      do { isWanted = false; await work(); } while (isWanted);
    } finally {
      isRunning = false;
    }
  };
}
