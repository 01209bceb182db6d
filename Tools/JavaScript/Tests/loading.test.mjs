import assert from "node:assert/strict";
import test, { beforeEach, mock } from "node:test";

import "./document.mjs";

const { h, replace } = await import("../../Console/Sources/TelemetryConsole/Assets/parts/dom.js");
const { filled, filledPage } = await import("../../Console/Sources/TelemetryConsole/Assets/parts/loading.js");

mock.timers.enable({ apis: ["setTimeout"] });
const slowAfter = 300;

/** An answer that the test gives. */
function answer() {
  let give;
  let refuse;
  const promise = new Promise((resolve, reject) => { [give, refuse] = [resolve, reject]; });
  return { promise, give, refuse };
}

const state = (box) => [box.getAttribute("aria-busy"), box.getAttribute("data-stale"), box.textContent];
let box;
const fill = (asked, options) => filled(box, "Loading the boards", async () => replace(box, h("p", {}, await asked.promise)), options);

beforeEach(() => { box = h("div"); });

test("an empty element says after a moment what it waits for", async () => {
  const asked = answer();
  const filling = fill(asked);
  assert.deepEqual(state(box), ["true", null, ""]);
  mock.timers.tick(slowAfter);
  assert.deepEqual(state(box), ["true", null, "Loading the boards …"]);
  asked.give("three boards");
  await filling;
  assert.deepEqual(state(box), ["false", null, "three boards"]);
});

test("an answer that comes at once changes nothing before it", async () => {
  const asked = answer();
  const filling = fill(asked);
  asked.give("three boards");
  await filling;
  mock.timers.tick(slowAfter);
  assert.deepEqual(state(box), ["false", null, "three boards"]);
});

test("an earlier answer is marked as one until the next is there", async () => {
  replace(box, h("p", {}, "two boards"));
  const asked = answer();
  const filling = fill(asked);
  mock.timers.tick(slowAfter);
  assert.deepEqual(state(box), ["true", "Loading the boards … Below is the answer before.", "two boards"]);
  asked.give("three boards");
  await filling;
  assert.deepEqual(state(box), ["false", null, "three boards"]);
});

test("an update keeps what is shown, and says if it fails", async () => {
  replace(box, h("p", {}, "two boards"));
  const asked = answer();
  const filling = fill(asked, { isRefresh: true });
  mock.timers.tick(slowAfter);
  assert.deepEqual(state(box), ["true", null, "two boards"]);
  asked.refuse(new Error("The console is not reachable."));
  await filling;
  assert.deepEqual(state(box), ["false", "This is not the newest. The console is not reachable.", "two boards"]);
  const next = answer();
  const again = fill(next, { isRefresh: true });
  next.give("three boards");
  await again;
  assert.deepEqual(state(box), ["false", null, "three boards"]);
});

test("a failure is shown in place, with a button that tries again", async () => {
  let tries = 0;
  const asked = answer();
  const filling = fill(asked, { retry: () => { tries += 1; } });
  assert.equal(tries, 0);
  asked.refuse(new Error("No disk."));
  await filling;
  assert.match(box.textContent, /Something went wrong.*No disk\..*Try again/s);
  assert.equal(box.getAttribute("aria-busy"), "false");
  const other = answer();
  const failing = fill(other, { fail: (error) => h("p", {}, `Not understood: ${error.message}`) });
  other.refuse(new Error("a quote is open"));
  await failing;
  assert.equal(box.textContent, "Not understood: a quote is open");
});

test("what is asked later decides, whatever ends first", async () => {
  const [first, second] = [answer(), answer()];
  const one = fill(first);
  const other = fill(second);
  first.refuse(Object.assign(new Error("aborted"), { name: "AbortError" }));
  await one;
  assert.equal(box.getAttribute("aria-busy"), "true");
  second.give("three boards");
  await other;
  assert.deepEqual(state(box), ["false", null, "three boards"]);
});

test("a page's head says what it waits for, and a failure takes the place of the page until it is asked again", async () => {
  const [root, head] = [h("div"), h("div")];
  replace(root, head, h("p", {}, "empty list"));
  const fillPage = (asked, options = {}) => filledPage(root, "Loading the trace", async () => replace(head, h("h1", {}, await asked.promise)), { part: head, retry: () => {}, ...options });
  let asked = answer();
  const filling = fillPage(asked);
  mock.timers.tick(slowAfter);
  assert.equal(root.textContent, "Loading the trace …empty list");
  asked.give("GET /cart");
  await filling;
  assert.equal(root.textContent, "GET /cartempty list");

  asked = answer();
  const again = fillPage(asked, { isRefresh: true });
  asked.refuse(new Error("The console is busy."));
  await again;
  assert.deepEqual(state(head), ["false", "This is not the newest. The console is busy.", "GET /cart"]);

  replace(head);
  asked = answer();
  const failing = fillPage(asked);
  asked.refuse(new Error("The console is busy."));
  await failing;
  assert.equal(root.textContent, "Something went wrongThe console is busy.Try again");
});

test("a page without parts is replaced by its failure", async () => {
  const root = h("div");
  const asked = answer();
  const failing = filledPage(root, "Loading the report", () => asked.promise, { isRefresh: true, retry: () => {} });
  asked.refuse(new Error("The console is busy."));
  await failing;
  assert.equal(root.textContent, "Something went wrongThe console is busy.Try again");
});

test("words of waiting do not replace what has come meanwhile", async () => {
  const asked = answer();
  const filling = filled(box, "Loading the session", async () => { replace(box, h("h1", {}, "iPhone")); await asked.promise; });
  mock.timers.tick(slowAfter);
  assert.deepEqual(state(box), ["true", null, "iPhone"]);
  asked.give();
  await filling;
  assert.deepEqual(state(box), ["false", null, "iPhone"]);
});
