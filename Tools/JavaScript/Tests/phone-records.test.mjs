import assert from "node:assert/strict";
import test from "node:test";

import "./document.mjs";

const { RecordList } = await import("../../Simulator/Sources/DeviceSimulator/Assets/panels/records.js");

/** Looks for a crash, without pauses. Each answer of the console is a list of groups, or the status of a refusal. */
async function lookForCrash(t, timeUs, ...answers) {
  const list = new RecordList(document.createElement("section"));
  list.base = "http://console.example/";
  t.mock.method(globalThis, "setTimeout", (next) => setImmediate(next));
  t.mock.method(globalThis, "fetch", async () => {
    const answer = answers.shift() ?? [];
    return typeof answer === "number" ? { ok: false, status: answer } : { ok: true, json: async () => ({ groups: answer }) };
  });
  await list.noteCrash(timeUs);
  return list.crash.children[0]?.getAttribute("href");
}

test("the link is to the latest crash, although an older one has more users and stands first", async (t) => {
  const groups = [{ fingerprint: "often", lastUs: 90, users: 14 }, { fingerprint: "mine", lastUs: 210, users: 1 }];
  assert.equal(await lookForCrash(t, 200, groups), "http://console.example/health/groups/mine");
});

test("the link comes when the report of the next launch has arrived", async (t) => {
  const before = [{ fingerprint: "often", lastUs: 90 }];
  const after = [...before, { fingerprint: "mine", lastUs: 200 }];
  assert.equal(await lookForCrash(t, 200, [], 503, before, after), "http://console.example/health/groups/mine");
});
