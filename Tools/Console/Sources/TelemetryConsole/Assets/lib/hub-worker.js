// @ts-check
// The hub in a worker that the windows of a browser share. It ends with the last window, and not with the first.

import { Hub } from "./hub.js";

const hub = new Hub();
addEventListener("connect", (event) => {
  const [port] = /** @type {MessageEvent} */ (/** @type {unknown} */ (event)).ports;
  hub.connect(port);
});
