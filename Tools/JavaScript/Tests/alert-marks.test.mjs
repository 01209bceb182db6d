import assert from "node:assert/strict";
import test from "node:test";

import { alertMarksOf } from "../../Console/Sources/TelemetryConsole/Assets/lib/alert-marks.js";

const hour = 3_600e6;
const alert = {
  name: "Slow", query: "p95(duration) by http.route where kind = server order p95(duration) desc last 10m every total",
  history: [
    { state: "recovered", group: "/pay", value: 100e6, timeUs: 9 * hour }, { state: "fired", group: "/pay", value: 900e6, timeUs: 8 * hour, happenedUs: 2 * hour },
    { state: "unknown", timeUs: 3 * hour }, { state: "fired", group: "/cart", value: 700e6, timeUs: 0.5 * hour }],
};
const answer = { query: "count, p95(duration) by http.route where kind = server last 24h every 10m", fromUs: hour, toUs: 24 * hour };
const column = { name: "p95(duration)", unit: "ns" };

test("a chart of an alert's query has its firings, at the times at which they happened, and its recoveries", () => {
  assert.deepEqual(alertMarksOf([alert], answer, column), [
    { timeUs: 9 * hour, isEnd: true, words: "Slow recovered · /pay · 100 ms" },
    { timeUs: 2 * hour, isEnd: false, words: "Slow fired · /pay · 900 ms" }]);
});

test("a chart of another calculation or of other records has none of them", () => {
  assert.deepEqual(alertMarksOf([alert], answer, { name: "count" }), []);
  assert.deepEqual(alertMarksOf([alert], { ...answer, query: "p95(duration) by http.route last 24h" }, column), []);
});
