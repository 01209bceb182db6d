// @ts-check
// The renderers of nodes, by kind. This file has those that lay out, paint and show content; lists, controls, fields,
// pages and modals have files of their own.

import { controls } from "./controls.js";
import { h, replace } from "../lib/dom.js";
import { dragArea } from "./drag.js";
import { replaceSymbol, replaceText, SymbolEffects, wayOfText } from "./effects.js";
import { fields } from "./fields.js";
import { contextMenu, holdArea } from "./hold.js";
import { lists } from "./lists.js";
import { drawMesh } from "./mesh.js";
import { modals } from "./modals.js";
import { nodeKinds } from "./node-kinds.js";
import { pages } from "./pages.js";
import { clip, paint, shape } from "./paths.js";
import { color, cross, fill, letters, origin, points, setStyles } from "../lib/style.js";
import { symbol } from "./symbols.js";
import { makeView } from "./view.js";

/** Creates a renderer for a box around one view, or around several in a column. */
function wrapper(className, style) {
  return (record, screen) => {
    const element = h("div", { class: `col ${className}` });
    return makeView(record, screen, { element, update: ({ properties }) => setStyles(element, style?.(properties) ?? {}) });
  };
}

function stack(className, style) {
  return (record, screen) => {
    const element = h("div", { class: className });
    return makeView(record, screen, { element, update: ({ properties }) => setStyles(element, style(properties)) });
  };
}

const filters = {
  grayscale: (amount) => `grayscale(${amount})`, saturation: (amount) => `saturate(${amount})`,
  contrast: (amount) => `contrast(${amount})`, hueRotation: (degrees) => `hue-rotate(${degrees}deg)`,
};

const baselines = { firstTextBaseline: "first baseline", lastTextBaseline: "last baseline" };

function text(record, screen) {
  const element = h("span", { class: "text" });
  let shown;
  let value;
  return makeView(record, screen, {
    element,
    slots: () => [],
    update({ properties }) {
      if (shown !== undefined && shown !== properties.text && properties.contentTransition && screen.animation) {
        replaceText(element, wayOfText(properties, value), screen.animation);
      }
      shown = properties.text;
      value = properties.contentValue;
      if (Array.isArray(properties.runs)) {
        replace(element, properties.runs.map(([words, attributes], index) => {
          const { link, symbol: name, ...style } = Object.fromEntries(attributes);
          const tap = () => screen.device.send(record.id, "tap", index);
          const run = link
            ? h("button", { type: "button", class: "text-link", role: "link", onclick: tap }, words)
            : h("span", { class: name ? "inline-symbol" : "" }, name ? symbol(name, style.fontWeight) : words);
          setStyles(run, { ...letters(style), "line-height": undefined });
          return run;
        }));
      } else if (element.textContent !== properties.text) {
        element.textContent = properties.text ?? "";
      }
      const limit = properties.lineLimit;
      element.classList.toggle("limited", limit !== undefined);
      element.classList.toggle("selectable", properties.selectable === true);
      setStyles(element, {
        ...letters(properties),
        "text-align": { center: "center", trailing: "var(--text-end)" }[properties.alignment],
        "-webkit-line-clamp": limit,
        "min-height": properties.leastLines ? `${properties.leastLines}lh` : undefined,
        "padding-bottom": properties.lineSpacing ? points(properties.lineSpacing) : undefined,
      });
    },
  });
}

/**
 * Sizes an image with a fixed aspect ratio to fit the frames around it, so that paint and clips around it have its size.
 */
function fit(picture, across, down) {
  const box = picture.closest(".aspect");
  if (!box || box.classList.contains("fh") || !across) return;
  let [width, height] = [Infinity, Infinity];
  let at = box.parentElement;
  for (; at && !at.classList.contains("fh") && !at.classList.contains("page-content"); at = at.parentElement) {
    width = Math.min(width, parseFloat(at.style.width || at.style.maxWidth) || Infinity);
    height = Math.min(height, parseFloat(at.style.height || at.style.maxHeight) || Infinity);
  }
  if (at) width = Math.min(width, at.clientWidth);
  const scale = Math.min(width / across, height / down);
  if (Number.isFinite(scale)) setStyles(box, { width: `${across * scale}px`, height: `${down * scale}px`, flex: "none" });
}

/** Gives a loaded image its size: of its frame if it is resizable, or else of its pixels at its scale. */
function settle(picture, { properties }) {
  const [across, down] = [picture.naturalWidth, picture.naturalHeight];
  if (!across) return;
  if (properties.resizable) fit(picture, across, down);
  const scale = properties.resizable ? undefined : properties.scale ?? 1;
  setStyles(picture, { width: scale && `${across / scale}px`, height: scale && `${down / scale}px` });
}

function image(record, screen) {
  const element = h("span", { class: "image" });
  const effects = new SymbolEffects();
  let shown;
  let current = record;
  return makeView(record, screen, {
    element,
    slots: () => [],
    update(now) {
      current = now;
      const { properties } = now;
      const key = properties.resource ?? `${properties.symbol ?? "photo"} ${properties.fontWeight} ${properties.hierarchical}`;
      const isNew = key !== shown;
      if (isNew) {
        const isOther = shown !== undefined && screen.isAnimated;
        shown = key;
        replace(element, properties.resource
          ? h("img", { src: screen.device.resourceURL(properties.resource), alt: "", draggable: "false", onload: ({ target }) => settle(target, current) })
          : symbol(properties.symbol ?? "photo", properties.fontWeight, properties.hierarchical));
        if (isOther && properties.contentTransition === "replace") replaceSymbol(element.firstElementChild);
      }
      const drawing = element.firstElementChild;
      if (drawing && !properties.resource) effects.update(drawing, properties.effects ?? [], isNew);
      element.classList.toggle("resizable", properties.resizable === true);
      if (properties.resource) settle(element.firstElementChild, now);
      // A template is a hole through which its color is seen. The picture itself gives it its size.
      element.classList.toggle("template", properties.template === true);
      if (properties.template) setStyles(element, { "--mask": `url("${screen.device.resourceURL(properties.resource)}")` });
      if (properties.resizable && !properties.resource) queueMicrotask(() => fit(element, 1, 1));
      setStyles(element, { "font-size": points(properties.fontSize), "--size": points(properties.fontSize), color: color(properties.color) });
    },
  });
}

/** Requests more views when the end of the loaded ones becomes visible. */
function placeholder(record, screen) {
  const element = h("div", { class: "placeholder", "aria-hidden": "true" });
  let node = record;
  const observer = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting) && node.actions.includes("appear")) screen.device.send(node.id, "appear");
  }, { rootMargin: "200px" });
  return makeView(record, screen, {
    element,
    slots: () => [],
    update(current) {
      node = current;
      observer.unobserve(element);
      observer.observe(element);
      setStyles(element, { height: `${Math.min(current.properties.count ?? 1, 30) * 44}px` });
    },
    close: () => observer.disconnect(),
  });
}

function tapArea(record, screen) {
  const element = h("div", { class: "col tap-area", role: "button", tabindex: "0" });
  const tap = () => screen.device.send(record.id, "tap");
  // A control inside handles its own taps.
  element.addEventListener("click", (event) => {
    if (/** @type {Element} */ (event.target).closest("button, input, textarea, [role=button]") === element) tap();
  });
  element.addEventListener("keydown", (event) => {
    if (event.target === element && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); tap(); }
  });
  return makeView(record, screen, { element });
}

function tracks(list) {
  return list.map((track) => {
    const [kind, size] = String(track).split(" ");
    if (kind === "content") return "auto";
    if (kind === "fixed") return `${size}px`;
    if (kind === "adaptive") return `repeat(auto-fill, minmax(${size}px, 1fr))`;
    return `minmax(${size}px, 1fr)`;
  }).join(" ");
}

/** Creates a renderer for a view with another of the same size behind or before it. */
function layered(className) {
  return (record, screen) => {
    const element = h("div", { class: `zstack ${className}` });
    return makeView(record, screen, {
      element,
      update: ({ properties }) => setStyles(element, { "--x": align[properties.horizontal], "--y": align[properties.vertical] }),
    });
  };
}

/** A color or a gradient that fills its space. */
function colored(record, screen) {
  const element = h("div", { class: "color" });
  const canvas = /** @type {HTMLCanvasElement} */ (h("canvas", { class: "mesh", "aria-hidden": "true" }));
  let drawn;
  return makeView(record, screen, {
    element,
    slots: () => [],
    update({ properties }) {
      setStyles(element, fill(properties.fill));
      const { mesh } = properties;
      if (!mesh) return canvas.remove();
      if (!canvas.parentElement) element.append(canvas);
      const key = JSON.stringify([mesh, properties.meshWidth]);
      if (key === drawn) return;
      drawn = key;
      // The colors are those of the place in which the view is.
      queueMicrotask(() => drawMesh(canvas, properties));
    },
  });
}

const align = { leading: "start", center: "center", trailing: "end", top: "start", bottom: "end" };
const cells = { ...align, firstTextBaseline: "baseline", lastTextBaseline: "last baseline" };

/** Space around a view. A negative one is a margin: what is around comes closer, or a view that stretches goes beyond. */
function padding({ top = 0, leading = 0, bottom = 0, trailing = 0 }) {
  const beyond = Math.max(-leading, 0) + Math.max(-trailing, 0);
  const styles = { "max-width": beyond ? `calc(100% + ${beyond}px)` : undefined };
  for (const [side, value] of Object.entries({ top, "inline-start": leading, bottom, "inline-end": trailing })) {
    styles[`padding-${side}`] = value > 0 ? points(value) : undefined;
    styles[`margin-${side}`] = value < 0 ? points(value) : undefined;
  }
  return styles;
}

/** A view that is turned, also in space. The eye is the farther away, the larger the view is. */
function rotation(record, screen) {
  const element = h("div", { class: "col rotation" });
  const resizes = new ResizeObserver(() => {
    setStyles(element, { "--depth": points(Math.max(element.offsetWidth, element.offsetHeight, 1)) });
  });
  return makeView(record, screen, {
    element,
    update({ properties: { degrees = 0, axis, anchor, anchorZ, perspective } }) {
      if (axis) resizes.observe(element);
      const eye = perspective ? `perspective(calc(var(--depth, 400px) / ${perspective})) ` : "";
      setStyles(element, {
        transform: axis ? `${eye}translateZ(${anchorZ}px) rotate3d(${axis.join(", ")}, ${degrees}deg) translateZ(${-anchorZ}px)` : `rotate(${degrees}deg)`,
        "transform-origin": origin(anchor),
      });
    },
    close: () => resizes.disconnect(),
  });
}

const sizes = ["width", "height", "minWidth", "minHeight", "maxWidth", "maxHeight"];

function frame(properties) {
  const styles = {
    "align-items": cross[properties.horizontal] ?? "center", "justify-content": cross[properties.vertical] ?? "center",
  };
  for (const name of sizes) {
    const css = name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`);
    styles[css] = points(properties[name]);
  }
  if (properties.width !== undefined || properties.height !== undefined) styles["flex-shrink"] = "0";
  return styles;
}

/** The renderer of each kind. A kind that the page does not know is drawn as a group. */
export const kinds = {
  group: wrapper("group"),
  text,
  image,
  placeholder,
  tapArea,
  holdArea,
  contextMenu,
  dragArea,
  choices: wrapper("group"),
  label: stack("row label", () => ({})),
  hstack: stack("row hstack", (properties) => ({
    gap: points(properties.spacing), "align-items": baselines[properties.alignment] ?? cross[properties.alignment] ?? "center",
  })),
  vstack: stack("col vstack", (properties) => ({ gap: points(properties.spacing), "align-items": cross[properties.alignment] ?? "center" })),
  zstack: stack("zstack", (properties) => ({ "--x": align[properties.horizontal], "--y": align[properties.vertical] })),
  grid: stack("grid", (properties) => ({
    gap: `${points(properties.spacing ?? 8)} ${points(properties.gap ?? 8)}`,
    "grid-template-columns": properties.columns ? tracks(properties.columns) : undefined,
    "grid-template-rows": properties.rows ? tracks(properties.rows) : undefined,
    "grid-auto-flow": properties.rows ? "column" : "row",
    // A grid of rows has an alignment, and is as wide as its cells.
    "--cell-x": cells[properties.horizontal], "--cell-y": cells[properties.vertical],
    "justify-content": properties.horizontal ? "center" : undefined,
  })),
  geometry: stack("geometry", () => ({})),
  coordinateSpace: wrapper("coordinate-space"),
  position: stack("position", (properties) => ({ "--at-x": points(properties.x), "--at-y": points(properties.y) })),
  spacer: stack("spacer", (properties) => ({ "min-width": points(properties.minLength ?? 0), "min-height": points(properties.minLength ?? 0) })),
  divider: stack("divider", () => ({})),
  padding: wrapper("padding", padding),
  frame: wrapper("frame", frame),
  paint,
  border: wrapper("border", (properties) => ({ border: `${properties.lineWidth ?? 1}px solid ${color(properties.stroke)}` })),
  clip,
  shadow: wrapper("shadow", (properties) => ({
    filter: `drop-shadow(${properties.x ?? 0}px ${properties.y ?? 0}px ${(properties.radius ?? 0) / 2}px ${color(properties.color)})`,
  })),
  contentShape: wrapper("content-shape"),
  background: layered("background"),
  overlay: layered("overlay"),
  layer: stack("layer", ({ horizontal, vertical }) => ({ "--x": align[horizontal], "--y": align[vertical] })),
  opacity: wrapper("opacity", (properties) => ({ opacity: properties.opacity })),
  offset: wrapper("offset", (properties) => ({ transform: `translate(${properties.x ?? 0}px, ${properties.y ?? 0}px)` })),
  scale: wrapper("scale", (properties) => ({
    transform: `scale(${properties.x ?? 1}, ${properties.y ?? 1})`, "transform-origin": origin(properties.anchor),
  })),
  rotation,
  filter: wrapper("filter", ({ filter, amount }) => ({ filter: filters[filter]?.(amount) })),
  blur: wrapper("blur", (properties) => ({ filter: `blur(${(properties.radius ?? 0) / 2}px)` })),
  redacted: wrapper("redacted", (properties) => ({ "--redacted": properties.placeholder ? "1" : undefined })),
  fixedSize: wrapper("fixed-size", (properties) => ({
    "flex-shrink": "0", "white-space": properties.horizontal ? "nowrap" : undefined,
  })),
  aspectRatio: wrapper("aspect", (properties) => ({
    "--fit": properties.mode === "fill" ? "cover" : "contain", "aspect-ratio": properties.ratio,
  })),
  layoutPriority: wrapper("priority", (properties) => ({ "flex-shrink": properties.priority > 0 ? "0" : undefined })),
  zIndex: wrapper("z-index", (properties) => ({ "z-index": properties.value, position: "relative" })),
  ignoresSafeArea: wrapper("ignores-safe-area"),
  hidden: wrapper("hidden-view"),
  shape,
  color: colored,
  ...lists,
  ...controls,
  ...fields,
  ...pages,
  ...modals,
};

for (const kind of nodeKinds) {
  if (!(kind in kinds)) console.error(`No renderer for nodes of kind "${kind}". Add one to kinds.js.`);
}
