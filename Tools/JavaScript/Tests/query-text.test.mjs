import assert from "node:assert/strict";
import test from "node:test";

import { both, clauseAt, equals, fieldsOf, isUnfinished, items, join, literal, name, split } from "../../Console/Sources/TelemetryConsole/Assets/lib/query-text.js";

test("a query is split at its clauses and joined again", () => {
  const text = "count, p99(duration) of spans by service.name where name = \"by\" and (status = error or x in (1, 2)) last 24h raw";
  const parts = split(text);
  assert.equal(parts.calculate, "count, p99(duration)");
  assert.equal(parts.where, "name = \"by\" and (status = error or x in (1, 2))");
  assert.deepEqual([parts.of, parts.by, parts.last, parts.raw, parts.having], ["spans", "service.name", "24h", "raw", ""]);
  assert.equal(join(parts), text);
  assert.equal(join(split("")), "count");
});

test("a clause of one word keeps its place before the time", () => {
  const parts = split("count of events last 1h arriving");
  assert.deepEqual([parts.arriving, parts.last], ["arriving", "1h"]);
  assert.equal(join(parts), "count of events arriving last 1h");
});

test("the word of a clause is none in parentheses, in quotes, and behind an operator", () => {
  assert.equal(split("ratio(where status = error) by name").calculate, "ratio(where status = error)");
  assert.equal(split("count where kind = of and name = 'last'").where, "kind = of and name = 'last'");
  assert.equal(split("count where `by` = 1").by, "");
});

test("a list is divided at the commas of its level, and a condition at its ands", () => {
  assert.deepEqual(items("sum(a, b), `x, y`, c", ","), ["sum(a, b)", "`x, y`", "c"]);
  assert.deepEqual(items("a = 1 and (b = 2 and c = 3) and d exists", "and"), ["a = 1", "(b = 2 and c = 3)", "d exists"]);
  assert.deepEqual(items("a = 1 or b = 2 and c = 3", "and"), ["a = 1 or b = 2 and c = 3"]);
});

test("a part without its operand or its end is unfinished", () => {
  for (const text of ["p99", "sum(", "\"a"]) assert.equal(isUnfinished("calculate", text), true, text);
  for (const text of ["count", "p99(duration)", "\"a\""]) assert.equal(isUnfinished("calculate", text), false, text);
  assert.equal(isUnfinished("where", "name = 'a\\'"), true);
});

test("a name that is a word of the language or has other characters is in backticks", () => {
  assert.deepEqual(["http.route", "a-b", "where", "a b", "a`b\\", "a-"].map(name), ["http.route", "a-b", "`where`", "`a b`", "`a\\`b\\\\`", "`a-`"]);
});

test("the fields of a condition are found without those in quotes", () => {
  assert.deepEqual([...fieldsOf("resource.service.name = \"x.y\" and `a b` exists and not z in (1)")], ["service.name", "a b", "z"]);
});

test("a value is written so that it is read back", () => {
  assert.deepEqual(["a\"b\\\n", 1.5, true, { $int: "9007199254740993" }].map(literal), ['"a\\"b\\\\\\n"', "1.5", "true", "9007199254740993"]);
  assert.equal(equals("a", null), "a not exists");
  assert.equal(equals("a", undefined, { isNot: true }), "a exists");
  assert.equal(equals("a", "b", { isNot: true }), 'a != "b"');
});

test("a condition is added once, and one with or keeps its meaning", () => {
  assert.equal(both("", "a = 1"), "a = 1");
  assert.equal(both("a = 1 and b = 2", "a = 1"), "a = 1 and b = 2");
  assert.equal(both("a = 1 or b = 2", "c = 3"), "(a = 1 or b = 2) and c = 3");
});

test("a column of a query belongs to a clause", () => {
  const text = "count of spans where name = last24 last 24h";
  const clauseOf = (part) => clauseAt(text, text.indexOf(part) + 1);
  assert.deepEqual([clauseAt(text, 1), clauseOf("spans"), clauseOf("name"), clauseOf("last24"), clauseOf("last 24h"), clauseAt(text, 99)],
    ["calculate", "of", "where", "where", "last", "last"]);
});
