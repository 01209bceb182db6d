import assert from "node:assert/strict";
import test from "node:test";

import "./document.mjs";

const { OutputPanel } = await import("../../Simulator/Sources/DeviceSimulator/Assets/panels/output.js");

const made = () => new OutputPanel(document.createElement("section"));

test("the panel has the last lines of the app, and a launch empties it", () => {
  const panel = made();
  assert.deepEqual([panel.text.hidden, panel.none.hidden], [true, false]);
  panel.show(["one"]);
  panel.add(["<b>two</b>", "three"]);
  assert.equal(panel.text.textContent, "one\n<b>two</b>\nthree");
  assert.deepEqual([panel.text.hidden, panel.none.hidden], [false, true]);
  panel.show([]);
  assert.deepEqual([panel.text.textContent, panel.text.hidden], ["", true]);
});

test("the panel keeps 200 lines", () => {
  const panel = made();
  panel.add(Array.from({ length: 450 }, (_, index) => `line ${index}`));
  assert.equal(panel.lines.length, 200);
  assert.equal(panel.lines[0], "line 250");
});
