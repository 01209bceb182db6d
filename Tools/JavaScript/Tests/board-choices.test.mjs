import assert from "node:assert/strict";
import test, { beforeEach, mock } from "node:test";

import { document } from "./document.mjs";

// As much of a page as a message needs.
const body = document.createElement("body");
Object.assign(document, { body, getElementById: () => null, querySelector: () => body.children[0] ?? null });

globalThis.location ??= /** @type {any} */ ({ pathname: "/explore" });

const { boardChoices } = await import("../../Console/Sources/TelemetryConsole/Assets/parts/board-choices.js");

/** What waits for its time. */
let waiting = [];
mock.method(globalThis, "setTimeout", (work) => waiting.push(work));
mock.method(globalThis, "clearTimeout", (number) => { delete waiting[number - 1]; });
beforeEach(() => { body.replaceChildren(); waiting = []; });

const answering = (status, content) => mock.method(globalThis, "fetch", async () => Response.json(content, { status }));

test("the boards without an error are choices, by their title or their name", async () => {
  answering(200, { boards: [{ id: "mine", title: "Mine" }, { id: "broken", error: "Line 3" }, { id: "bare" }] });
  assert.deepEqual(await boardChoices(), [["mine", "Mine"], ["bare", "bare"]]);
  assert.equal(body.textContent, "");
});

test("a list that cannot be loaded is no silence", async () => {
  answering(503, { error: "The console is busy." });
  assert.equal(await boardChoices(), undefined);
  assert.equal(body.textContent, "The boards could not be loaded. The console is busy.");
  mock.method(globalThis, "fetch", async () => { throw new TypeError("Failed to fetch"); });
  assert.equal(await boardChoices(), undefined);
  assert.equal(body.textContent, "The boards could not be loaded. The console is not reachable. It may have been stopped.");
});

test("a list without a usable board says so", async () => {
  answering(200, { boards: [{ id: "broken", error: "Line 3" }] });
  assert.equal(await boardChoices(), undefined);
  assert.match(body.textContent, /^There is no board without an error\./);
});

test("a list that takes long says that it is awaited", async () => {
  let give;
  mock.method(globalThis, "fetch", () => new Promise((resolve) => { give = resolve; }));
  const asked = boardChoices();
  waiting[0]();
  assert.equal(body.textContent, "Loading the boards …");
  give(Response.json({ boards: [{ id: "mine", title: "Mine" }] }));
  assert.deepEqual(await asked, [["mine", "Mine"]]);
});

test("a page that was left meanwhile gets no form, and a second click asks for nothing", async () => {
  let answer = () => {};
  const fetched = mock.method(globalThis, "fetch", () => new Promise((done) => { answer = () => done(Response.json({ boards: [{ id: "mine" }] })); }));
  const first = boardChoices();
  assert.equal(await boardChoices(), undefined);
  assert.equal(fetched.mock.callCount(), 1);
  location.pathname = "/traces";
  answer();
  assert.equal(await first, undefined);
});
