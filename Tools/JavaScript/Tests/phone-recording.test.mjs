import assert from "node:assert/strict";
import test from "node:test";

import "./document.mjs";

const { RecordingPanel } = await import("../../Simulator/Sources/DeviceSimulator/Assets/panels/recording.js");

function made() {
  const asked = [];
  const recording = { command: async (name) => asked.push(name), read: async () => "scenario: A\n", url: "http://phone/recording" };
  return { panel: new RecordingPanel(document.createElement("section"), recording), asked };
}

test("the panel offers to record, then to stop, then the file", async () => {
  const { panel } = made();
  const shown = () => [panel.start, panel.stop, panel.file, panel.text].map((part) => !part.hidden);
  assert.deepEqual(shown(), [true, false, false, false]);
  await panel.update({ recording: { isOn: true, steps: 1 } });
  assert.deepEqual(shown(), [false, true, false, true]);
  assert.equal(panel.note.textContent, "recording, 1 step");
  assert.equal(panel.text.textContent, "scenario: A\n");
  await panel.update({ recording: { isOn: false, steps: 7 } });
  assert.deepEqual(shown(), [true, false, true, true]);
  assert.equal(panel.note.textContent, "7 steps");
  assert.equal(panel.file.getAttribute("href"), "http://phone/recording");
});

test("the text is read again only if the recording has changed", async () => {
  const { panel } = made();
  let reads = 0;
  panel.read = async () => String(reads += 1);
  await panel.update({ recording: { isOn: true, steps: 1 } });
  await panel.update({ recording: { isOn: true, steps: 1 } });
  assert.equal(reads, 1);
  await panel.update({ recording: { isOn: true, steps: 2 } });
  assert.equal(panel.text.textContent, "2");
});
