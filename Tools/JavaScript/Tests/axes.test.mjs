import assert from "node:assert/strict";
import test from "node:test";

import { powerTicks, tickRoom, timeTicks, valueTicks } from "../../Console/Sources/TelemetryConsole/Assets/lib/axes.js";

const texts = ({ ticks }) => ticks.map(({ text }) => text);

test("the ticks of an axis are round in the unit that they show", () => {
  assert.deepEqual(texts(valueTicks(0, 95, { name: "p99(duration)", unit: "s" }, 4)), ["0", "30 s", "1 min", "1 min 30 s", "2 min"]);
  assert.deepEqual(texts(valueTicks(0, 7.3, { name: "avg(x)" }, 4)), ["0", "2", "4", "6", "8"]);
});

test("long texts of ticks get more room", () => {
  assert.equal(tickRoom([{ text: "0" }, { text: "500 ms" }], 62), 62);
  assert.ok(tickRoom([{ text: "0" }, { text: "1 min 30 s" }], 62) >= 70);
});

test("an axis ends at or above its highest value, also at a power of ten", () => {
  for (const high of [1e-6, 0.3, 1, 9.99, 10, 999.9999999999999, 1000, 123_456]) {
    const axis = valueTicks(0, high, { name: "avg(x)" }, 4);
    assert.ok(axis.high >= high, `${axis.high} of ${high}`);
    assert.ok(axis.ticks.length <= 7, `${axis.ticks.length} ticks of ${high}`);
  }
});

test("counts have no ticks between whole numbers, and equal bounds still make an axis", () => {
  assert.deepEqual(texts(valueTicks(0, 3, { name: "count", unit: "1" }, 8)), ["0", "1", "2", "3"]);
  assert.deepEqual(valueTicks(5, 5, { name: "avg(x)" }, 4).high > 5, true);
});

test("powers of ten are thinned out to the room that there is", () => {
  assert.deepEqual(powerTicks(1, 1e4, { name: "x" }, 10).map(({ value }) => value), [1, 10, 100, 1000, 10_000]);
  assert.deepEqual(powerTicks(1, 1e4, { name: "x" }, 2).map(({ value }) => value), [1, 1000]);
});

test("ticks of time stand at round local times, and midnight shows the day", () => {
  const midnight = new Date(2026, 10, 27).getTime() * 1e3;
  const ticks = timeTicks(midnight - 3600e6, midnight + 3600e6, 4);
  assert.equal(ticks.length, 3 + 2);
  assert.deepEqual(ticks.map(({ timeUs }) => (timeUs - midnight) / 1800e6), [-2, -1, 0, 1, 2]);
  assert.match(ticks[2].text, /27/);
  assert.match(ticks[3].text, /^00.30$/);
});
