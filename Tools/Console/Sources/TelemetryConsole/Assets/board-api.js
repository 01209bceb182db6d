// Requests that read and write boards. A write names the version that it changes.

import { admitted } from "/assets/access.js";
import { APIError } from "/assets/api.js";

async function request(id, { method = "GET", headers = {}, body, signal } = {}) {
  let response;
  try {
    response = await admitted(() => fetch(`/api/v1/boards/${encodeURIComponent(id)}`, { method, headers, body, signal }));
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new APIError(0, "The console is not reachable. It may have been stopped.");
  }
  if (response.status === 304 || response.status === 204) return undefined;
  const content = await response.json().catch(() => ({}));
  if (!response.ok) throw new APIError(response.status, content.error ?? `The console responded with HTTP ${response.status}.`);
  return { ...content, tag: response.headers.get("etag") };
}

/** Returns a board with its file and its tag, or `undefined` if it still is the version with the tag `known`. */
export const loadBoard = (id, { known, signal } = {}) => request(id, { headers: known ? { "if-none-match": known } : {}, signal });

/** Saves a board as JSON, or with `source` as a whole file. `tag` is that of the version before, absent for a new board. */
export function saveBoard(id, { board, source, tag }) {
  const type = source === undefined ? "application/json" : "application/yaml";
  return request(id, { method: "PUT", headers: { "content-type": type, ...(tag ? { "if-match": tag } : {}) }, body: source ?? JSON.stringify(board) });
}

export const deleteBoard = (id, tag) => request(id, { method: "DELETE", headers: { "if-match": tag } });
