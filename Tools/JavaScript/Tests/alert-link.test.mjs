import assert from "node:assert/strict";
import test from "node:test";

import { alertQuery } from "../../Console/Sources/TelemetryConsole/Assets/lib/alert-link.js";

const query = "ratio(where status = \"error\") by service.version where name = \"pay\" having count >= 5 last 24h";

test("an alert leads to the records of the group that fires", () => {
  assert.equal(alertQuery({ query, state: "firing", group: "2.2.0" }),
    "ratio(where status = \"error\") by service.version where name = \"pay\" and service.version = \"2.2.0\" having count >= 5 last 24h");
  assert.equal(alertQuery({ query: "count by name last 1h", state: "firing", group: "a, b" }), "count by name where name = \"a, b\" last 1h");
  assert.equal(alertQuery({ query: "count by os.name, os.version where a = 1 or b = 2 last 1h", state: "firing", group: "iOS, (missing)" }),
    "count by os.name, os.version where (a = 1 or b = 2) and os.name = \"iOS\" and os.version not exists last 1h");
});

test("an alert that does not fire, or without a known group, leads to all its records", () => {
  for (const alert of [{ state: "ok", group: "2.2.0" }, { state: "firing" }]) assert.equal(alertQuery({ query, ...alert }), query);
  const two = "count by os.name, os.version last 1h";
  assert.equal(alertQuery({ query: two, state: "firing", group: "a, b, c" }), two);
});
