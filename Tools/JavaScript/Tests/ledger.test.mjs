import assert from "node:assert/strict";
import test from "node:test";

import "./document.mjs";

const { ledgerBar, ledgerLine } = await import("../../Console/Sources/TelemetryConsole/Assets/parts/ledger.js");

const account = { created: 100, delivered: 60, journal: 5, queue: 10, notSent: 25, dropped: [], unaccounted: 0 };

test("what the flight recorder did not send is a term of its own", () => {
  assert.equal(ledgerLine(account).textContent, "100 created=60 delivered+15 pending+25 not sent+0 dropped");
  assert.equal(ledgerBar(account).getAttribute("aria-label"),
    "100 records created: 60 delivered, 5 pending in the journal, 10 pending in the queue, 25 not sent");
});

test("a ledger without a flight recorder has no such term", () => {
  const { notSent: _notSent, ...older } = account;
  assert.equal(ledgerLine({ ...older, created: 75 }).textContent, "75 created=60 delivered+15 pending+0 dropped");
});

test("in a period in which the flight recorder sent more than it took in, the difference was there before", () => {
  const period = { ...account, carried: 10, created: 20, notSent: -45 };
  assert.equal(ledgerLine(period).textContent, "10 pending before+45 from the recorder+20 created=60 delivered+15 pending+0 dropped");
  assert.equal(ledgerBar(period).getAttribute("aria-label"),
    "10 records pending and 45 from the flight recorder and 20 records created: 60 delivered, 5 pending in the journal, 10 pending in the queue");
});
