import assert from "node:assert/strict";
import test from "node:test";

import { APIError, coalesce, get } from "../../Console/Sources/TelemetryConsole/Assets/lib/api.js";
import { loadBoard, saveBoard } from "../../Console/Sources/TelemetryConsole/Assets/lib/board-api.js";
import { changeRollout, withdrawPolicy } from "../../Console/Sources/TelemetryConsole/Assets/lib/policy-api.js";

/** Answers each request by `answer`, and returns what was asked. */
function serve(context, answer) {
  const asked = [];
  const events = [];
  context.mock.method(globalThis, "fetch", async (url, options) => {
    asked.push({ url, ...options });
    return answer(url);
  });
  const target = new EventTarget();
  globalThis.addEventListener = target.addEventListener.bind(target);
  globalThis.dispatchEvent = (event) => { events.push([event.type, event.detail]); return target.dispatchEvent(event); };
  globalThis.CustomEvent ??= class extends Event {
    constructor(type, { detail } = {}) { super(type); this.detail = detail; }
  };
  return { asked, events };
}

test("parameters that say nothing are left out, and the age of an answer is announced", async (context) => {
  const { asked, events } = serve(context, () => new Response('{"a":1}', { headers: { age: "7" } }));
  assert.deepEqual(await get("logs", { q: "a b", service: "", errors: false, limit: 0, since: undefined }), { a: 1 });
  assert.equal(asked[0].url, "/api/v1/logs?q=a+b&limit=0");
  assert.deepEqual(events, [["answerage", 7]]);
});

test("a refusal is an error with its reason", async (context) => {
  serve(context, () => new Response('{"error":"no such field","column":3}', { status: 400 }));
  await assert.rejects(get("logs"), (error) => error instanceof APIError && error.message === "no such field" && error.column === 3);
  serve(context, () => { throw new TypeError("failed to fetch"); });
  await assert.rejects(get("logs"), { status: 0, message: /not reachable/ });
});

test("a change of a roll-out names its document, and a refusal of it has its reason", async (context) => {
  const { asked } = serve(context, () => new Response('{"percentage":10}'));
  assert.deepEqual(await changeRollout("a/b", 7, { percentage: 10 }), { percentage: 10 });
  await withdrawPolicy("shop", 8);
  assert.deepEqual(asked.map(({ method, url, body }) => [method, url, body]),
    [["PATCH", "/api/v1/policies/a%2Fb/7", '{"percentage":10}'], ["DELETE", "/api/v1/policies/shop/8", undefined]]);
  serve(context, () => new Response('{"error":"version 8 of shop was withdrawn"}', { status: 409 }));
  await assert.rejects(changeRollout("shop", 8, {}), { status: 409, message: /was withdrawn/ });
  serve(context, () => { throw new TypeError("failed to fetch"); });
  await assert.rejects(withdrawPolicy("shop", 8), { status: 0, message: /not reachable/ });
});

test("a request without a key asks for one, and is sent again after the sign-in", async (context) => {
  let hasKey = false;
  const { asked, events } = serve(context, () => (hasKey ? new Response('{"a":1}') : new Response("{}", { status: 401 })));
  const answer = get("logs");
  while (!events.length) await new Promise(setImmediate);
  hasKey = true;
  globalThis.dispatchEvent(new Event("signedin"));
  assert.deepEqual(await answer, { a: 1 });
  assert.equal(asked.length, 2);
  assert.deepEqual(events.map(([type]) => type), ["keywanted", "signedin"]);
});

test("calls while work runs lead to one more run", async () => {
  let runs = 0;
  let finish;
  const work = coalesce(() => { runs += 1; return new Promise((done) => { finish = done; }); });
  const first = work();
  await Promise.all([work(), work()]);
  assert.equal(runs, 1);
  finish();
  await new Promise(setImmediate);
  finish();
  await first;
  assert.equal(runs, 2);
});

test("a board is written over the version that was read", async (context) => {
  const { asked } = serve(context, (url) => (url.endsWith("same") ? new Response(null, { status: 304 }) : new Response("{}", { headers: { etag: '"2"' } })));
  assert.equal(await loadBoard("same", { known: '"1"' }), undefined);
  assert.deepEqual(await saveBoard("a/b", { source: "title: x", tag: '"1"' }), { tag: '"2"' });
  assert.equal(asked[1].url, "/api/v1/boards/a%2Fb");
  assert.deepEqual(asked[1].headers, { "content-type": "application/yaml", "if-match": '"1"' });
  await saveBoard("new", { board: { title: "x" } });
  assert.deepEqual([asked[2].body, asked[2].headers], ['{"title":"x"}', { "content-type": "application/json" }]);
});
