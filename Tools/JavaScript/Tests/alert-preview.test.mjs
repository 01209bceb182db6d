import assert from "node:assert/strict";
import test from "node:test";

import { previewQuery, timesFired } from "../../Console/Sources/TelemetryConsole/Assets/lib/alert-preview.js";

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
