// @ts-check
// Requests to the console's API. The caller's signal cancels a request when its page closes.

import { admitted } from "./access.js";
import { ask } from "./stream.js";

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
 * @param {{ fresh?: number, isSlow?: boolean }} [shared] Shares the answer with the browser's other windows. An answer that
 *   another window had will do for `fresh` milliseconds, if nothing has changed since. What `isSlow` takes turns.
 * @returns {Promise<any>}
 */
export async function get(path, parameters = {}, signal, shared) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== "" && value !== false) query.set(name, String(value));
  }
  const url = `/api/v1/${path}${query.size ? `?${query}` : ""}`;
  const headers = { accept: "application/json" };
  const { response, body } = await exchange(() => (shared ? ask(url, { signal, headers, ...shared }) : fetch(url, { signal, headers })));
  // In a large store, some answers are older than the newest records.
  if (response.headers.has("age")) dispatchEvent(new CustomEvent("answerage", { detail: Number(response.headers.get("age")) }));
  return body;
}

/**
 * Sends a request to the API as one who is signed in, and returns the response and its JSON, `{}` if it has none.
 *
 * It throws an `APIError` if the console refuses or cannot be reached. That nothing has changed, 304, is no refusal.
 *
 * @param {() => Promise<Response>} send
 * @returns {Promise<{ response: Response, body: any }>}
 */
export async function exchange(send) {
  let response;
  try {
    response = await admitted(send);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new APIError(0, "The console is not reachable. It may have been stopped.");
  }
  const body = await response.json().catch((/** @type {Error} */ error) => {
    if (error.name === "AbortError") throw error;
    return {};
  });
  if (!response.ok && response.status !== 304) {
    throw new APIError(response.status, body.error ?? `The console responded with HTTP ${response.status}.`, body);
  }
  return { response, body };
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

/**
 * Returns a function that reads a list and keeps it for some milliseconds. The list is empty if it cannot be read, because a
 * chart is useful without it.
 *
 * @param {number} freshness
 * @param {() => Promise<any[]>} read
 */
export function keptList(freshness, read) {
  /** @type {Promise<any[]> | undefined} */
  let list;
  let listedAt = 0;
  return () => {
    if (!list || performance.now() - listedAt > freshness) {
      listedAt = performance.now();
      list = read().catch(() => []);
    }
    return list;
  };
}
