import assert from "node:assert/strict";
import test, { afterEach } from "node:test";

import { document, selection } from "./document.mjs";

const { h, update, updateList } = await import("../../Console/Sources/TelemetryConsole/Assets/parts/dom.js");

const words = (element) => element.children.map((child) => child.textContent).join(" ");

afterEach(() => {
  document.activeElement = null;
  selection.anchorNode = null;
});

test("a row that moves or changes stays the same element, with the focus", () => {
  const list = h("div");
  const show = (...names) => update(list, names.map((name) => h("a", { href: `/${name}`, class: "entry" }, name)));
  show("a", "b", "c");
  const [, b] = list.children;
  b.focus();
  for (const names of [["x", "a", "b", "c"], ["b", "y", "a"], ["y", "c", "b"], ["b"]]) {
    show(...names);
    assert.equal(words(list), names.join(" "));
    assert.ok(list.children.includes(b));
    assert.equal(document.activeElement, b);
  }
});

test("text, attributes and styles change in place, and an absent child goes", () => {
  const box = h("div");
  update(box, h("p", { class: "a", title: "one", style: { width: "1%" } }, "1 ", h("b", {}, "error")), h("small", {}, "note"));
  const [line] = box.children;
  const [number, bold] = line.childNodes;
  update(box, h("p", { class: "a bad", style: { width: "2%" } }, "2 ", h("b", {}, "errors")), null);
  assert.deepEqual(box.children, [line]);
  assert.deepEqual(line.childNodes, [number, bold]);
  assert.equal(line.textContent, "2 errors");
  assert.deepEqual(line.attributes, [{ name: "class", value: "a bad" }, { name: "style", value: "width:2%;" }]);
});

test("a kept element does what the new one would, and nothing of the old", () => {
  const box = h("div");
  const done = [];
  update(box, h("button", { onclick: () => done.push("old"), onfocus: () => done.push("focus") }));
  const [button] = box.children;
  update(box, h("button", { onclick: () => done.push("new"), onkeydown: () => done.push("key") }));
  for (const type of ["click", "focus", "keydown"]) button.dispatch(type);
  assert.deepEqual(done, ["new", "key"]);
  update(box, h("button", {}));
  button.dispatch("click");
  assert.deepEqual(done, ["new", "key"]);
});

test("elements of another kind or record are not made into each other", () => {
  const box = h("div");
  update(box, h("div", { class: "empty" }), h("a", { href: "/1" }), h("a", { "data-key": "x", href: "/2" }));
  const before = box.children;
  update(box, h("div", { class: "list" }), h("a", { href: "/3" }), h("a", { "data-key": "x", href: "/9" }));
  assert.deepEqual(box.children.map((child) => before.includes(child)), [false, false, true]);
});

test("a child that is there already stays, wherever it is put", () => {
  const box = h("div");
  const [search, other] = [h("input"), h("input")];
  update(box, search, h("p", {}, "1"), other);
  search.focus();
  update(box, other, h("p", {}, "2"), search);
  assert.deepEqual([box.children[0], box.children[2]], [other, search]);
  assert.equal(document.activeElement, search);
});

test("what a reader unfolded, an open menu, and a picture in use stay", () => {
  const box = h("div");
  const show = (name) => update(box, h("details", {}, name), h("div", { class: "popover", popover: "auto" }, name),
    h("div", { class: "chart-frame", "data-whole": true }, h("svg", {}, name)));
  show("1");
  const [details, menu, chart] = box.children;
  details.setAttribute("open", "");
  menu.isPopoverOpen = true;
  chart.children[0].focus();
  show("2");
  assert.deepEqual([details.hasAttribute("open"), words(box)], [true, "2 1 1"]);
  menu.isPopoverOpen = false;
  document.activeElement = null;
  show("3");
  assert.equal(words(box), "3 3 3");
  assert.notEqual(box.children[2], chart);
});

test("a heading that can have the focus stays so, and another element loses what it no longer has", () => {
  const box = h("div");
  update(box, h("h1", {}, "One"), h("button", { tabindex: "0" }, "One"));
  const [heading, button] = box.children;
  heading.setAttribute("tabindex", "-1");
  update(box, h("h1", {}, "Two"), h("button", {}, "Two"));
  assert.deepEqual([words(box), heading.getAttribute("tabindex"), button.hasAttribute("tabindex")], ["Two Two", "-1", false]);
});

test("the choice of a list follows what is shown", () => {
  const box = h("div");
  const select = () => Object.assign(h("select", { name: "least" }), { value: "" });
  update(box, select());
  const [kept] = box.children;
  kept.value = "100";
  update(box, select());
  assert.deepEqual([box.children[0], kept.value], [kept, ""]);
});

/** A list with rows of these names, and how it is read. */
function listOf(...names) {
  const list = h("div");
  const rows = (all) => all.map((name) => h("a", { class: "entry", href: `/${name[0]}` }, name));
  return { list, show: (all, more = {}) => updateList(list, { head: h("header", {}, "head"), rows: rows(all), foot: h("footer", {}, "foot"), ...more }), first: () => updateList(list, { rows: rows(names), head: h("header", {}, "head"), foot: h("footer", {}, "foot") }) };
}

const readers = {
  "has scrolled": (list) => { list.scrollTop = 90; },
  "has the focus in it": (list) => { list.children[1].focus(); },
  "has selected text in it": (list) => { [selection.anchorNode] = list.children[1].childNodes; },
};

for (const [does, read] of Object.entries(readers)) {
  test(`new rows wait behind their number while a person ${does}, and the rows that are there are updated`, () => {
    const { list, show, first } = listOf("a1", "b1");
    first();
    assert.equal(words(list), "head a1 b1 foot");
    read(list);
    show(["d1", "c1", "a2", "b1"]);
    assert.equal(words(list), "head 2 new a2 b1 foot");
    show(["e1", "d1", "c1", "a3"]);
    assert.equal(words(list), "head 3 new a3 b1 foot");
    list.children[1].children[0].dispatch("click");
    assert.equal(words(list), "head e1 d1 c1 a3 foot");
    assert.deepEqual([list.scrollTop, document.activeElement?.textContent], [0, "e1"]);
  });
}

test("rows come and go at once while no one reads, or when the reader asks for them", () => {
  const { list, show, first } = listOf("a1");
  first();
  show(["b1", "a1"]);
  assert.equal(words(list), "head b1 a1 foot");
  list.scrollTop = 90;
  show(["c1", "b1"], { isAsked: true });
  assert.equal(words(list), "head c1 b1 foot");
  assert.equal(list.scrollTop, 90);
});
