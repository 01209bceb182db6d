import assert from "node:assert/strict";
import test from "node:test";

import { choosePromoted, knowsPromoted, promotedChoice, promotedChoices, promotionNote, promotionsOf, promotionText, rateOf, reasonOf, recorderBands, triggerOf } from "../../Console/Sources/TelemetryConsole/Assets/lib/recorder.js";
import { join, split } from "../../Console/Sources/TelemetryConsole/Assets/lib/query-text.js";

const second = 1e6;
const span = (seconds, attributes = {}, more = {}) => ({ name: "work", kind: "span", side: "device", timeUs: seconds * second, durationNs: 1e9, attributes, ...more });
const marks = (trigger, id) => ({ "astrolabe.recorder.trigger": trigger, "astrolabe.recorder.id": id });
const promotion = (seconds, trigger, id, more = {}) => ({
  name: "astrolabe.recorder.promotion", kind: "event", side: "device", timeUs: seconds * second,
  attributes: { ...marks(trigger, id), "astrolabe.recorder.records": 2, ...more },
});
const session = { startUs: 0, endUs: 100 * second };

test("a record has the trigger that it was sent for, and the event about it has none", () => {
  assert.equal(triggerOf(span(1, marks("error", "p"))), "error");
  assert.equal(triggerOf(promotion(1, "error", "p")), "");
  assert.equal(triggerOf({ name: "log" }), "");
});

test("records are grouped by promotion, in the order of their time", () => {
  const found = promotionsOf([promotion(9, "error", "b"), span(20, marks("hang", "a")), span(8, marks("error", "b")), span(3, marks("error", "b"))]);
  assert.deepEqual(found.map(({ trigger, records, fromUs, toUs }) => [trigger, records, fromUs / second, toUs / second]), [["error", 2, 3, 9], ["hang", 1, 20, 21]]);
  assert.equal(found[0].event.timeUs, 9 * second);
  assert.equal(found[1].event, undefined);
});

test("a session is here for what its device did, whatever the server's recorder sent of its traces", () => {
  const onServer = { side: "backend" };
  const items = [
    span(20, marks("http", "p")), span(21, marks("remote", "r"), onServer), span(22, marks("remote", "s"), onServer), span(1, marks("error", "t"), onServer),
    { ...promotion(23, "remote", "r"), side: "backend" },
  ];
  assert.deepEqual(promotionsOf(items).map(({ trigger, fromUs }) => [trigger, fromUs / second]), [["http", 20]]);
  assert.deepEqual(reasonOf(items), ["Promoted: failed request", "1 record"]);
  const byItself = span(2, {}, { ...onServer, details: { state: "ot=th:c" } });
  assert.deepEqual(reasonOf([byItself, ...items]), ["Promoted: failed request", "1 record"]);
});

test("the rate is read from the threshold of any vendor's list", () => {
  const rate = (state) => rateOf([span(1), span(2, {}, { details: { state } })]);
  assert.equal(rate("vendor=th:1,ot=rv:1;th:c"), 0.25);
  assert.equal(rate("ot=th:0"), 1);
  assert.equal(rate("ot=rv:1"), undefined);
  assert.equal(rate("ot=th:xyz"), undefined);
});

test("a session says why it is here", () => {
  const chosen = span(1, {}, { details: { state: "ot=th:e6666666666668" } });
  assert.deepEqual(reasonOf([chosen]), ["Sampled", "10 % of sessions are"]);
  assert.deepEqual(reasonOf([span(1, {}, { details: { state: "ot=th:ffe6" } })]), ["Sampled", "0.04 % of sessions are"]);
  assert.deepEqual(reasonOf([chosen, span(2, marks("app", "p"))]), ["Sampled", "10 % of sessions are; promoted: app"]);
  assert.deepEqual(reasonOf([span(2, marks("http", "p")), span(3, marks("http", "q"))]), ["Promoted: failed request", "2 records"]);
  assert.deepEqual(reasonOf([promotion(2, "error", "p")]), ["Sampled out", "nothing of its recording was sent"]);
  assert.deepEqual(reasonOf([{ name: "session.start", kind: "event", side: "device", timeUs: 1 }]), ["Events only", "it was sampled out, or has no spans"]);
  assert.equal(reasonOf([span(1)]), undefined);
  assert.equal(reasonOf([]), undefined);
});

test("a promotion says where the ring began, what was refused, and why it was made", () => {
  const text = (items, startUs = 0) => promotionText(promotionsOf(items)[0], startUs);
  assert.equal(text([span(12, marks("http", "p")), promotion(13, "http", "p", { "astrolabe.recorder.refused": 40, "astrolabe.recorder.refusal": "daily_bytes" })]),
    "The flight recorder sent 1 record, from +12.000 s to +13.000 s, because of a failed request at +13.000 s. "
    + "The ring had overwritten what came before. 40 records more had no room: the bytes of a day were used up.");
  assert.match(text([span(1, marks("error", "p"))]), /because of an error\. What it sent in all is known a minute after the trigger\.$/);
  assert.match(text([span(100, marks("error", "p")), promotion(1000, "error", "p")]), /outside of its window\.$/);
  assert.match(text([promotion(5, "error", "p", { "astrolabe.recorder.refusal": "hourly_bytes" })]), /^The flight recorder was asked .* No record of it is here\. Some of it was not recorded: the ring/);
  assert.match(text([promotion(5, "app", "p", { "astrolabe.recorder.reason": "feedback" })]), /The app's reason: feedback\./);
  assert.match(text([promotion(5, "flow", "p", { "astrolabe.recorder.flow.from": "Cart", "astrolabe.recorder.flow.to": "Thanks" })]), /showed Cart, and ended before Thanks\./);
  const flow = { "astrolabe.recorder.flow.from": "Cart", "astrolabe.recorder.flow.to": "Thanks" };
  assert.match(text([span(100, marks("flow", "p")), promotion(2000, "flow", "p", flow)]), /The ring had overwritten what came before\.$/, "its window is the session");
  const later = promotionsOf([span(1, marks("error", "p")), span(50, marks("error", "q"))])[1];
  assert.doesNotMatch(promotionText(later, 0, { isFirst: false }), /overwritten/, "what came before went with the first");
});

test("the note of a promotion counts what was sent and refused", () => {
  assert.equal(promotionNote(promotion(1, "app", "p", { "astrolabe.recorder.reason": "feedback" })), "2 records sent · feedback");
});

test("the recorder's parts of a session follow each other, between what was not sent", () => {
  const words = (items) => recorderBands(items, session).flatMap(({ parts }) => parts.map(({ text, from }) => [text, from / second]));
  assert.deepEqual(words([span(10, marks("http", "p")), span(30, marks("http", "p")), span(20, marks("hang", "q"))]),
    [["not sent", 0], ["Failed request", 10], ["Hang", 31], ["not sent", 31]]);
  assert.deepEqual(words([span(0, marks("http", "p")), span(50, marks("hang", "q"))]),
    [["Failed request", 0], ["not sent", 1], ["Hang", 50], ["not sent", 51]]);
  assert.deepEqual(words([span(0, marks("crash", "p")), span(99, marks("crash", "p"))]), [["Crash", 0]]);
  assert.deepEqual(words([span(0), promotion(5, "error", "p")]), []);
});

test("what a session sent while it was sampled is not called overwritten or not sent", () => {
  const items = [span(1, {}, { details: { state: "ot=th:0" } }), span(50, marks("error", "p"))];
  assert.doesNotMatch(promotionText(promotionsOf(items)[0], 0, { items }), /overwritten/);
  assert.deepEqual(recorderBands(items, session)[0].parts.map(({ text }) => text), ["sampled", "Error", "not sent"]);
});

test("a query lists, counts or leaves out promoted records, or has only them, whatever its dataset", () => {
  const query = split("count by name where a = 1 or b = 2");
  const without = choosePromoted(query, "without");
  assert.equal(join(without), "count by name where (a = 1 or b = 2) and astrolabe.recorder.trigger not exists");
  assert.equal(promotedChoice(without), "without");
  const only = choosePromoted(without, "only");
  assert.equal(join(only), "count by name where (a = 1 or b = 2) and astrolabe.recorder.trigger exists raw", "weighted, they count as none");
  assert.equal(promotedChoice(only), "only");
  assert.equal(join(choosePromoted(only, "")), "count by name where (a = 1 or b = 2)");
  assert.equal(promotedChoice(choosePromoted(only, "counted")), "counted");
  const ofSessions = choosePromoted({ ...without, of: "sessions" }, promotedChoice(without));
  assert.equal(ofSessions.where, "(a = 1 or b = 2) and promoted = false");
  assert.equal(choosePromoted(split("count of issues"), "only").where, "session.promoted = true");
  assert.equal(knowsPromoted(split("count of metrics")), false);
  assert.equal(choosePromoted({ ...without, of: "metrics" }, "without").where, "(a = 1 or b = 2)", "points are not promoted");
  assert.equal(promotedChoice(query), "");
});

test("promoted spans can be listed and not counted, and what is not weighted counts once", () => {
  const choices = (text) => promotedChoices(split(text)).map(([choice, title]) => `${choice}: ${title}`);
  assert.deepEqual(choices("count"), [
    ": Promoted: listed, not counted", "counted: Promoted: counted once each", "without: Without promoted", "only: Only promoted"]);
  for (const dataset of ["events", "sessions", "issues"]) {
    assert.deepEqual(choices(`count of ${dataset}`), [": Promoted: counted once each", "without: Without promoted", "only: Only promoted"]);
    assert.equal(promotedChoice(split(`count of ${dataset} raw`)), "");
  }
});
