import assert from "node:assert/strict";
import test from "node:test";

import { ReplayFrames } from "../../Console/Sources/TelemetryConsole/Assets/lib/frames.js";

/** The frames of recordings, each a list of `[sequence, timeUs, isKey]`. */
function framesOf(recordings) {
  const frames = new ReplayFrames("s");
  for (const [id, list] of Object.entries(recordings)) {
    frames.known.set(id, new Map(list.map(([sequence, timeUs, isKey]) => [sequence, { recording: id, sequence, timeUs, isKey }])));
  }
  frames.arrange();
  return frames;
}

test("frames without the ones before them are a gap up to the next key frame", () => {
  const frames = framesOf({ a: [[0, 10, true], [1, 20, false], [4, 50, false], [5, 60, false], [6, 70, true], [7, 80, false]] });
  assert.deepEqual(frames.frames.map(({ sequence, key }) => [sequence, key]), [[0, 0], [1, 0], [6, 2], [7, 2]]);
  assert.deepEqual(frames.gaps, [{ from: 20, to: 70, missing: 2 }]);
  assert.deepEqual([frames.start, frames.end], [10, 80]);
  assert.equal(frames.gapAt(30), frames.gaps[0]);
  assert.equal(frames.gapAt(70), undefined);
});

test("a recording that begins without a key frame shows nothing before its first", () => {
  const frames = framesOf({ a: [[3, 10, false], [4, 20, true]] });
  assert.deepEqual(frames.frames.map(({ sequence }) => sequence), [4]);
  assert.deepEqual(frames.gaps, [{ from: 10, to: 20, missing: 0 }]);
});

test("recordings follow one another, and time does not go back", () => {
  const frames = framesOf({ late: [[0, 100, true], [1, 90, false]], early: [[0, 10, true], [1, 120, false]] });
  assert.deepEqual(frames.frames.map(({ recording, at }) => [recording, at]), [["early", 10], ["early", 120], ["late", 120], ["late", 120]]);
});

test("the frame of a moment is the last one up to it", () => {
  const frames = framesOf({ a: [[0, 10, true], [1, 20, false], [2, 20, false], [3, 30, false]] });
  assert.deepEqual([9, 10, 19, 20, 29, 99].map((moment) => frames.indexAt(moment)), [-1, 0, 0, 2, 2, 3]);
});

test("a frame is ready with the content since its key frame, and the oldest content is released first", () => {
  const frames = framesOf({ a: [[0, 10, true], [1, 20, false], [2, 30, true]] });
  frames.frames[1].content = {};
  assert.equal(frames.isReady(1), false);
  frames.frames[0].content = {};
  assert.equal(frames.isReady(1), true);
  assert.equal(frames.isReady(2), false);
  const many = framesOf({ a: Array.from({ length: 2100 }, (_, sequence) => [sequence, sequence, sequence % 10 === 0]) });
  for (const frame of many.frames) { frame.content = {}; many.contents.add(frame); }
  many.forget(0, 9);
  assert.equal(many.contents.size, 1600);
  assert.equal(many.isReady(9), true);
  assert.equal(many.isReady(300), false);
});

test("content that arrives after another recording belongs to the frames that it was asked for", async (context) => {
  const frames = framesOf({ b: [[0, 100, true], [1, 110, false]] });
  context.mock.method(globalThis, "fetch", async () => {
    frames.known.set("a", new Map([[0, { recording: "a", sequence: 0, timeUs: 10, isKey: true }]]));
    frames.arrange();
    return Response.json({ frames: [{ sequence: 0, nodes: ["kept"] }, { sequence: 1, nodes: [] }] });
  });
  await frames.fetch(0);
  assert.deepEqual(frames.known.get("b").get(0).content.nodes, ["kept"]);
});
