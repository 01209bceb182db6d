import assert from "node:assert/strict";
import test from "node:test";

import { compared } from "../../Console/Sources/TelemetryConsole/Assets/lib/trace-diff.js";

const origins = [{ id: 1, service: "shop" }];
const trace = (...spans) => ({ origins, spans: spans.map(([name, depth, offsetNs, durationNs]) => ({ name, origin: 1, depth, offsetNs, durationNs })) });
const names = (rows) => rows.map(({ a, b, depth, own }) => [a?.span.name, b?.span.name, depth, own]);

test("spans of one name below one parent are pairs in their order, and the rest stands alone", () => {
  const one = trace(["root", 0, 0, 100], ["get", 1, 0, 10], ["get", 1, 20, 10], ["old", 1, 40, 5]);
  const other = trace(["root", 0, 0, 130], ["get", 1, 0, 10], ["new", 1, 15, 5], ["get", 1, 20, 40]);
  assert.deepEqual(names(compared(one, other)), [
    ["root", "root", 0, 0], ["get", "get", 1, 0], [undefined, "new", 1, 5], ["get", "get", 1, 30], ["old", undefined, 1, -5],
  ]);
});

test("a span's own time leaves out its children once, and no more of them than is inside", () => {
  const one = trace(["root", 0, 0, 100]);
  const other = trace(["root", 0, 0, 100], ["late", 1, 60, 60], ["early", 1, 0, 50], ["inner", 1, 20, 50]);
  const [root] = compared(one, other);
  assert.equal(root.own, -100);
});

test("a span is no pair with one of another service", () => {
  const other = { ...trace(["root", 0, 0, 100]), origins: [{ id: 1, service: "cart" }] };
  assert.equal(compared(trace(["root", 0, 0, 100]), other).length, 2);
});
