import assert from "node:assert/strict";
import test from "node:test";

import { csvLine, csvTable } from "../../Console/Sources/TelemetryConsole/Assets/lib/csv.js";
import { chooseZone } from "../../ServerSupport/Sources/ServerSupport/Assets/shared/zone.js";

test("a cell with a separator is in quotes, and nothing is an empty cell", () => {
  assert.equal(csvLine(["a,b", 'say "x"', "two\nlines", null, undefined, 0, { a: 1 }]), '"a,b","say ""x""","two\nlines",,,0,"{""a"":1}"');
});

test("a text is no formula of a spreadsheet, and a number stays one", () => {
  assert.equal(csvLine(["=HYPERLINK(1)", "+1", "-2.5", "@x", "-", " -2", "\t1"]), "'=HYPERLINK(1),+1,-2.5,'@x,'-, -2,'\t1");
});

test("rows of different fields share the columns, and moments are ISO 8601", () => {
  chooseZone("UTC");
  const rows = [
    { startUs: 1_764_244_800_123_456, device: { name: "A", tags: ["x", "y"] } },
    { size: { $int: "9007199254740993" }, device: { name: null } },
  ];
  assert.equal(csvTable(rows), [
    "start (UTC),device.name,device.tags,size", "2025-11-27T12:00:00.123456Z,A,x; y,", ",,,9007199254740993",
  ].join("\n"));
});
