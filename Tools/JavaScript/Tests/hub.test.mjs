import assert from "node:assert/strict";
import test from "node:test";

import { Hub, silenceMilliseconds } from "../../Console/Sources/TelemetryConsole/Assets/lib/hub.js";
import { HubClient } from "../../Console/Sources/TelemetryConsole/Assets/lib/stream.js";

const settled = () => new Promise((resolve) => { setImmediate(resolve); });

/** A console with a clock of its own, and the windows of a browser at one hub. */
class Browser {
  time = 0;
  streams = [];
  asked = [];
  answer = () => new Response("{}");
  isUp = true;
  ticks = new Set();

  constructor() {
    this.hub = this.newHub();
  }

  newHub() {
    return new Hub({
      now: () => this.time,
      request: (url, options) => this.respond(url, options),
      every: (work) => { this.ticks.add(work); return () => this.ticks.delete(work); },
    });
  }

  async respond(url, { signal }) {
    if (!this.isUp) throw new TypeError("failed to fetch");
    if (url !== "/api/v1/live") { this.asked.push(url); return this.answer(url); }
    const stream = { isOpen: !this.liveStatus };
    const body = new ReadableStream({ start: (controller) => { stream.controller = controller; } });
    signal.addEventListener("abort", () => { stream.isOpen = false; });
    this.streams.push(stream);
    return this.liveStatus ? new Response("", { status: this.liveStatus }) : new Response(body);
  }

  get open() {
    return this.streams.filter((stream) => stream.isOpen);
  }

  async send(text) {
    for (const { controller } of this.open) controller.enqueue(new TextEncoder().encode(text));
    await settled();
  }

  hello = (cursor) => this.send(`retry: 1000\nevent: hello\ndata: {"cursor":${cursor}}\n\n`);
  change = (cursor) => this.send(`event: change\nid: ${cursor}\ndata: {"cursor":${cursor},"sessions":1,"traces":1,"metrics":false}\n\n`);

  /** Opens a window, whose port is to the hub of now. */
  window() {
    const window = { states: [], changes: [], isCut: false };
    const connect = () => {
      const here = { onmessage: null, postMessage: (data) => { if (!window.isCut) there.onmessage?.({ data }); } };
      const there = { onmessage: null, postMessage: (data) => { if (!window.isCut) here.onmessage?.({ data }); } };
      this.hub.connect(there);
      return here;
    };
    window.client = new HubClient({ connect, now: () => this.time });
    window.client.onState = (state) => window.states.push(state);
    window.client.onChange = (change) => window.changes.push(change.cursor);
    window.client.beat(true);
    return window;
  }

  async pass(seconds, windows) {
    for (let second = 0; second < seconds; second += 1) {
      this.time += 1_000;
      for (const tick of [...this.ticks]) tick();
      for (const window of windows) window.client.beat(!window.isHidden);
      await settled();
    }
  }
}

test("sixty-four windows share one connection, and each gets each change", async () => {
  const browser = new Browser();
  const windows = Array.from({ length: 64 }, () => browser.window());
  await settled();
  await browser.hello(7);
  await browser.change(8);
  assert.equal(browser.streams.length, 1);
  assert.ok(windows.every((window) => window.states.at(-1) === "open" && window.changes.join() === "8"));
});

test("hidden windows hold no connection and no clock, and receive afterwards what they missed", async () => {
  const browser = new Browser();
  const windows = [browser.window(), browser.window()];
  await settled();
  await browser.hello(1);
  for (const window of windows) { window.isHidden = true; window.client.beat(false); }
  assert.deepEqual([browser.open.length, browser.ticks.size], [0, 0]);
  windows[1].isHidden = false;
  windows[1].client.beat(true);
  await settled();
  assert.deepEqual([browser.open.length, windows[1].states.at(-1)], [1, "wait"]);
  await browser.hello(5);
  assert.deepEqual([windows[1].changes, windows[0].changes, windows[1].states.at(-1)], [[5], [], "open"]);
});

test("the end of the first window leaves the others as they are", async () => {
  const browser = new Browser();
  const [first, second] = [browser.window(), browser.window()];
  await settled();
  await browser.hello(1);
  first.client.beat(false);
  await browser.change(2);
  assert.deepEqual([browser.streams.length, second.changes, second.states], [1, [2], ["open"]]);
});

test("a window that has crashed is forgotten, and its connection with it", async () => {
  const browser = new Browser();
  browser.window();
  await settled();
  await browser.hello(1);
  await browser.pass(12, []);
  assert.deepEqual([browser.open.length, browser.ticks.size], [0, 0]);
});

test("a connection that is silent counts as lost, and is opened again", async () => {
  const browser = new Browser();
  const window = browser.window();
  await settled();
  await browser.hello(1);
  for (let beat = 0; beat < 5; beat += 1) { await browser.pass(4, [window]); await browser.send(": heartbeat\n\n"); }
  assert.deepEqual([window.states, browser.streams.length], [["open"], 1]);
  await browser.pass(silenceMilliseconds / 1_000 + 1, [window]);
  assert.deepEqual([window.states, browser.open.length, browser.streams.length], [["open", "lost"], 1, 2]);
  await browser.hello(3);
  assert.deepEqual([window.states.at(-1), window.changes], ["open", [3]]);
});

test("a hub that has crashed says nothing, and the window finds another one", async () => {
  const browser = new Browser();
  const window = browser.window();
  await settled();
  await browser.hello(1);
  const lost = window.client.ask("/api/v1/status");
  browser.ticks.clear();
  browser.hub = browser.newHub();
  browser.streams.length = 0;
  await lost;
  await browser.pass(silenceMilliseconds / 1_000 + 1, [window]);
  assert.deepEqual(window.states, ["open", "lost", "wait"]);
  await browser.hello(2);
  assert.deepEqual([window.states.at(-1), window.changes], ["open", [2]]);
});

test("a console that has stopped is tried again less and less often, and a refusal only after a sign-in", async () => {
  const browser = new Browser();
  const window = browser.window();
  await settled();
  await browser.hello(1);
  browser.liveStatus = 503;
  browser.streams[0].controller.close();
  browser.streams[0].isOpen = false;
  await settled();
  assert.equal(window.states.at(-1), "lost");
  await browser.pass(60, [window]);
  assert.ok(browser.streams.length > 5 && browser.streams.length < 12, String(browser.streams.length));
  browser.liveStatus = 401;
  await browser.pass(20, [window]);
  const before = browser.streams.length;
  await browser.pass(60, [window]);
  assert.equal(browser.streams.length, before);
  browser.liveStatus = undefined;
  window.client.reset();
  await browser.pass(1, [window]);
  await browser.hello(1);
  assert.equal(window.states.at(-1), "open");
});

test("windows that ask the same share the answer until something changes", async () => {
  const browser = new Browser();
  const windows = Array.from({ length: 8 }, () => browser.window());
  await settled();
  await browser.hello(1);
  browser.answer = () => new Response('{"a":1}', { headers: { etag: '"1"' } });
  const ask = () => Promise.all(windows.map((window) => window.client.ask("/api/v1/status", { fresh: 4_000 })));
  const answers = await ask();
  assert.deepEqual(await answers[7].json(), { a: 1 });
  assert.equal(answers[7].headers.get("etag"), '"1"');
  await ask();
  assert.equal(browser.asked.length, 1);
  await browser.change(2);
  await ask();
  assert.equal(browser.asked.length, 2);
  browser.time += 4_001;
  await ask();
  assert.equal(browser.asked.length, 3);
});

test("slow requests use at most three connections, others do not wait for them, and a refusal is not kept", async () => {
  const browser = new Browser();
  const { client } = browser.window();
  const waiting = [];
  browser.answer = () => new Promise((resolve) => { waiting.push(() => resolve(new Response("{}", { status: 401 }))); });
  const answers = Promise.all([1, 2, 3, 4, 5].map((number) => client.ask(`/api/v1/query?q=${number}`, { isSlow: true })));
  await settled();
  assert.equal(waiting.length, 3);
  const quick = client.ask("/api/v1/status");
  waiting.pop()();
  assert.equal((await quick).status, 401);
  for (let done = 0; done < 5; done += 1) { waiting[done](); await settled(); await settled(); }
  assert.deepEqual((await answers).map(({ status }) => status), [401, 401, 401, 401, 401]);
  client.ask("/api/v1/query?q=1");
  await settled();
  assert.equal(waiting.length, 6);
});

test("a question ends with its page, or when the console cannot be reached", async () => {
  const browser = new Browser();
  const { client } = browser.window();
  const abort = new AbortController();
  browser.answer = () => new Promise(() => {});
  const answer = client.ask("/api/v1/status", { signal: abort.signal });
  abort.abort();
  await assert.rejects(answer, { name: "AbortError" });
  browser.isUp = false;
  await assert.rejects(client.ask("/api/v1/alerts"), TypeError);
});
