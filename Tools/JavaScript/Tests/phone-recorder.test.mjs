import assert from "node:assert/strict";
import test from "node:test";

import "./document.mjs";

const { RecorderCard } = await import("../../Simulator/Sources/DeviceSimulator/Assets/panels/recorder.js");

const recorder = {
  records: 310, bytes: 1_048_576, capacity: 4_194_304, oldest: 1_000, promoted: { error: 52, app: 1, rule: 60 }, promotedBytes: 21_004, dailyBytes: 2_097_152, refused: 0,
};
const phone = (phase, sampling = "nothing") => ({ app: { phase }, settings: { sampling } });

/** A card, and what it has asked the phone for. */
function made(status, state = phone("active")) {
  const actions = [];
  const card = new RecorderCard((action) => actions.push(action));
  card.follow(state);
  card.update(status);
  return { card, actions };
}

test("the card says how much the ring has, how far back it reaches, and what was sent today", () => {
  const { card } = made({ recorder, isSampledOut: true });
  card.drawTimes((1_000 + 275) * 1000);
  assert.deepEqual(card.facts.children.map((fact) => fact.textContent),
    ["In the ring310 records1.0 MiB of 4.0 MiB", "Reaches back4 min 35 sto the oldest record", "Sent today20.5 KiBof 2.0 MiB"]);
  assert.equal(card.ring.getAttribute("aria-label"), "Ring: 1.0 MiB of 4.0 MiB");
  assert.match(card.fill.style.cssText, /width:max\(25%, 3px\)/);
  assert.equal(card.note.textContent, "on");
});

test("what was promoted is listed by trigger, most first, and what the budget refused below", () => {
  const { card } = made({ recorder, isSampledOut: true });
  assert.deepEqual(card.promoted.children.map((row) => row.textContent), ["Rule60 records", "Error52 records", "App1 record"]);
  assert.deepEqual([card.promoted.hidden, card.none.hidden, card.refused.hidden], [false, true, true]);
  card.update({ recorder: { ...recorder, promoted: {}, refused: 12, records: 0, oldest: undefined }, isSampledOut: true });
  assert.deepEqual([card.promoted.hidden, card.none.hidden], [true, false]);
  assert.deepEqual([card.refused.hidden, card.refused.textContent], [false, "Today's budget has refused 12 records."]);
  assert.match(card.facts.textContent, /Reaches backnot yet/);
  card.update({ recorder: { ...recorder, promoted: { remote: 2, constructor: 1 } }, isSampledOut: true });
  assert.deepEqual(card.promoted.children.map((row) => row.textContent), ["Remote2 records", "constructor1 record"]);
});

test("the card says what becomes of the session, and why the recorder is off", () => {
  const off = { ...recorder, off: "the mode is minimal" };
  const words = (status) => made(status).card.session.textContent;
  assert.equal(words({ recorder, isSampledOut: true }), "This session is sampled out: only the recorder has its spans. They are sent if something goes wrong.");
  assert.equal(words({ recorder, isSampledOut: false }), "This session is sampled in: it is sent.");
  assert.equal(words({ recorder }), "Traces are sampled one by one.");
  assert.equal(words({ recorder: off, isSampledOut: true }), "This session is sampled out, and the recorder is off: the mode is minimal. Its spans are dropped.");
  assert.equal(words({ recorder: off, isSampledOut: false }), "This session is sampled in: it is sent. The recorder is off: the mode is minimal.");
  assert.equal(words({ isSampledOut: true }), "This session is sampled out, and the app has no flight recorder: its spans are dropped.");
  assert.equal(words({ isSampledOut: false }), "This session is sampled in: it is sent. The app has no flight recorder.");
  assert.deepEqual([made({ recorder: off }).card.note.textContent, made({}).card.figures.hidden], ["off", true]);
});

test("the button asks for the recording, and cannot if nothing records; the list chooses the sessions", () => {
  const { card, actions } = made({ recorder, isSampledOut: true });
  assert.equal(card.keep.disabled, false);
  card.keep.dispatch("click");
  card.sampling.value = "policy";
  card.sampling.dispatch("change");
  assert.deepEqual(actions, [{ do: "keepRecording" }, { set: { sampling: "policy" } }]);
  card.follow(phone("ended", "everything"));
  assert.deepEqual([card.keep.disabled, card.sampling.value], [true, "everything"]);
  card.follow(phone("background"));
  assert.equal(card.keep.disabled, false);
  card.update({ recorder: { ...recorder, off: "memory is critical" }, isSampledOut: true });
  assert.equal(card.keep.disabled, true);
  card.update({});
  assert.equal(card.keep.disabled, true);
});
