import assert from "node:assert/strict";
import test from "node:test";

import { Wireframe } from "../../Console/Sources/TelemetryConsole/Assets/lib/wireframe.js";

test("a frame changes the nodes that it has, and a key frame replaces all", () => {
  const wireframe = new Wireframe();
  wireframe.apply({ key: true, root: 1, screen: "A", nodes: [{ id: 1, children: [2, 3] }, { id: 2 }, { id: 3, name: "buy" }] });
  wireframe.apply({ nodes: [{ id: 1, children: [3] }], removed: [2], cut: true });
  assert.deepEqual([...wireframe.tree()], [[1, [3]], [3, []]]);
  assert.deepEqual([wireframe.screen, wireframe.isCut, wireframe.named("buy")], ["A", true, [3]]);
  wireframe.apply({ key: true, root: 7, nodes: [{ id: 7 }] });
  assert.deepEqual([[...wireframe.nodes.keys()], wireframe.screen, wireframe.isCut], [[7], "", false]);
});

test("nodes in a circle, twice or unknown are placed once or not at all", () => {
  const wireframe = new Wireframe();
  wireframe.apply({ root: 1, nodes: [{ id: 1, children: [2, 2, 9] }, { id: 2, children: [1, 3] }, { id: 3, children: [3] }] });
  assert.deepEqual([...wireframe.tree()], [[1, [2]], [2, [3]], [3, []]]);
  assert.equal(new Wireframe().tree().size, 0);
});
