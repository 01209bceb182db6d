import assert from "node:assert/strict";
import test from "node:test";

import { comparisonText, completenessText, inequalityText, lastUnfinished, lineParts, shareText, stepText, unfinished } from "../../Console/Sources/TelemetryConsole/Assets/lib/completeness.js";
import { chooseZone } from "../../ServerSupport/Sources/ServerSupport/Assets/shared/zone.js";

chooseZone("UTC");
const hourUs = 3600e6;
const eight = Date.UTC(2026, 10, 27, 8) * 1e3;
/** Four hours: one that is complete, two that are not, and the present one. */
const answer = {
  stepsUs: [eight - 2 * hourUs, eight - hourUs, eight, eight + hourUs], toUs: eight + 1.5 * hourUs,
  completeness: {
    total: { share: 0.9 },
    steps: [
      { share: 1 }, { share: 0.95, pending: 10, holding: 1, dropped: 0, silent: 2 },
      { share: 0.8732, pending: 2310, holding: 41, dropped: 0, silent: 120, active: 400, reported: 300 },
      { share: 0.4, running: true, pending: 0, holding: 0, dropped: 0, silent: 9 }],
  },
};

test("an unfinished step says what has arrived and what phones hold", () => {
  assert.equal(stepText(answer, 2), "87 % of 08:00 to 09:00 has arrived; 41 phones hold 2,310 records; 300 of 400 active phones have reported since");
  assert.equal(stepText(answer, 1), "95 % of 07:00 to 08:00 has arrived; 1 phone holds 10 records");
  assert.equal(stepText(answer, 3), "40 % of the time since 09:00 has arrived");
  assert.equal(stepText(answer, 0), "");
});

test("an estimate is labelled as one, with the phones that are silent", () => {
  assert.equal(completenessText({ share: 0.5, estimated: true, silent: 1 }, eight, eight + hourUs),
    "about 50 % of 08:00 to 09:00 has arrived (estimated); 1 phone is silent since");
  assert.equal(shareText({ share: 0.5, estimated: true }), "≈ 50 %");
});

test("what is not complete is never 100 %", () => {
  assert.equal(shareText({ share: 1 }), "100 %");
  assert.equal(shareText({ share: 0.9996 }), "99.9 %");
});

test("days and seconds are named as such", () => {
  assert.match(completenessText({ share: 0.5 }, eight, eight + 24 * hourUs), /^50 % of Nov 27, 08:00 to Nov 28, 08:00/);
  assert.match(completenessText({ share: 0.5 }, eight, eight + 10e6), /^50 % of 08:00:00 to 08:00:10/);
});

test("the number of a chart is that of the last step whose time has passed", () => {
  assert.equal(lastUnfinished(answer), 2);
  assert.equal(lastUnfinished({ ...answer, completeness: { steps: [{ share: 1 }, { share: 1 }, { share: 1 }, { share: 0.4, running: true }] } }), 3);
  assert.equal(lastUnfinished({ stepsUs: answer.stepsUs }), -1);
  assert.equal(unfinished({ completeness: { steps: [null] } }, 0), undefined);
});

test("two times are compared at equal completeness, or a sentence says that they are not", () => {
  const compared = (share, before) => inequalityText({ completeness: { total: { share } }, comparison: { completeness: { total: { share: before } } } });
  assert.equal(compared(0.62, 0.99), "These times are not equally complete: 99 % of A has arrived, and 62 % of B.");
  assert.equal(compared(0.98, 1), "");
  assert.equal(inequalityText({ completeness: { total: { share: 0.5 } } }), "");
});

test("a comparison at the same age names the time as of which A is counted", () => {
  const equal = { completeness: { total: { share: 0.71 } }, comparison: { asOfUs: eight, completeness: { total: { share: 0.7 } } } };
  assert.match(comparisonText(equal), /^A is counted as it looked at .*08:00.*, when it was as old as B is now: 70 % of it had arrived, and 71 % of B has\.$/);
  const unequal = { completeness: { total: { share: 0.62 } }, comparison: { completeness: { total: { share: 0.99 } } } };
  assert.equal(comparisonText(unequal), inequalityText(unequal));
});

test("a line is drawn in two parts, which meet at the last finished step", () => {
  assert.deepEqual(lineParts(answer, [1, 2, 3, 4]), [
    { isUnfinished: false, values: [1, undefined, undefined, undefined] }, { isUnfinished: true, values: [1, 2, 3, 4] }]);
  assert.deepEqual(lineParts({}, [1, 2]), [{ isUnfinished: false, values: [1, 2] }]);
});
