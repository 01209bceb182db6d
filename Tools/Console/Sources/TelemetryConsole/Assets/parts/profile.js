// @ts-check
// A profile of OTLP: the event that the console makes of it, drawn as a flame graph.

import { h } from "./dom.js";
import { count, duration } from "../shared/format.js";
import { flameView } from "./flame.js";

const key = (name) => `astrolabe.profile.${name}`;

/** The attributes of a record without the stacks of a profile, which the flame graph shows. */
export function withoutStacks(attributes) {
  return Object.fromEntries(Object.entries(attributes ?? {}).filter(([name]) => name !== key("frames") && name !== key("stacks")));
}

/** The flame graph of a profile; `null` for any other record. */
export function profileView(attributes) {
  const stacks = attributes?.[key("stacks")];
  const frames = attributes?.[key("frames")];
  if (!Array.isArray(stacks) || !Array.isArray(frames) || !stacks.length) return null;
  const unit = attributes[key("unit")] ?? "";
  const amount = unit === "nanoseconds" ? (value) => duration(value) : (value) => `${count(value)} ${unit === "count" ? "" : unit}`.trim();
  /** @type {Node} */
  const root = { name: attributes[key("type")] || "profile", seconds: 0, children: [] };
  for (const { value, frames: members } of stacks) {
    let node = root;
    node.seconds += value;
    // The innermost frame comes first.
    for (const member of [...members].reverse()) {
      const { function: name = "", file = "", line = 0 } = frames[member] ?? {};
      let child = node.children.find((it) => it.name === name && it.file === file);
      if (!child) node.children.push(child = { name, file, line, own: true, seconds: 0, children: [] });
      child.seconds += value;
      node = child;
    }
  }
  sort(root);
  return h("section", { class: "profile" }, flameView(root, `Flame graph of ${root.name}`, "Functions by their own share", amount));
}

/** @typedef {{ name: string, file?: string, line?: number, own?: boolean, seconds: number, children: Node[] }} Node */

/** @param {Node} node */
function sort(node) {
  node.children.sort((a, b) => b.seconds - a.seconds);
  for (const child of node.children) sort(child);
}
