// @ts-check
// A phone that shows a wireframe: bars for words, and boxes for images.

import { h, replace, svg } from "./dom.js";

/** The maximum number of word bars on one screen. */
const barLimit = 4_000;

const names = new Set(["primary", "secondary", "tertiary", "accent", "background", "gray", "red", "orange", "yellow", "green", "mint", "teal", "cyan", "blue", "indigo", "purple", "pink", "brown", "white", "black"]);

/** Converts a color such as "accent" or "#ff8800/40", where the number is the opacity in percent. */
function color(text) {
  if (!text || text.startsWith("clear")) return "";
  const [base, share] = text.split("/");
  const value = names.has(base) ? `var(--w-${base})` : base;
  return share === undefined ? value : `color-mix(in srgb, ${value} ${share}%, transparent)`;
}

/** The color scheme of a screen with that background color, or "" for the page's scheme. */
function schemeOf(fill) {
  if (!/^#[0-9a-f]{6}$/i.test(fill ?? "")) return "";
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(fill.slice(at, at + 2), 16));
  return 0.3 * red + 0.6 * green + 0.1 * blue < 128 ? "dark" : "light";
}

const cross = { leading: "flex-start", center: "center", trailing: "flex-end", top: "flex-start", bottom: "flex-end" };
const place = { leading: "start", center: "center", trailing: "end", top: "start", bottom: "end" };
const points = (value) => (value === undefined ? "" : `${value}px`);

function glyph(className, path) {
  return svg("svg", { class: className, viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", "stroke-width": "1.5", "stroke-linejoin": "round", "stroke-linecap": "round" }, svg("path", { d: path }));
}

const picture = "M5 4.500h14A1.5 1.5 0 0 1 20.5 6v12a1.5 1.5 0 0 1-1.5 1.500H5A1.5 1.5 0 0 1 3.5 18V6A1.5 1.5 0 0 1 5 4.500ZM4 17l4.8-5 3.7 3.8 2.5-2.6 5 4.800M15.5 10.300a1.4 1.4 0 1 0 0-2.8 1.4 1.4 0 0 0 0 2.800Z";
const chevrons = "m9 9.5 3-3 3 3M9 14.500l3 3 3-3";

/** The part that a control draws next to its content. */
const ends = {
  toggle: (node) => h("b", { class: `w-switch ${node.on ? "on" : ""}` }),
  slider: (node) => h("b", { class: "w-track w-slide", style: { "--share": node.fraction ?? 0.5 } }, h("i", {}), h("u", {})),
  progress: (node) => (node.fraction === undefined ? h("b", { class: "w-spinner" }) : h("b", { class: "w-track", style: { "--share": node.fraction } }, h("i", {}))),
  stepper: () => h("b", { class: "w-stepper" }, h("i", {}), h("i", {})),
  picker: () => h("b", { class: "w-chevrons" }, glyph("", chevrons)),
  image: () => h("b", { class: "w-picture" }, glyph("", picture)),
};

export class WireframeView {
  constructor() {
    this.views = new Map();
    this.tapped = new Set();
    /** How many bars the next nodes may have. */
    this.bars = 0;
    this.clock = h("span", {});
    this.status = h("div", { class: "w-status", "aria-hidden": "true" }, this.clock, h("i", {}));
    this.screen = h("div", { class: "w-screen" });
    this.touch = h("i", { class: "w-touch", hidden: true });
    this.cover = h("div", { class: "w-cover", hidden: true });
    this.glass = h("div", { class: "w-glass" }, this.screen, this.status, this.touch, h("i", { class: "w-island" }), h("i", { class: "w-home" }));
    /** A picture for screen readers. What covers it may have a link. */
    this.picture = h("div", { class: "w-bezel", role: "img" }, this.glass);
    this.body = h("div", { class: "w-phone" }, this.picture, this.cover);
    this.element = h("div", { class: "stage" }, this.body);
    this.size = [393, 852];
    this.resizing = new ResizeObserver(() => this.fit());
    this.resizing.observe(this.element);
  }

  destroy() {
    this.resizing.disconnect();
  }

  /** Scales the phone to the available space. */
  fit() {
    const [width, height] = this.size;
    const room = this.element.getBoundingClientRect();
    const rim = 20;
    const scale = Math.max(Math.min((room.width - 4) / (width + rim), (room.height - 4) / (height + rim), 1.2), 0.05);
    this.body.style.width = `${(width + rim) * scale}px`;
    this.body.style.height = `${(height + rim) * scale}px`;
    this.body.style.setProperty("--scale", scale);
    this.glass.style.width = `${width}px`;
    this.glass.style.height = `${height}px`;
    this.element.dataset.form = height / width > 1.9 ? "island" : height / width > 1.6 ? "button" : "wide";
  }

  /** Draws a wireframe. Reuses the elements of nodes that are still there. */
  draw(wireframe) {
    if (String(this.size) !== String(wireframe.size)) {
      this.size = wireframe.size;
      this.fit();
    }
    const tree = wireframe.tree();
    for (const [id, view] of this.views) {
      if (tree.has(id)) continue;
      view.element.remove();
      this.views.delete(id);
    }
    this.bars = barLimit;
    for (const [id, children] of tree) this.place(id, wireframe.nodes.get(id), children);
    this.glass.style.colorScheme = schemeOf(wireframe.nodes.get(wireframe.root)?.fill);
    const root = this.views.get(wireframe.root)?.element;
    if (this.screen.firstChild !== root || this.screen.childElementCount > 1) replace(this.screen, root);
    for (const [id, children] of tree) this.arrange(this.views.get(id), children);
    // Parents come before their children, so the origin of the surrounding box is known.
    for (const [id, children] of tree) {
      const { origin } = this.views.get(id);
      for (const child of children) this.locate(this.views.get(child), origin);
    }
  }

  place(id, node, children) {
    let view = this.views.get(id);
    if (view && view.node.role !== node.role) {
      view.element.remove();
      view = undefined;
    }
    if (!view) {
      view = { element: h("div", {}), origin: [0, 0] };
      this.views.set(id, view);
    }
    if (view.node !== node) {
      const words = JSON.stringify([node.words, node.text, node.on, node.fraction, node.role]);
      if (view.words !== words) {
        view.words = words;
        view.parts?.forEach((part) => part.remove());
        view.parts = [this.content(node), ends[node.role]?.(node)].filter(Boolean);
        view.children = undefined;
      }
      view.node = node;
      this.paint(view);
    }
    const isLeaf = children.length === 0;
    view.element.classList.toggle("w-leaf", isLeaf);
  }

  /** The text of a node if it is not masked, otherwise one bar per word. */
  content({ words, text, role }) {
    if (text !== undefined) return h("span", { class: "w-text" }, text);
    if (!words?.length) return role === "field" ? h("span", { class: "w-words" }) : null;
    const bars = words.slice(0, Math.max(this.bars, 0));
    this.bars -= bars.length;
    return h("span", { class: "w-words" }, bars.map((length) => h("i", { style: { width: `${(length * 0.5 + 0.06).toFixed(2)}em` } })));
  }

  paint({ element, node }) {
    element.className = ["w", `w-${node.role}`, node.bold && "w-bold", node.dim && "w-dim", node.grow && "w-grow", node.box && "w-boxed", node.fill && "w-filled", node.ink && "w-inked"].filter(Boolean).join(" ");
    if (node.name === undefined) delete element.dataset.name;
    else element.dataset.name = node.name;
    element.dataset.node = node.id;
    const { style } = element;
    style.cssText = "";
    const set = (name, value) => { if (value !== "" && value !== undefined) style.setProperty(name, value); };
    const align = (node.align ?? "").split(" ");
    if (node.padding) set("padding", [0, 3, 2, 1].map((side) => points(Math.max(node.padding[side], 0))).join(" "));
    set("gap", node.spacing === undefined ? "" : points(Math.max(node.spacing, 0)));
    set("font-size", points(node.size));
    set("background", color(node.fill));
    set("color", color(node.ink));
    set("border-radius", points(node.radius));
    set("grid-template-columns", node.role === "grid" ? `repeat(${node.columns ?? 2}, minmax(0, 1fr))` : "");
    if (node.align && node.role === "layer") {
      set("justify-items", place[align.find((word) => word === "leading" || word === "trailing")] ?? "center");
      set("align-items", place[align.find((word) => word === "top" || word === "bottom")] ?? "center");
    } else if (node.align) set("align-items", cross[align[0]]);
    if (node.box) {
      set("width", points(node.box[2]));
      set("height", points(node.box[3]));
    } else {
      set("width", points(node.width));
      set("height", points(node.height));
      if (node.width !== undefined || node.height !== undefined) set("flex-shrink", "0");
    }
  }

  /** Puts the children in order. Moves only those that are in the wrong place. */
  arrange(view, children) {
    const key = children.join();
    const { element, parts = [] } = view;
    if (view.children === key && children.every((id) => this.views.get(id).element.parentElement === element)) return;
    view.children = key;
    const [first, last] = [parts.filter((part) => !part.matches("b")), parts.filter((part) => part.matches("b"))];
    const wanted = [...first, ...children.map((id) => this.views.get(id).element), ...last];
    wanted.forEach((child, index) => {
      if (element.children[index] !== child) element.insertBefore(child, element.children[index] ?? null);
    });
    while (element.childElementCount > wanted.length) element.lastElementChild.remove();
  }

  locate(view, around) {
    const { node, element } = view;
    view.origin = node.box ? [node.box[0], node.box[1]] : around;
    if (!node.box) return;
    element.style.left = `${node.box[0] - around[0]}px`;
    element.style.top = `${node.box[1] - around[1]}px`;
  }

  /** Highlights the touched nodes, or a point of the screen if no node matches. */
  setTaps(ids, point) {
    for (const id of this.tapped) if (!ids.has(id)) this.views.get(id)?.element.classList.remove("w-tapped");
    for (const id of ids) this.views.get(id)?.element.classList.add("w-tapped");
    this.tapped = ids;
    const target = [...ids].map((id) => this.views.get(id)?.element).find(Boolean);
    const at = target ? this.centre(target) : point;
    this.touch.hidden = !at;
    if (at) [this.touch.style.left, this.touch.style.top] = [`${at[0]}px`, `${at[1]}px`];
  }

  centre(element) {
    const [box, glass] = [element.getBoundingClientRect(), this.glass.getBoundingClientRect()];
    const scale = glass.width / this.size[0] || 1;
    return [(box.left + box.width / 2 - glass.left) / scale, (box.top + box.height / 2 - glass.top) / scale];
  }

  clear() {
    for (const { element } of this.views.values()) element.remove();
    this.views.clear();
    this.setTaps(new Set());
  }
}
