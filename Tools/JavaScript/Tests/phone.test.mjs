import assert from "node:assert/strict";
import test from "node:test";

import { flexOf } from "../../Simulator/Sources/DeviceSimulator/Assets/lib/flex.js";
import { EventQueue } from "../../Simulator/Sources/DeviceSimulator/Assets/lib/link.js";
import { SymbolEffects, wayOfText } from "../../Simulator/Sources/DeviceSimulator/Assets/phone/effects.js";
import { color, fill, letters, origin, radius } from "../../Simulator/Sources/DeviceSimulator/Assets/lib/style.js";
import { DateWords, parse, write } from "../../Simulator/Sources/DeviceSimulator/Assets/phone/moments.js";

/** How the first node of a tree of `[kind, properties, ...children]` expands. */
function flexOfTree(tree) {
  const views = new Map();
  const add = ([kind, properties = {}, ...children], parent) => {
    const id = views.size + 1;
    const view = { record: { kind, properties, parent, children: [] } };
    views.set(id, view);
    view.record.children = children.map((child) => add(child, id));
    view.flex = flexOf(view.record, (other) => views.get(other));
    return id;
  };
  return views.get(add(tree)).flex;
}

test("a stack expands with a spacer along it, and with a divider across it", () => {
  assert.deepEqual(flexOfTree(["hstack", {}, ["text"], ["spacer"]]), { h: true, v: false, keptH: false, keptV: false, brief: false });
  assert.deepEqual(flexOfTree(["vstack", {}, ["text"], ["divider"]]), { h: true, v: false, keptH: false, keptV: false, brief: false });
  assert.deepEqual(flexOfTree(["vstack", {}, ["hstack", {}, ["spacer"]], ["spacer"]]), { h: true, v: true, keptH: false, keptV: false, brief: false });
});

test("a fixed frame keeps its size through wrappers, and a maximum lets it grow", () => {
  assert.deepEqual(flexOfTree(["padding", {}, ["frame", { width: 20 }, ["color"]]]), { h: false, v: true, keptH: true, keptV: false, brief: false });
  assert.deepEqual(flexOfTree(["frame", { maxWidth: "infinity" }, ["text"]]), { h: true, v: false, keptH: false, keptV: false, brief: false });
  assert.deepEqual(flexOfTree(["fixedSize", { horizontal: true }, ["color"]]), { h: false, v: true, keptH: false, keptV: false, brief: false });
});

test("an image keeps its size in buttons and padding, and a short text is not broken by a longer one", () => {
  const kept = (...tree) => flexOfTree(tree).keptH;
  assert.deepEqual([kept("button", {}, ["image"]), kept("paint", {}, ["padding", {}, ["image"]]), kept("menu", {}, ["label", {}, ["image"]], ["choices"])], [true, true, true]);
  assert.deepEqual([kept("image", { resizable: true }), kept("button", {}, ["label", {}, ["image"], ["text"]])], [false, false]);
  const brief = (...tree) => flexOfTree(tree).brief;
  assert.deepEqual([brief("button", {}, ["text", { text: "Add" }]), brief("text", { text: "long ".repeat(9) }), brief("hstack", {}, ["text", { text: "Add" }])], [true, false, false]);
});

test("a color or fill of the tree is CSS, and one that is unknown is the accent", () => {
  assert.deepEqual(["", "red", "#ff8800", "primary/60", "url(x)"].map(color),
    ["", "var(--c-red)", "#ff8800", "color-mix(in srgb, var(--c-primary) 60%, transparent)", "var(--c-accent)"]);
  assert.deepEqual(fill("linear:0,0,1,0;red 0;blue 100"), { background: "linear-gradient(90deg, var(--c-red) 0%, var(--c-blue) 100%)" });
  assert.deepEqual(fill("linear:0,0,1,0;red 0"), { background: "transparent" });
});

test("a color is mixed of others, also in a gradient, and a material may be paler", () => {
  assert.equal(color("mix(red|blue|40)"), "color-mix(in oklab, var(--c-red), var(--c-blue) 40%)");
  assert.equal(color("mixRGB(red/50|mix(blue|#000000|5)|10)/80"),
    "color-mix(in srgb, color-mix(in srgb, color-mix(in srgb, var(--c-red) 50%, transparent), color-mix(in oklab, var(--c-blue), #000000 5%) 10%) 80%, transparent)");
  assert.equal(color("mix(red|blue|40)+"), "color-mix(in srgb, color-mix(in oklab, var(--c-red), var(--c-blue) 40%) 80%, white)");
  assert.deepEqual(fill("linear:0,0,1,0;mix(red|blue|40) 0;blue 100"), { background: "linear-gradient(90deg, color-mix(in oklab, var(--c-red), var(--c-blue) 40%) 0%, var(--c-blue) 100%)" });
  assert.equal(fill("material:thin/40").background, "color-mix(in srgb, var(--c-material) 40%, transparent)");
});

test("shapes, anchors and fonts have their values in CSS", () => {
  assert.deepEqual([{ shape: "circle" }, { shape: "capsule" }, { radius: 8 }, {}].map(radius), ["50%", "999px", "8px", "0"]);
  assert.deepEqual([undefined, "0.5,0", "x"].map(origin), ["50% 50%", "50% 0%", "0% 0%"]);
  const font = letters({ fontSize: 17, fontStyle: "body", underline: true });
  assert.deepEqual([font["font-size"], font["line-height"], font["text-decoration"], font["font-family"]], ["17px", 22 / 17, "underline", undefined]);
});

test("events are sent one at a time in order, and a change replaces the one that waits", async (context) => {
  const sent = [];
  const answers = [];
  context.mock.method(globalThis, "fetch", (_url, { body }) => {
    sent.push(JSON.parse(body));
    return new Promise((done) => answers.push((number) => done(Response.json({ number }))));
  });
  const settled = [];
  const queue = new EventQueue({ onFailure: (error) => assert.fail(error) });
  queue.onSettled(2, () => settled.push(2));
  queue.send(1, "tap");
  queue.send(2, "change", "a");
  queue.send(2, "change", "ab");
  assert.deepEqual(sent, [{ node: 1, action: "tap", value: null }]);
  assert.equal(queue.pending(2), 1);
  answers.shift()(7);
  while (answers.length === 0) await new Promise(setImmediate);
  assert.deepEqual(sent[1], { node: 2, action: "change", value: "ab" });
  // The outcome comes before the response to the event.
  queue.settled(8);
  answers.shift()(8);
  while (queue.pending(2) > 0) await new Promise(setImmediate);
  assert.deepEqual(settled, [2]);
  assert.equal(queue.pending(1), 1);
  queue.settled(7);
  assert.deepEqual([queue.pending(1), queue.waited], [0, 0]);
});

test("a report replaces the one of the same node that waits, and one that fails is not shown", async (context) => {
  const sent = [];
  const answers = [];
  context.mock.method(globalThis, "fetch", (_url, { body }) => {
    sent.push(JSON.parse(body));
    return new Promise((done) => answers.push(done));
  });
  const queue = new EventQueue({ onFailure: (error) => assert.fail(error) });
  const reports = [[1, "scroll", 10], [1, "scroll", 20], [2, "measure", 5], [1, "tap", null], [1, "scroll", 30], [2, "scroll", 7]];
  for (const report of reports) queue.send(...report);
  const order = [[1, 10], [1, 30], [2, 5], [1, null], [2, 7]];
  for (const count of order.keys()) {
    while (answers.length === 0) await new Promise(setImmediate);
    const isTap = sent[count].action === "tap";
    answers.shift()(isTap ? Response.json({ number: 3 }) : new Response("{}", { status: 500 }));
  }
  assert.deepEqual(sent.map(({ node, value }) => [node, value]), order);
});

test("each effect of a symbol runs for its own changes, also two of one name", () => {
  const started = [];
  const drawing = {
    children: [],
    animate(_frames, { iterations, duration }) {
      const animation = { cancel: () => started.push("cancelled") };
      started.push(`${iterations} times ${duration}`);
      return animation;
    },
  };
  const effects = new SymbolEffects();
  const update = (...list) => {
    effects.update(drawing, list, false);
    return started.splice(0);
  };
  assert.deepEqual(update(["bounce up", 1, 1, 0], ["bounce up", 2, 1, 0], ["pulse", 0, 1]), ["Infinity times 1400"]);
  assert.deepEqual(update(["bounce up", 1, 1, 0], ["bounce up", 2, 1, 0], ["pulse", 0, 1]), []);
  assert.deepEqual(update(["bounce up", 1, 1, 0], ["bounce up", 2, 1, 1], ["pulse", 0, 1]), ["2 times 500"]);
  assert.deepEqual(update(["bounce up", 1, 1, 0], ["bounce up", 2, 1, 1], ["pulse", 0, 2]), ["cancelled", "Infinity times 700"]);
});

test("a text with a value moves down when the value falls", () => {
  const way = (contentValue, before) => wayOfText({ contentTransition: "numericValue", contentValue }, before);
  assert.deepEqual([way(2, 1), way(1, 2), way(-1, 0), way(1, undefined)], ["numericUp", "numericDown", "numericDown", "numericUp"]);
  assert.equal(wayOfText({ contentTransition: "opacity" }, 1), "opacity");
});

test("a date picker reads and writes the app's dates as they are, and has words for them in the phone's locale", () => {
  for (const [text, components] of [["2026-11-25", "date"], ["17:30", "time"], ["2026-11-25T17:30", "dateTime"]]) {
    assert.equal(write(parse(text, components), components), text);
  }
  assert.equal(parse("soon", "date"), 0);
  const [english, german, unknown] = ["en-US", "de-DE", "no locale"].map((locale) => new DateWords(locale));
  const moment = parse("2026-11-25T17:05", "dateTime");
  assert.deepEqual([english.hour12, german.hour12, unknown.locale], [true, false, "en"]);
  assert.deepEqual([english.part(moment, { hour: "numeric" }, "hour"), english.part(moment, { hour: "numeric" }, "dayPeriod")], ["5", "PM"]);
  assert.deepEqual([german.format(moment, { dateStyle: "medium" }), german.two(5), german.month(1)], ["25.11.2026", "05", "nächsten Monat"]);
});
