// @ts-check
// Requests that mute and acknowledge alerts.

import { admitted } from "./access.js";
import { APIError } from "./api.js";

/**
 * @param {string} board
 * @param {string} alert
 * @param {{ muteSeconds?: number, acknowledged?: boolean }} change What is absent stays. 0 seconds end a mute.
 */
export async function changeAlert(board, alert, change) {
  let response;
  try {
    response = await admitted(() => fetch(`/api/v1/alerts/${encodeURIComponent(board)}/${encodeURIComponent(alert)}`,
      { method: "PATCH", headers: { "content-type": "application/json" }, body: JSON.stringify(change) }));
  } catch {
    throw new APIError(0, "The console is not reachable. It may have been stopped.");
  }
  const content = await response.json().catch(() => ({}));
  if (!response.ok) throw new APIError(response.status, content.error ?? `The console responded with HTTP ${response.status}.`);
  return content;
}
