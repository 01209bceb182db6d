import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";

import { document, selection } from "./document.mjs";

const page = Object.assign(document, { hidden: false, main: document.createElement("main"), open: "", querySelector: (selector) => (selector === page.open ? {} : null), getElementById: () => page.main });
globalThis.dispatchEvent = () => true;

const { every, hasWaiting, LiveWork, onLive, pauseUpdates, reasonToWait, tellChange } = await import("../../Console/Sources/TelemetryConsole/Assets/lib/updates.js");

const settled = () => new Promise((resolve) => { setImmediate(resolve); });

test("changes while work runs lead to one more run, with all that they say", async () => {
  const runs = [];
  let finish;
  const work = new LiveWork((change) => { runs.push(change); return new Promise((done) => { finish = done; }); }, { mustWait: () => false });
  work.want({ cursor: 1, sessions: 1, traces: 1, metrics: true });
  work.want({ cursor: 2, sessions: 1, traces: 2, metrics: true });
  work.want({ cursor: 3, sessions: 1, traces: 0, metrics: false });
  assert.equal(runs.length, 1);
  finish();
  await settled();
  assert.deepEqual(runs[1], { cursor: 3, sessions: 2, traces: 2, metrics: true });
  // What was missed says nothing of its traces.
  work.want({ cursor: 4, metrics: true });
  work.want({ cursor: 5, sessions: 0, traces: 0, metrics: false });
  finish();
  await settled();
  assert.deepEqual(runs[2], { cursor: 5, sessions: undefined, traces: undefined, metrics: true });
  work.want({ cursor: 6 });
  work.end();
  finish();
  await settled();
  assert.equal(runs.length, 3);
});

test("work that fails goes on at the next change", async () => {
  let runs = 0;
  const work = new LiveWork(() => { runs += 1; throw new Error("not reachable"); }, { mustWait: () => false });
  await assert.rejects(work.want({ cursor: 1 }));
  await assert.rejects(work.want({ cursor: 2 }));
  assert.equal(runs, 2);
});

const waits = {
  "updates are paused": [() => pauseUpdates(true), () => pauseUpdates(false)],
  "the window is hidden": [() => { page.hidden = true; }, () => { page.hidden = false; }],
  "a dialog is open": [() => { page.open = "dialog[open]"; }, () => { page.open = ""; }],
  "a menu is open": [() => { page.open = ":popover-open"; }, () => { page.open = ""; }],
  "text is selected": [() => { selection.anchorNode = page.main; }, () => { selection.anchorNode = null; }],
};

for (const [reason, [begin, end]] of Object.entries(waits)) {
  test(`no page changes while ${reason}, and then once for all that came`, async () => {
    const seen = [];
    const stop = onLive((change) => { seen.push(change.cursor); });
    begin();
    for (const cursor of [1, 2, 3]) tellChange({ cursor });
    await settled();
    assert.deepEqual([seen, hasWaiting()], [[], true]);
    assert.equal(reasonToWait() !== undefined, reason !== "the window is hidden");
    end();
    tellChange({ cursor: 4 });
    await settled();
    // The end of a pause is known at once. That of the others is looked for, twice a second.
    const shown = reason === "updates are paused" ? [3, 4] : [4];
    assert.deepEqual([seen, hasWaiting()], [shown, false]);
    stop();
    tellChange({ cursor: 5 });
    assert.deepEqual(seen, shown);
  });
}

test("what is asked for at an interval waits too, and ends with its page", async (context) => {
  context.mock.timers.enable({ apis: ["setInterval"] });
  let runs = 0;
  const stop = every(5_000, () => { runs += 1; });
  context.mock.timers.tick(5_000);
  await settled();
  pauseUpdates(true);
  context.mock.timers.tick(60_000);
  await settled();
  assert.equal(runs, 1);
  pauseUpdates(false);
  await settled();
  assert.equal(runs, 2);
  page.hidden = true;
  context.mock.timers.tick(60_000);
  page.hidden = false;
  stop();
  context.mock.timers.tick(60_000);
  assert.equal(runs, 2);
});

test("no page repeats work or holds a connection by itself", () => {
  const assets = new URL("../../Console/Sources/TelemetryConsole/Assets/", import.meta.url);
  const scripts = ["lib", "parts", "pages"].flatMap((folder) => readdirSync(new URL(folder, assets)).map((name) => `${folder}/${name}`));
  const repeating = scripts.filter((path) => /\b(?:setInterval|EventSource)\(/.test(readFileSync(new URL(path, assets), "utf8")));
  assert.deepEqual(repeating.sort(), ["lib/hub.js", "lib/stream.js", "lib/updates.js"]);
  const live = scripts.filter((path) => path.startsWith("pages/") && /context\.onLive\(|\bevery\(/.test(readFileSync(new URL(path, assets), "utf8")));
  assert.ok(live.length > 12, String(live.length));
});
