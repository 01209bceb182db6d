import assert from "node:assert/strict";
import test, { afterEach } from "node:test";

import { csvTable } from "../../Console/Sources/TelemetryConsole/Assets/lib/csv.js";
import { timeTicks } from "../../Console/Sources/TelemetryConsole/Assets/lib/axes.js";
import { dayAndMinute, minute, moment, time } from "../../ServerSupport/Sources/ServerSupport/Assets/shared/format.js";
import {
  chooseZone, clockText, isoTime, isRepeated, localZoneName, offsetText, timesOf, zone, zoneName, zoneTitle,
} from "../../ServerSupport/Sources/ServerSupport/Assets/shared/zone.js";

/** In microseconds since 1970. */
const at = (text) => Date.parse(text) * 1e3;

afterEach(() => { chooseZone("local"); });

test("one time reads the same in every part of a page, in the chosen zone and one language", () => {
  const start = at("2026-11-26T18:57:04Z");
  const read = (name) => { chooseZone(name); return [moment(start), time(start), offsetText(start)]; };
  assert.deepEqual(read("Asia/Kolkata"), ["Nov 27, 2026, 00:27:04", "00:27:04", "UTC+5:30"]);
  assert.deepEqual(read("Europe/Berlin"), ["Nov 26, 2026, 19:57:04", "19:57:04", "UTC+1"]);
  assert.deepEqual(read("America/New_York"), ["Nov 26, 2026, 13:57:04", "13:57:04", "UTC−5"]);
  assert.deepEqual(read("UTC"), ["Nov 26, 2026, 18:57:04", "18:57:04", "UTC"]);
});

test("a zone that does not exist is refused, and the one before stays", () => {
  assert.equal(chooseZone("Asia/Tokyo"), true);
  assert.equal(chooseZone("Mars/Olympus"), false);
  assert.deepEqual([zone(), zoneName(), zoneTitle(at("2026-11-26T18:57:04Z"))], ["Asia/Tokyo", "Asia/Tokyo", "Asia/Tokyo, UTC+9"]);
  chooseZone("local");
  assert.deepEqual([zone(), zoneName()], ["local", localZoneName]);
  chooseZone("UTC");
  assert.equal(zoneTitle(), "UTC");
});

test("the hour that a clock shows twice has its offset, and no other", () => {
  chooseZone("America/New_York");
  const [first, second] = [at("2026-11-01T05:30:00Z"), at("2026-11-01T06:30:00Z")];
  assert.deepEqual([minute(first), minute(second)], ["01:30 UTC−4", "01:30 UTC−5"]);
  assert.equal(dayAndMinute(second), "Nov 1, 01:30 UTC−5");
  assert.deepEqual([isRepeated(at("2026-11-01T04:59:59Z")), isRepeated(at("2026-11-01T07:00:00Z"))], [false, false]);
  assert.equal(isRepeated(at("2026-03-08T07:00:00Z")), false, "a clock that is set forward repeats nothing");
  chooseZone("Australia/Lord_Howe");
  assert.equal(isRepeated(at("2026-04-04T14:45:00Z")), true, "it is set back by half an hour");
  assert.equal(isRepeated(at("2026-04-04T14:15:00Z")), false);
  chooseZone("UTC");
  assert.equal(isRepeated(first), false);
});

test("a text of the clock has one time, two where it was set back, and none if it is no time", () => {
  chooseZone("America/New_York");
  assert.deepEqual(timesOf("2026-11-27T14:05"), [at("2026-11-27T19:05:00Z")]);
  assert.deepEqual(timesOf("2026-11-01T01:30:00"), [at("2026-11-01T05:30:00Z"), at("2026-11-01T06:30:00Z")]);
  assert.deepEqual(timesOf("2026-03-08T02:30:00"), [at("2026-03-08T07:30:00Z")], "an hour that was passed over");
  assert.deepEqual(timesOf(""), []);
  for (const text of ["2026-01-31T23:59:59", "2026-07-01T00:00:00", "2026-11-01T01:30:00"]) {
    for (const timeUs of timesOf(text)) assert.equal(clockText(timeUs), text);
  }
});

test("a file names the zone, and its times have the offset", () => {
  const start = 1_764_244_800_123_456;
  chooseZone("Asia/Kolkata");
  assert.equal(isoTime(start), "2025-11-27T17:30:00.123456+05:30");
  assert.equal(csvTable([{ startUs: start }]), "start (Asia/Kolkata)\n2025-11-27T17:30:00.123456+05:30");
  assert.equal(Date.parse(isoTime(start)), Math.floor(start / 1e3));
  chooseZone("UTC");
  assert.equal(csvTable([{ startUs: start }]), "start (UTC)\n2025-11-27T12:00:00.123456Z");
});

test("the ticks of an axis are round in the zone, also after its clock is set back", () => {
  chooseZone("Asia/Kolkata");
  assert.deepEqual(timeTicks(at("2026-11-26T18:00:00Z"), at("2026-11-26T20:40:00Z"), 4).map(({ text }) => text), ["Nov 27", "01:00", "02:00"]);
  chooseZone("America/New_York");
  const days = timeTicks(at("2026-10-31T04:00:00Z"), at("2026-11-03T05:00:00Z"), 4);
  assert.deepEqual(days.map(({ text }) => text), ["Oct 31", "Nov 1", "Nov 2", "Nov 3"]);
  assert.ok(days.every(({ timeUs }) => clockText(timeUs).endsWith("T00:00:00")));
});
