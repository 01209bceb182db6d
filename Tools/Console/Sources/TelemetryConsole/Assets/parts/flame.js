// @ts-check
// A flame graph: merged stacks in which each function is as wide as its share of the time.

import { h, replace } from "./dom.js";
import { decimalPercent, duration, plural } from "../shared/format.js";
import { fileName } from "./stack.js";

/** The smallest share for which a function is drawn. */
const smallest = 0.004;

/** How many of the innermost functions that all stacks share are drawn. */
const sharedShown = 10;

/**
 * @param label The name of the graph for screen readers.
 * @param own The title of the table of the marked functions.
 * @param amount The words for a number of `seconds`, which may be of another unit.
 */
export function flameView(flame, label, own = "Self time of the app’s functions", amount = (seconds) => duration(seconds * 1e9)) {
  const chart = h("div", { class: "flame", role: "tree", "aria-label": label });
  const path = h("div", { class: "flame-path faint" });
  const trunk = trunkOf(flame);
  show(trunk);

  function show(node) {
    const rows = [];
    lay(node, 0, 1, 0, rows);
    replace(path,
      node === trunk
        ? (trunk.skipped ? ["Hidden: ", h("button", { class: "quiet", type: "button", onclick: () => show(flame) }, plural(trunk.skipped, "function")), " that all stacks share."] : "Click a function to zoom in.")
        : h("button", { class: "quiet", type: "button", onclick: () => show(trunk) }, node === flame ? "Show less" : "Show all"));
    replace(chart, rows.map((row) => h("div", { class: "flame-row" }, row.map(({ node: it, left, width }) =>
      h("button", { class: `flame-part ${it.own ? "own" : ""}`, type: "button", role: "treeitem", title: `${it.name}\n${words(it)}`,
        "aria-label": `${it.name}, ${words(it)}`, style: { left: `${left * 100}%`, width: `calc(${width * 100}% - 1px)` }, onclick: () => show(it === node ? trunk : it) },
      width > 0.03 ? it.name : null)))));
  }

  function words(node) {
    const place = node.file ? `, ${fileName(node.file)}${node.line ? `:${node.line}` : ""}` : "";
    return `${percent(node.seconds / flame.seconds)} of the whole, ${amount(node.seconds)}${place}`;
  }

  return h("div", { class: "flame-view", "data-whole": true }, chart, path, ownTable(flame, own, amount));
}

function lay(node, left, width, depth, rows) {
  (rows[depth] ??= []).push({ node, left, width });
  let start = left;
  for (const child of node.children ?? []) {
    const part = (child.seconds / node.seconds) * width;
    if (part >= smallest) lay(child, start, part, depth + 1, rows);
    start += part;
  }
}

/** The node at which the graph starts: a few functions above the first one with several callees. */
function trunkOf(flame) {
  const shared = [flame];
  while (shared.at(-1).children?.length === 1 && shared.at(-1).children[0].seconds >= flame.seconds * 0.999) shared.push(shared.at(-1).children[0]);
  const skipped = Math.max(shared.length - sharedShown, 0);
  return { ...shared[skipped], skipped };
}

/** The app's functions by self time: the time in which each was the app's innermost function. */
function ownTable(flame, heading, amount) {
  const sums = new Map();
  (function visit(node, owner) {
    const inner = node.own ? node : owner;
    const inChildren = (node.children ?? []).reduce((sum, child) => sum + child.seconds, 0);
    if (inner && node.seconds > inChildren + 1e-9) {
      const key = `${inner.name} ${inner.file ?? ""}:${inner.line ?? ""}`;
      const known = sums.get(key) ?? { node: inner, seconds: 0 };
      known.seconds += node.seconds - inChildren;
      sums.set(key, known);
    }
    for (const child of node.children ?? []) visit(child, inner);
  })(flame, undefined);
  const rows = [...sums.values()].sort((a, b) => b.seconds - a.seconds).slice(0, 8);
  if (!rows.length) return null;
  return h("section", { class: "own-time" }, h("h3", {}, heading),
    rows.map(({ node, seconds }) => h("div", { class: "own-row" },
      h("span", { class: "num end" }, percent(seconds / flame.seconds)), h("span", { class: "num end faint" }, amount(seconds)),
      h("span", { class: "mono clip" }, node.name), h("span", { class: "mono faint clip end", title: node.file ?? "" }, node.file ? `${fileName(node.file)}${node.line ? `:${node.line}` : ""}` : ""))));
}

function percent(share) {
  return decimalPercent(share, share < 0.1 ? 1 : 0);
}
