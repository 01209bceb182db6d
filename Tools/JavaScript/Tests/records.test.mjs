import assert from "node:assert/strict";
import test from "node:test";

import { healthEventOf, setHangDurations } from "../../Console/Sources/TelemetryConsole/Assets/parts/health-events.js";
import { timeFault } from "../../Console/Sources/TelemetryConsole/Assets/parts/provenance.js";
import { note, title } from "../../Console/Sources/TelemetryConsole/Assets/parts/records.js";
import { apps, releaseKey, releaseName } from "../../Console/Sources/TelemetryConsole/Assets/parts/releases.js";
import { threadTitle } from "../../Console/Sources/TelemetryConsole/Assets/parts/stack.js";

test("a record's title is its name, its body, or what it reports", () => {
  assert.equal(title({ name: "GET /", kind: "request" }), "GET /");
  assert.equal(title({ name: "", body: { $int: "7" } }), "7");
  assert.equal(title({ name: "", kind: "log" }), "(no name)");
  assert.equal(title({ name: "network.change", kind: "event", attributes: { "network.connection.type": "wifi" } }).includes("Wi-Fi"), true);
});

test("a request's note is its path, unless its name ends with it", () => {
  const request = (name, url) => note({ kind: "request", name, attributes: { "url.full": url } });
  assert.equal(request("GET", "https://shop.example/cart?id=1"), "/cart?id=1");
  assert.equal(request("GET /cart", "https://shop.example/cart"), "");
  assert.equal(request("GET", "not a url"), "not a url");
});

test("an end of a run and a hang say what is known of them", () => {
  const ended = { kind: "event", name: "astrolabe.run.end", attributes: { "astrolabe.run.end.reason": "low_memory", "astrolabe.run.duration": 95 } };
  assert.equal(healthEventOf(ended).title(ended), "Run ended: out of memory");
  assert.equal(healthEventOf(ended).note(ended), "after 1 min 35 s");
  assert.equal(healthEventOf({ kind: "span", name: "astrolabe.run.end" }), undefined);
  const hang = { kind: "event", name: "astrolabe.hang", attributes: { "astrolabe.hang.duration": 1.5, "astrolabe.hang.has_ended": false } };
  setHangDurations([hang]);
  assert.equal(hang.durationNs, 1.5e9);
  assert.equal(healthEventOf(hang).title(hang), "Hang: 1.5 s, until the app ended");
});

test("the fault of a span's times is named, and a span without one has none", () => {
  assert.equal(timeFault({}), "");
  assert.equal(timeFault({ details: { sentStart: 0, sentEnd: 0 } }), "Sent without a time. It is shown at its arrival.");
  assert.equal(timeFault({ details: { sentStart: { $int: "9" }, sentEnd: 0 } }), "Sent without an end.");
  assert.equal(timeFault({ details: { sentStart: 9, sentEnd: 8 } }), "Sent with an end before its start.");
});

test("a release is named by its app, platform, version and build", () => {
  assert.equal(releaseName({ "service.version": "1.2", "astrolabe.app.build_number": "7" }), "1.2 (7)");
  assert.equal(releaseKey({ service: "shop", platform: "", version: "1.2" }), "shop 1.2");
  const rows = [{ service: "a", platform: "iOS" }, { service: "a", platform: "macOS" }, { service: "a", platform: "iOS" }];
  assert.deepEqual(apps(rows).map((each) => each.length), [2, 1]);
});

test("a thread is named by the app's innermost function", () => {
  const frames = [{ image: "libc", sources: [{ function: "poll" }] }, { sources: [{ function: "Cart.pay", own: true }] }];
  assert.deepEqual(threadTitle({ main: true, frames }), ["Main thread", "Cart.pay"]);
  assert.deepEqual(threadTitle({ id: 7, name: "net", frames: frames.slice(0, 1) }), ["Thread 7 · net", "poll"]);
  assert.deepEqual(threadTitle({ id: 7, frames: [] }), ["Thread 7", ""]);
});
