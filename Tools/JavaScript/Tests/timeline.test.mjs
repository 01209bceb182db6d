import assert from "node:assert/strict";
import test from "node:test";

import { countUpTo } from "../../Console/Sources/TelemetryConsole/Assets/lib/sorted.js";
import { inRows, marksOf, momentsOf, screensOf } from "../../Console/Sources/TelemetryConsole/Assets/lib/timeline-items.js";
import { conditionBands, relateConditions } from "../../Console/Sources/TelemetryConsole/Assets/parts/conditions.js";
import { lastUpTo } from "../../Console/Sources/TelemetryConsole/Assets/parts/records.js";

const onDevice = (timeUs, name, attributes = {}, more = {}) => ({ timeUs, name, attributes, kind: "event", side: "device", seq: timeUs, ...more });

test("a search finds the place behind equal values", () => {
  assert.deepEqual([0, 1, 2, 5, 9].map((value) => countUpTo([1, 2, 2, 5], value, Number)), [0, 1, 3, 4, 4]);
});

test("the moments of a session are its taps, screens, hangs, crashes and errors", () => {
  const moments = momentsOf([
    onDevice(10, "app.widget.click", { "app.widget.id": "buy", "app.screen.name": "Cart" }),
    onDevice(20, "app.screen.click", { "app.screen.coordinate.x": 1 }),
    onDevice(30, "astrolabe.hang", { "app.screen.name": "Cart" }, { durationNs: 5e3 }),
    onDevice(40, "app.crash", { "exception.type": "Trap" }, { kind: "crash" }),
    onDevice(50, "GET /", {}, { error: true, side: "backend" }),
  ]);
  assert.deepEqual(moments.taps, [{ at: 10, widget: "buy", title: "tap on buy" }, { at: 20, point: undefined, title: "tap" }]);
  assert.deepEqual(moments.screens, [{ at: 10, title: "screen Cart" }]);
  assert.deepEqual(moments.hangs[0].to, 35);
  assert.equal(moments.crashes[0].message, "Trap");
  assert.deepEqual([moments.before(9), moments.before(10), moments.after(40), moments.after(50)], [undefined, 10, 50, undefined]);
});

test("marks that are closer than a pixel are one, and a crash is drawn over a tap", () => {
  const list = Array.from({ length: 401 }, (_, at) => ({ at, title: "tap" }));
  const marks = marksOf({ taps: list, screens: [], errors: [], hangs: [], crashes: [{ at: 3, title: "crash" }] }, { start: 0, end: 400 });
  assert.equal(marks.length, 201 + 1);
  assert.equal(marks.at(-1).kind, "crash");
  assert.equal(marks.at(-1).title, "+0.000 s crash");
});

test("records that overlap are in rows of their own while there is one", () => {
  const items = [[0, 10], [5, 10], [6, 1], [16, 1]].map(([timeUs, length]) => ({ timeUs, durationNs: length * 1e3 }));
  assert.deepEqual(inRows(items, 2).map(([, row]) => row), [0, 1, 1, 0]);
});

test("a screen lasts until the next one, and the backend shows none", () => {
  const items = [onDevice(1, "a", { "app.screen.name": "A" }), onDevice(2, "b", { "app.screen.name": "B" }, { side: "backend" }), onDevice(3, "c", { "app.screen.name": "A" }), onDevice(4, "d", { "app.screen.name": "B" })];
  assert.deepEqual(screensOf(items), [{ text: "A", from: 1 }, { text: "B", from: 4 }]);
});

test("the networks before and after a change are parts of one band", () => {
  const items = [
    onDevice(10, "a", { "network.connection.type": "wifi" }, { service: "app" }),
    onDevice(20, "network.change", { "network.connection.type": "unavailable" }, { service: "app" }),
    onDevice(50, "network.change", { "network.connection.type": "cell", "network.connection.subtype": "nr" }, { service: "app" }),
  ];
  relateConditions(items);
  assert.deepEqual([items[1].networkBefore, items[2].networkBefore, items[2].networkLastedUs], ["Wi-Fi", "no network", 30]);
  assert.deepEqual(conditionBands(items, 0), [{ title: "Network", parts: [
    { text: "Wi-Fi", from: 0, isStrained: false }, { text: "no network", from: 20, isStrained: true }, { text: "cellular (5G)", from: 50, isStrained: false },
  ] }]);
});

test("the record of a moment is the last up to it, or the crash of the same time", () => {
  const items = [{ timeUs: 1 }, { timeUs: 2, kind: "crash" }, { timeUs: 2 }, { timeUs: 3 }];
  assert.deepEqual([0, 1, 2, 9].map((moment) => lastUpTo(items, moment)), [-1, 0, 1, 3]);
});
