import assert from "node:assert/strict";
import test, { afterEach } from "node:test";

import { withZone } from "../../Console/Sources/TelemetryConsole/Assets/lib/address.js";
import { chooseZone } from "../../ServerSupport/Sources/ServerSupport/Assets/shared/zone.js";

afterEach(() => { chooseZone("local"); });

test("an address names the chosen zone once, and leaves the rest as it is", () => {
  chooseZone("Asia/Kolkata");
  assert.equal(withZone("/sessions"), "/sessions?zone=Asia%2FKolkata");
  assert.equal(withZone("/explore?q=count%20by%20name&zone=UTC&time=1h"), "/explore?q=count%20by%20name&time=1h&zone=Asia%2FKolkata");
});

test("local times need no name", () => {
  assert.equal(withZone("/logs?zone=UTC"), "/logs");
  assert.equal(withZone("/logs?q=a%3Db&zone=UTC"), "/logs?q=a%3Db");
});
