import assert from "node:assert/strict";
import test from "node:test";

import { budgetOf, burnRate, objectiveQueries, shareOf } from "../../Console/Sources/TelemetryConsole/Assets/lib/objective.js";

const near = (one, other) => assert.ok(Math.abs(one - other) < 1e-9, `${one} is not ${other}`);

test("a target is a percentage or a share", () => {
  near(shareOf("99.5%"), 0.995);
  near(shareOf("99.5 %"), 0.995);
  near(shareOf(0.995), 0.995);
});

test("a panel asks for the objective's time with its course, and for burn rates, all with the board's conditions", () => {
  const [whole, hour, ...others] = objectiveQueries({ query: 'ratio(where duration < 500ms) where kind = server', window: "7d" }, [["service.version", "2.1.0"]]);
  assert.equal(whole, 'ratio(where duration < 500ms), count where kind = server and service.version = "2.1.0" last 7d');
  assert.equal(hour, 'ratio(where duration < 500ms) where kind = server and service.version = "2.1.0" last 1h every total');
  assert.equal(others.length, 2);
});

// 1,000 requests with a target of 99 % may have 10 that fail. 4 of 400 fail in the first step, none of 0 in the second, and 2 of 600.
const answer = { stepsUs: [0, 1, 2], rows: [{ key: [], values: [0.994, 1_000], series: [[0.99, 400], [null, 0], [598 / 600, 600]] }] };

test("the budget that is left is that of all records, at each step and at the end", () => {
  const { good, total, left, series } = budgetOf(answer, 0.99);
  assert.deepEqual([good, total], [0.994, 1_000]);
  near(left, 0.4);
  [0.6, 0.6, 0.4].forEach((expected, step) => near(series[step][0], expected));
});

test("a missed target has less than no budget, and without records nothing is known of it", () => {
  near(budgetOf(answer, 0.997).left, -1);
  assert.deepEqual(budgetOf({ stepsUs: [0, 1], rows: [] }, 0.99), { good: null, total: 0, left: null, series: [[null], [null]] });
});

test("a burn rate of 1 uses up the budget in exactly the objective's time", () => {
  near(burnRate({ rows: [{ values: [0.99] }] }, 0.99), 1);
  near(burnRate({ rows: [{ values: [0.856] }] }, 0.99), 14.4);
  assert.equal(burnRate({ rows: [{ values: [null] }] }, 0.99), null);
});
