// @ts-check
// Requests that change who gets a policy. They need no signature, because the document stays as it is.

import { exchange } from "./api.js";

/**
 * @param {string} app
 * @param {number} version
 * @param {RequestInit} options
 * @returns {Promise<any>}
 */
async function request(app, version, options) {
  return (await exchange(() => fetch(`/api/v1/policies/${encodeURIComponent(app)}/${version}`, options))).body;
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
