import assert from "node:assert/strict";
import test from "node:test";

import {
  ago, attribute, bytes, compact, count, date, decimalPercent, duration, measure, nanoseconds, offset, percent, plural, quantity, time,
} from "../../ServerSupport/Sources/ServerSupport/Assets/shared/format.js";

/** Compares the texts of many values at once. */
function texts(format, expected) {
  assert.deepEqual(expected.map(([value]) => format(value)), expected.map(([, text]) => text));
}

test("a duration has one unit below a minute, and two above", () => {
  texts(duration, [
    [0, "0"], [12.4, "12 ns"], [999, "999 ns"], [1e3, "1 µs"], [1234, "1.23 µs"], [45_678, "45.7 µs"], [999e6, "999 ms"],
    [1e9, "1 s"], [59.94e9, "59.9 s"], [60e9, "1 min"], [95e9, "1 min 35 s"], [3600e9, "1 h"], [3661e9, "1 h 1 min"],
    [36.5 * 3600e9, "36 h 30 min"], [-1500, "-1.5 µs"],
  ]);
});

test("numbers of every kind have the digits, groups and decimals of one locale", () => {
  assert.equal(count(1_234_567), "1,234,567");
  assert.equal(count(9007199254740993n), "9,007,199,254,740,993");
  texts(measure, [[undefined, "–"], [12, "12"], [1234.56, "1,235"], [420.8123, "420.8"], [0.000123456, "0.0001235"], [-0.5, "-0.5"]]);
  texts(compact, [[9999, "9,999"], [12_345, "12k"], [3_400_000, "3.4M"]]);
  texts(bytes, [[0, "0 B"], [1023, "1023 B"], [1536, "1.5 KiB"], [200 * 1024, "200 KiB"], [5 * 1024 ** 4, "5120 GiB"]]);
});

test("a share keeps the digits that tell small ones apart, and never shows a negative zero", () => {
  texts(percent, [[undefined, "–"], [null, "–"], [0, "0 %"], [-0, "0 %"], [0.62, "62 %"], [0.4567, "45.7 %"], [0.01234, "1.2 %"], [1, "100 %"]]);
  assert.equal(percent(0.1234, 2), "12 %");
  assert.deepEqual([decimalPercent(0.99984, 2), decimalPercent(0.5, 2), decimalPercent(-0.00001, 1)], ["99.98 %", "50 %", "0 %"]);
});

test("a value of a query has the unit of its column", () => {
  assert.equal(quantity(1.5, { unit: "ms" }), "1.5 ms");
  assert.equal(quantity(2, { unit: "h" }), "2 h");
  assert.equal(quantity(2048, { unit: "By" }), "2.0 KiB");
  assert.equal(quantity(2048, { unit: "By/s" }), "2.0 KiB/s");
  assert.equal(quantity(0.25, { unit: "1", name: "ratio(where status = error)" }), "25 %");
  assert.equal(quantity(19_369_000, {}), "19.37M");
  assert.equal(quantity({ $int: "9007199254740993" }), "9007199254740993");
  assert.equal(quantity(null), "–");
  assert.equal(quantity("Io"), "Io");
});

test("the units of time are those of UCUM", () => {
  assert.equal(nanoseconds.us, 1e3);
  assert.equal(nanoseconds.d, 24 * nanoseconds.h);
});

test("a time that has passed is named in its largest unit", () => {
  const now = Date.UTC(2026, 10, 27, 12);
  const passed = (seconds) => ago((now - seconds * 1e3) * 1e3, now);
  texts(passed, [[-120, "in the future"], [-3, "now"], [4, "now"], [59, "59 s ago"], [150, "2 min ago"], [7300, "2 h ago"], [200_000, "2 d ago"]]);
});

test("an offset has a sign and milliseconds", () => {
  texts(offset, [[0, "+0.000 s"], [-1_500_000, "−1.500 s"], [61_002_000, "+1:01.002"]]);
});

test("a day of today is said so, and a time has 24 hours", () => {
  assert.equal(date(Date.now() * 1e3), "today");
  assert.match(time(new Date(2026, 10, 27, 0, 5, 9).getTime() * 1e3), /^00.05.09$/);
});

test("an attribute keeps its type, and a structure is readable", () => {
  assert.deepEqual(attribute(null), { text: "(empty)", kind: "empty" });
  assert.deepEqual(attribute(true), { text: "true", kind: "truth" });
  assert.deepEqual(attribute({ $bytes: "3q0=" }), { text: "3q0=", kind: "bytes" });
  assert.equal(attribute({ $$int: { $int: "1" }, list: [{ $double: "NaN" }] }).text, JSON.stringify({ $int: "1", list: ["NaN"] }, null, 2));
});

test("a count is followed by the word for it", () => {
  assert.deepEqual([plural(1, "span"), plural(0, "span"), plural(2, "crash", "crashes")], ["1 span", "0 spans", "2 crashes"]);
});
