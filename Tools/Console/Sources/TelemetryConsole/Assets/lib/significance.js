// @ts-check
// Whether two numbers differ by more than chance. One test for all pages, at 95 %; Docs/Guide/Console.md states it.

import { decimal } from "../shared/format.js";

/** The share of differences called real that are due to chance. */
const falseShare = 0.05;
/** The least expected count for which the normal distribution will do. Below it, the test is exact. */
const leastExpected = 5;
/** Tables that are as likely as what was seen belong to what is at least as extreme, with room for rounding. */
const tie = 1 + 1e-7;

/** What the pages say about their colors. Docs/Guide/Console.md has the tests. */
export const statement = "Colored: larger than chance, at 95 % over all rows.";

/**
 * The probability that two shares differ as much as these by chance, from 0 to 1, two-sided; 1 if one has no records.
 *
 * @param {number} part1 How many of `whole1`. Re-weighted counts are rounded.
 * @param {number} whole1
 * @param {number} part2
 * @param {number} whole2
 */
export function sharesByChance(part1, whole1, part2, whole2) {
  const [k1, n1, k2, n2] = [part1, whole1, part2, whole2].map(Math.round);
  if (!(n1 > 0 && n2 > 0)) return 1;
  const [all, hits] = [n1 + n2, k1 + k2];
  if (hits <= 0 || hits >= all) return 1;
  const least = Math.min(n1, n2) * Math.min(hits, all - hits) / all;
  return least >= leastExpected ? normal(k1, n1, k2, n2) : exact(k1, n1, hits, all);
}

/**
 * One side of a comparison of re-weighted records: `part` of `whole`, which tell as much as `size` records that count the
 * same.
 *
 * @typedef {{ part: number, whole: number, size: number }} Side
 */

/**
 * The same for re-weighted records, by their effective sizes (Kish): ten records that stand for a hundred are ten.
 *
 * @param {Side} one
 * @param {Side} other
 */
export function weightedByChance(one, other) {
  const effective = (/** @type {Side} */ { part, whole, size }) => (whole > 0 ? (part / whole) * size : 0);
  return sharesByChance(effective(one), one.size, effective(other), other.size);
}

/**
 * How many records arrived for each that counts: less than 1 if they are re-weighted, or else 1.
 *
 * @param {number | undefined} records
 * @param {number} counted
 */
export function recordsOfEach(records, counted) {
  return records !== undefined && counted > records ? records / counted : 1;
}

/**
 * The probability that two counts differ as much as these by chance, if each has a share of the exposure, such as a
 * number of sessions: a binomial test of the first among both.
 *
 * @param {number} count1
 * @param {number} exposure1
 * @param {number} count2
 * @param {number} exposure2
 */
export function countsByChance(count1, exposure1, count2, exposure2) {
  const [k, n] = [Math.round(count1), Math.round(count1) + Math.round(count2)];
  if (!(exposure1 > 0 && exposure2 > 0) || n <= 0) return 1;
  const share = exposure1 / (exposure1 + exposure2);
  const least = n * Math.min(share, 1 - share);
  if (least >= leastExpected) return tails((k - n * share) / Math.sqrt(n * share * (1 - share)));
  const odds = share / (1 - share);
  return extreme(k, 0, n, (value) => ((n - value) / (value + 1)) * odds);
}

/**
 * A probability in words.
 *
 * @param {number} probability
 */
export function chanceText(probability) {
  return `By chance with a probability of ${probability < 0.001 ? "less than 0.001" : decimal(probability, 3)}`;
}

/**
 * Which of several probabilities are those of differences larger than chance, by the procedure of Benjamini and Hochberg.
 *
 * @param {(number | undefined)[]} probabilities `undefined` for what is not tested.
 * @returns {boolean[]}
 */
export function largerThanChance(probabilities) {
  /** @type {number[]} */
  const tested = probabilities.flatMap((each) => each ?? []).toSorted((one, other) => one - other);
  const limit = tested.findLast((each, index) => each <= (falseShare * (index + 1)) / tested.length) ?? -1;
  return probabilities.map((each) => each !== undefined && each <= limit);
}

/** The z test of two shares with a common variance. */
function normal(/** @type {number} */ k1, /** @type {number} */ n1, /** @type {number} */ k2, /** @type {number} */ n2) {
  const share = (k1 + k2) / (n1 + n2);
  return tails((k1 / n1 - k2 / n2) / Math.sqrt(share * (1 - share) * (1 / n1 + 1 / n2)));
}

/** Fisher's exact test: the sum of all tables with these sums that are at most as likely as this one. */
function exact(/** @type {number} */ k1, /** @type {number} */ n1, /** @type {number} */ hits, /** @type {number} */ all) {
  const [low, high] = [Math.max(0, hits - (all - n1)), Math.min(n1, hits)];
  return extreme(k1, low, high, (value) => ((hits - value) / (value + 1)) * ((n1 - value) / (all - hits - n1 + value + 1)));
}

/**
 * The share of the values from `low` to `high` that are at most as likely as `seen`. `ratio(value)` is how much likelier
 * the next value is.
 *
 * @param {number} seen
 * @param {number} low
 * @param {number} high
 * @param {(value: number) => number} ratio
 */
function extreme(seen, low, high, ratio) {
  // From the value that was seen, in both directions. What is too unlikely to be a number is 0, and changes no sum.
  let [sum, part, weight] = [1, 1, 1];
  const take = (/** @type {number} */ each) => {
    sum += each;
    if (each <= tie) part += each;
  };
  for (let value = seen; value < high; value += 1) take(weight *= ratio(value));
  weight = 1;
  for (let value = seen; value > low; value -= 1) take(weight /= ratio(value - 1));
  // A sum beyond all numbers is that of a value which is all but impossible.
  return Number.isFinite(sum) ? Math.min(1, part / sum) : 0;
}

/** The share of the normal distribution that is at least as far from 0 as `z`, to 1 in 10 million of it. */
function tails(/** @type {number} */ z) {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.5 * x);
  // Numerical Recipes, "erfc" by Chebyshev fitting.
  const factors = [-1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223, 0.17087277];
  return Math.min(1, t * Math.exp(-x * x + factors.reduceRight((sum, factor) => sum * t + factor, 0)));
}
