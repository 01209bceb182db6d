import assert from "node:assert/strict";
import test from "node:test";

import { previewQuery, thresholdOf, timesFired } from "../../Console/Sources/TelemetryConsole/Assets/lib/alert-preview.js";

const series = (...values) => ({ series: values.map((value) => [value]) });

test("an alert would have fired each time that a group began to cross the threshold", () => {
  const answer = { rows: [series(0, 3, 4, 0, 2), series(1, 1, 5, null, 5), { other: true, ...series(9, 0, 9) }] };
  assert.equal(timesFired(answer, "above", 1), 4);
  assert.equal(timesFired(answer, "above", 9), 0);
  assert.equal(timesFired(answer, "below", 1), 2);
});

test("a preview has one value for each window of a week", () => {
  assert.equal(previewQuery("count of events by name", "1h"), "count of events by name last 7d every 1h");
});

test("a threshold is read in the unit of its value", () => {
  const read = (written, column) => { const found = thresholdOf(written, column); return found && [found.value, found.text]; };
  const duration = { name: "p95(duration)", unit: "ns" };
  assert.deepEqual(read("500 ms", duration), [500e6, "500ms"]);
  assert.deepEqual(read("1.5s", duration), [1.5e9, "1.5s"]);
  assert.deepEqual(read("2 min", duration), [120e9, "2m"]);
  assert.deepEqual(read("2 %", { name: "ratio(where a = 1)", unit: "1" }), [0.02, "2%"]);
  assert.deepEqual(read("0.02", { name: "ratio(where a = 1)", unit: "1" }), [0.02, "0.02"]);
  assert.deepEqual(read("250 ms", { name: "max(astrolabe.hang.duration)", unit: "s" }), [0.25, "0.25"]);
  assert.deepEqual(read("-3", { name: "count", unit: "1" }), [-3, "-3"]);
  for (const [written, column] of [["2 %", duration], ["5 ms", { name: "count", unit: "1" }], ["much", duration], ["", duration], ["5 parsecs", duration]]) {
    assert.equal(read(written, column), undefined, written);
  }
});
