import assert from "node:assert/strict";
import test from "node:test";

import { isCharacter, keysOf, problemWith, readSettings, writeSettings } from "../../Console/Sources/TelemetryConsole/Assets/lib/shortcuts.js";

const next = { keys: ["j", "ArrowDown"], label: "Next record" };
const explore = { keys: ["ge"], label: "Explore" };
const back = { keys: ["Escape"], label: "Back" };
const digits = { keys: ["1"] };
const all = [next, explore, back, digits];
const usual = { isOn: true, changed: {} };

/** The storage of a browser. */
function storage(content = {}) {
  return { getItem: (key) => content[key] ?? null, setItem: (key, value) => { content[key] = value; } };
}

test("characters are what speech input types, and the space and named keys are not", () => {
  assert.deepEqual(["j", "?", "1", "ge", " ", "Enter", "ArrowDown"].map(isCharacter), [true, true, true, true, false, false, false]);
});

test("turned off, a shortcut has its named keys alone", () => {
  assert.deepEqual(keysOf(next, usual), ["j", "ArrowDown"]);
  assert.deepEqual(all.map((shortcut) => keysOf(shortcut, { isOn: false, changed: { Explore: "x" } })), [["ArrowDown"], [], ["Escape"], []]);
});

test("a changed key takes the place of the characters, and not of named keys", () => {
  assert.deepEqual(keysOf(next, { isOn: true, changed: { "Next record": "n" } }), ["n", "ArrowDown"]);
  assert.deepEqual(keysOf(digits, { isOn: true, changed: { "": "x" } }), ["x"]);
});

test("a key that another shortcut has, or that begins or follows another, is refused with the reason", () => {
  assert.equal(problemWith("x", next, all, usual), "");
  assert.equal(problemWith("j", next, all, usual), "", "its own");
  assert.match(problemWith("g", next, all, usual), /taken by "Explore"/);
  assert.match(problemWith("gx", next, [...all, { keys: ["g"], label: "Go" }], usual), /taken by "Go"/);
  assert.match(problemWith("1", next, all, usual), /another shortcut/);
  assert.match(problemWith("j", explore, all, { isOn: false, changed: {} }), /Next record/, "also while they are off");
  for (const key of ["", " ", "abc", "a b"]) assert.match(problemWith(key, next, all, usual), /Expected one character/);
});

test("settings are kept in the browser, and anything else there is the default", () => {
  const content = {};
  writeSettings(storage(content), { isOn: false, changed: { Explore: "x" } });
  assert.deepEqual(readSettings(storage(content)), { isOn: false, changed: { Explore: "x" } });
  const stored = (text) => readSettings(storage({ "astrolabe.shortcuts": text }));
  assert.deepEqual(stored(undefined), usual);
  assert.deepEqual(stored("{"), usual);
  assert.deepEqual(stored('{"changed":{"Explore":5,"Back":"Enter"}}'), usual);
  assert.deepEqual(readSettings({ getItem() { throw new Error("forbidden"); } }), usual);
  assert.doesNotThrow(() => writeSettings({ setItem() { throw new Error("full"); } }, usual));
});
