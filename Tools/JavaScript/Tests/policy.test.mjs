import assert from "node:assert/strict";
import test from "node:test";

import { appOf, listOf, policyWords, promoteCommand, rolloutWords, shareOf } from "../../Console/Sources/TelemetryConsole/Assets/lib/policy-text.js";

const everyone = { appVersions: [], systems: [], models: [], installations: [] };

test("a policy is described by what it changes, and one that changes nothing has no words", () => {
  assert.deepEqual(policyWords({}), []);
  const words = Object.fromEntries(policyWords({
    rates: { normal: 0.05, full: 1, minimal: 0 }, flushIntervals: { normal: 90 }, admission: "strict", off: ["replay", "views"], offScopes: ["shop.scroll"],
    triggers: { crashes: true, hangs: false, slowSpans: 3, limitPerHour: 5, dailyBytes: 2048, flows: [{ from: "Cart", to: "Thanks" }], rules: [{ span: "pay", longerThan: 0.5 }] },
    requests: [{ id: "a", kind: "promote", installation: "one" }, { id: "b", kind: "record", installation: "two", seconds: 7200 }],
  }));
  assert.equal(words["Sessions sent"], "100 % in full mode, 5 % in normal mode, 0 % in minimal mode");
  assert.equal(words.Flushes, "every 1 min 30 s in normal mode");
  assert.match(words.Admission, /^strict/);
  assert.equal(words["Turned off"], "the session replay, views, screens and taps");
  assert.equal(words["Dropped scopes"], "shop.scroll");
  assert.equal(words["Recorder sends after"], "crashes");
  assert.equal(words["Recorder ignores"], "hangs");
  assert.equal(words["Slow spans"], "any span longer than 3 s, pay longer than 500 ms");
  assert.equal(words["Abandoned flows"], "Cart without Thanks");
  assert.equal(words["Recorder's budget"], "5 of each trigger in an hour, 2.0 KiB in a day");
  assert.match(words.Requests, /^one sends its flight recorder, two records in full for 2 h/);
  assert.deepEqual(policyWords({ triggers: { flows: [] } }), [["Abandoned flows", "none"]]);
  assert.deepEqual(policyWords({ off: ["all"] }), [["Turned off", "everything"]]);
});

test("a roll-out says its share and its target", () => {
  assert.equal(rolloutWords({ percentage: 100, target: everyone }), "all installations");
  assert.equal(rolloutWords({ percentage: 12.5, target: { ...everyone, appVersions: ["1.*", "2.*"], systems: ["iOS 18*"] } }),
    "12.5 % of all installations with app version 1.* or 2.*, system iOS 18*");
  assert.equal(rolloutWords({ percentage: 99.99, target: everyone }), "99.99 % of all installations");
  assert.equal(rolloutWords({ percentage: 0.01, target: everyone }), "0.01 % of all installations");
  assert.equal(rolloutWords({ percentage: 100, target: { ...everyone, installations: ["one"] } }), "1 named installation");
});

test("the app that is shown first has a policy, also if a device names another one that comes before it", () => {
  const apps = [{ app: "!" }, { app: "mail", version: 2 }, { app: "shop", version: 7 }];
  assert.equal(appOf(apps, ""), "mail");
  assert.equal(appOf(apps, "shop"), "shop");
  assert.equal(appOf(apps, "!"), "!");
  assert.equal(appOf(apps, "gone"), "mail");
  assert.equal(appOf([{ app: "!" }], ""), "!");
  assert.equal(appOf([], "shop"), "");
});

test("what a person types becomes a list, and a share within its bounds", () => {
  assert.deepEqual(listOf(" iPhone17,1 \n\niPad*"), ["iPhone17,1", "iPad*"]);
  assert.deepEqual(listOf(""), []);
  assert.equal(shareOf("12.5"), 12.5);
  for (const text of ["", "101", "-1", "1e1", "ten", "NaN"]) assert.throws(() => shareOf(text), /Expected a number from 0 to 100/);
});

test("the command for one installation can be pasted into a shell", () => {
  assert.equal(promoteCommand({ app: "shop", installation: "a-1", origin: "http://127.0.0.1:4318" }),
    "astrolabe policy promote a-1 --app shop --key policy.key --console http://127.0.0.1:4318");
  const hostile = promoteCommand({ app: "it's; rm", installation: "", origin: "https://example.com" });
  assert.match(hostile, /policy promote INSTALLATION --app 'it'\\''s; rm' /);
});
