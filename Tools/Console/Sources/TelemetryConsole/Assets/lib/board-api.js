// @ts-check
// Requests that read and write boards. A write names the version that it changes.

import { exchange } from "./api.js";
import { ask } from "./stream.js";

/**
 * @param {string} id
 * @param {RequestInit & { fresh?: number }} options
 * @param {(url: string, options: any) => Promise<Response>} send
 * @returns {Promise<any>}
 */
async function request(id, options, send = (url, sent) => fetch(url, sent)) {
  const { response, body } = await exchange(() => send(`/api/v1/boards/${encodeURIComponent(id)}`, options));
  if (response.status === 304 || response.status === 204) return undefined;
  return { ...body, tag: response.headers.get("etag") };
}

/**
 * Returns a board with its file and its tag, or `undefined` if it still is the version with the tag `known`. Windows that
 * know the same version share the answer.
 *
 * @param {string} id
 * @param {{ known?: string, signal?: AbortSignal }} options
 */
export function loadBoard(id, { known, signal } = {}) {
  if (!known) return request(id, { signal });
  return request(id, { headers: { "if-none-match": known }, signal, fresh: 2_000 }, ask);
}

/**
 * Saves a board as JSON, or with `source` as a whole file. `tag` is that of the version before, absent for a new board.
 *
 * @param {string} id
 * @param {{ board?: any, source?: string, tag?: string }} version
 */
export function saveBoard(id, { board, source, tag }) {
  const type = source === undefined ? "application/json" : "application/yaml";
  /** @type {Record<string, string>} */
  const headers = { "content-type": type };
  if (tag) headers["if-match"] = tag;
  return request(id, { method: "PUT", headers, body: source ?? JSON.stringify(board) });
}

/**
 * @param {string} id
 * @param {string} tag That of the version that is deleted.
 */
export function deleteBoard(id, tag) {
  return request(id, { method: "DELETE", headers: { "if-match": tag } });
}
