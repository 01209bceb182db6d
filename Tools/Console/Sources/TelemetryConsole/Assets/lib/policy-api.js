// @ts-check
// Requests that change who gets a policy. They need no signature, because the document stays as it is.

import { admitted } from "./access.js";
import { APIError } from "./api.js";

/**
 * @param {string} app
 * @param {number} version
 * @param {RequestInit} options
 * @returns {Promise<any>}
 */
async function request(app, version, options) {
  let response;
  try {
    response = await admitted(() => fetch(`/api/v1/policies/${encodeURIComponent(app)}/${version}`, options));
  } catch {
    throw new APIError(0, "The console is not reachable. It may have been stopped.");
  }
  const content = await response.json().catch(() => ({}));
  if (!response.ok) throw new APIError(response.status, content.error ?? `The console responded with HTTP ${response.status}.`);
  return content;
}

/**
 * @param {string} app
 * @param {number} version
 * @param {{ percentage?: number, target?: import("./policy-text.js").Target }} change What is absent stays.
 */
export function changeRollout(app, version, change) {
  return request(app, version, { method: "PATCH", headers: { "content-type": "application/json" }, body: JSON.stringify(change) });
}

/**
 * @param {string} app
 * @param {number} version
 */
export function withdrawPolicy(app, version) {
  return request(app, version, { method: "DELETE" });
}
