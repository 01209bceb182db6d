import assert from "node:assert/strict";
import test from "node:test";

import { OpenStack } from "../../Console/Sources/TelemetryConsole/Assets/lib/open-stack.js";

/** An element that contains the nodes with these names, and itself. */
const element = (...names) => ({ contains: (node) => names.includes(node) });

/** A stack with a log of what closes and what is asked. */
function stack(answer = true) {
  const log = [];
  const open = new OpenStack(async (question) => { log.push(`? ${question}`); return answer; });
  const add = (name, more = {}) => open.add({ close: () => log.push(name), ...more });
  return { log, open, add };
}

/** Lets what waits for an answer go on. */
const settled = () => new Promise((resolve) => { setImmediate(resolve); });

test("Escape closes the innermost thing and nothing else", async () => {
  const { log, open, add } = stack();
  for (const name of ["edit mode", "dialog", "completion"]) add(name);
  for (const left of [["completion"], ["completion", "dialog"], ["completion", "dialog", "edit mode"]]) {
    assert.equal(open.closeInnermost(), true);
    await settled();
    assert.deepEqual(log, left);
  }
  assert.equal(open.closeInnermost(), false, "nothing is open, so the key is the page's");
});

test("what closes by itself, or is gone from the page, is not closed again", () => {
  const { log, open, add } = stack();
  const forget = add("menu");
  let isOpen = true;
  add("row's menu", { isOpen: () => isOpen, holdsKeys: true });
  assert.equal(open.holdsKeys, true);
  isOpen = false;
  assert.equal(open.holdsKeys, false);
  forget();
  assert.equal(open.closeInnermost(), false);
  assert.deepEqual(log, []);
});

test("unsaved work is asked for before Escape drops it, and stays if the answer is no", async () => {
  for (const isDropped of [false, true]) {
    const { log, open, add } = stack(isDropped);
    add("dialog", { unsaved: () => "Discard it?" });
    assert.equal(open.closeInnermost(), true);
    await settled();
    assert.deepEqual(log, isDropped ? ["? Discard it?", "dialog"] : ["? Discard it?"]);
    assert.equal(open.question, isDropped ? "" : "Discard it?");
  }
});

test("a page is left after one question for all unsaved work, and at once without any", async () => {
  const kept = stack(false);
  kept.add("edit mode", { unsaved: () => "Discard the changes?" });
  kept.add("menu", { unsaved: () => "" });
  assert.equal(await kept.open.leave(), false);
  assert.deepEqual(kept.log, ["? Discard the changes?"]);

  const left = stack(true);
  left.add("sign-in", { isKept: true });
  left.add("edit mode", { unsaved: () => "Discard the changes?" });
  left.add("dialog", { unsaved: () => "Discard the text?" });
  assert.equal(await left.open.leave(), true);
  assert.deepEqual(left.log, ["? Discard the text?", "dialog", "edit mode"]);
  assert.equal(left.open.closeInnermost(), true, "the sign-in stays, and Escape goes no further");
  assert.deepEqual(left.log.slice(3), []);

  const clean = stack();
  clean.add("edit mode", { unsaved: () => "" });
  assert.equal(await clean.open.leave(), true);
  assert.deepEqual(clean.log, ["edit mode"]);
});

test("a press outside closes menus down to what it is inside of, and no edit mode or dialog", () => {
  const { log, open, add } = stack();
  add("edit mode", { unsaved: () => "Discard the changes?" });
  add("drawer", { element: element("drawer", "menu", "button") });
  add("menu", { element: element("menu"), opener: element("button") });
  open.closeOutside("menu");
  open.closeOutside("button");
  assert.deepEqual(log, []);
  open.closeOutside("drawer");
  assert.deepEqual(log, ["menu"]);
  open.closeOutside("page");
  open.closeOutside("page");
  assert.deepEqual(log, ["menu", "drawer"]);
});

test("closing one thing closes what was opened from it", async () => {
  const { log, open, add } = stack();
  const dialog = { close: () => log.push("dialog") };
  open.add(dialog);
  add("completion");
  assert.equal(await open.request(dialog), true);
  assert.deepEqual(log, ["completion", "dialog"]);
});
