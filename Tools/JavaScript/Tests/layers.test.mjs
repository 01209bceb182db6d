import assert from "node:assert/strict";
import test from "node:test";

import { layers } from "../../Console/Sources/TelemetryConsole/Assets/lib/layers.js";

function depths(kinds, calls) {
  const nodes = Object.entries(kinds).map(([name, kind]) => ({ name, kind }));
  const found = layers(nodes, calls.map(([from, to]) => ({ from, to, toKind: kinds[to] ?? "host" })));
  return Object.fromEntries(nodes.map((node) => [node.name, found.get(node)]));
}

test("a node stands behind its farthest caller", () => {
  const kinds = { app: "device", shop: "service", cart: "service", db: "database" };
  assert.deepEqual(depths(kinds, [["app", "shop"], ["app", "cart"], ["shop", "cart"], ["cart", "db"]]), { app: 0, shop: 1, cart: 2, db: 3 });
});

test("calls in a circle end, and a call to a node that is not there is left out", () => {
  assert.deepEqual(depths({ a: "service", b: "service" }, [["a", "b"], ["b", "a"], ["a", "gone"]]), { a: 0, b: 1 });
});
