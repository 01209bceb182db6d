import assert from "node:assert/strict";
import test from "node:test";

import { countsByChance, largerThanChance, recordsOfEach, sharesByChance, weightedByChance } from "../../Console/Sources/TelemetryConsole/Assets/lib/significance.js";

/** Asserts that two numbers are equal in their first six digits. */
function near(found, expected) {
  assert.ok(Math.abs(found - expected) <= Math.abs(expected) * 1e-6, `${found} is not ${expected}`);
}

test("few records are compared by Fisher's exact test, as scipy.stats.fisher_exact has it", () => {
  near(sharesByChance(1, 9, 11, 15), 0.00942253331538565);
  near(sharesByChance(3, 4, 1, 4), 0.4857142857142857);
  near(sharesByChance(1, 10, 5, 10), 0.14086687306501547);
  near(sharesByChance(2, 1000, 3, 9), 4.877017869750256e-06);
  near(sharesByChance(5, 5, 0, 300), 4.69885188961516e-11);
});

test("many records are compared by the z test, as scipy.stats.chi2_contingency without correction has it", () => {
  near(sharesByChance(4, 40, 20, 40), 9.477225139792302e-05);
  near(sharesByChance(50, 1000, 80, 1000), 0.006506597483637838);
  near(sharesByChance(600, 20_000, 700, 20_000), 0.0048068631183016955);
});

test("re-weighted records are compared by their effective sizes, as scipy has it for tables of these sizes", () => {
  // 40 records of weight 1 and 10 of weight 10 tell as much as 140² / 1040 = 18.8 that count the same.
  const [one, other] = [{ part: 70, whole: 140, size: 140 ** 2 / 1_040 }, { part: 150, whole: 500, size: 500 ** 2 / 2_300 }];
  near(weightedByChance(one, other), 0.14309886237574787);
  // 200 records of each side that stand for 10 each: chi2_contingency([[60, 140], [50, 150]]). The weights alone say 0.0004.
  const stand = (part) => ({ part, whole: 2_000, size: 200 });
  near(weightedByChance(stand(600), stand(500)), 0.2628053835101007);
  near(sharesByChance(600, 2_000, 500, 2_000), 0.0003985060865380276);
  assert.equal(weightedByChance({ part: 0, whole: 0, size: 0 }, other), 1);
});

test("both sides of a comparison are scaled to the records that arrived", () => {
  assert.equal(recordsOfEach(200, 2_000), 0.1);
  assert.equal(recordsOfEach(200, 200), 1);
  // One that was promoted counts as 0.
  assert.equal(recordsOfEach(200, 150), 1);
  assert.equal(recordsOfEach(undefined, 150), 1);
});

test("counts are compared by their exposure, as scipy.stats.binomtest has it", () => {
  near(countsByChance(1, 1, 8, 1), 0.0390625);
  near(countsByChance(0, 1, 6, 2), 0.18792866941015088);
  near(countsByChance(7, 1, 1, 3), 0.0003814697265625);
  near(countsByChance(60, 1, 40, 1), 0.04550026389635844);
});

test("A and B can be swapped", () => {
  for (const [k1, n1, k2, n2] of [[1, 9, 11, 15], [50, 1000, 80, 1000], [0, 3, 300, 20_000]]) near(sharesByChance(k1, n1, k2, n2), sharesByChance(k2, n2, k1, n1));
  near(countsByChance(7, 1, 1, 3), countsByChance(1, 3, 7, 1));
});

test("no records, equal shares, and shares of 0 or 1 differ by chance", () => {
  for (const [k1, n1, k2, n2] of [[0, 0, 5, 9], [0, 0, 0, 0], [3, 10, 3, 10], [0, 10, 0, 900], [10, 10, 900, 900]]) assert.equal(sharesByChance(k1, n1, k2, n2), 1);
  assert.equal(countsByChance(0, 1, 0, 1), 1);
  assert.equal(countsByChance(4, 0, 9, 1), 1);
});

test("a billion records are compared", () => {
  assert.ok(sharesByChance(2e8, 1e9, 3e8, 1e9) < 1e-12);
  assert.ok(sharesByChance(1e9, 1e9, 0, 4) < 1e-12);
  assert.ok(sharesByChance(3, 10, 3e8, 1e9) > 0.5);
});

test("of several differences, 5 % of those called real may be chance, as scipy.stats.false_discovery_control has it", () => {
  assert.deepEqual(largerThanChance([0.039, 0.001, undefined, 0.008, 0.041, 0.042, 0.06, 0.074, 0.205]), [false, true, false, true, false, false, false, false, false]);
  // The third is below its limit, so the second is taken with it.
  assert.deepEqual(largerThanChance([0.01, 0.04, 0.05]), [true, true, true]);
  assert.deepEqual(largerThanChance([0.04]), [true]);
  assert.deepEqual(largerThanChance([0.06, undefined]), [false, false]);
  assert.deepEqual(largerThanChance([]), []);
});
