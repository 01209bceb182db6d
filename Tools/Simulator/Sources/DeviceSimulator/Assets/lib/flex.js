// @ts-check
// Which views expand horizontally and vertically, and which keep their size: SwiftUI's layout in terms of flexbox.

const both = { h: true, v: true };
const across = { h: true, v: false };
const neither = { h: false, v: false };

/**
 * Whether a view expands horizontally and vertically, whether a fixed frame or an image decides its size, and whether it
 * is a short text, which a longer one beside it does not break.
 *
 * @typedef {{ h: boolean, v: boolean }} Expansion
 * @typedef {Expansion & { keptH: boolean, keptV: boolean, brief: boolean }} Flex
 * @typedef {{ kind: string, properties: Record<string, any>, children: number[], parent?: number }} NodeRecord
 * @typedef {(id: number | undefined) => { record: NodeRecord, flex?: Flex } | undefined} ViewOf Returns the view of a node.
 */

/** @type {Record<string, Expansion>} */
const fixed = {
  color: both, shape: both, list: both, form: both, navigation: both, columns: both, page: both, pageContent: both, tabs: both, tabPage: both,
  geometry: both, position: both, tabBar: across, sheet: both, window: both, content: both, layer: both, grid: across, section: across, row: across,
  header: across, footer: across, search: across, toggle: across, stepper: across, secureField: across, textField: across,
  slider: across, datePicker: across, colorPicker: across, textEditor: both, menu: neither,
  text: neither, alert: neither, dialog: neither, placeholder: across, message: neither, buttons: neither,
};

/** The kinds whose size is that of the views inside, plus a margin at most. */
const wrappers = new Set([
  "group", "vstack", "hstack", "zstack", "padding", "paint", "border", "clip", "shadow", "contentShape", "background", "overlay",
  "opacity", "offset", "scale", "rotation", "blur", "filter", "redacted", "fixedSize", "aspectRatio", "layoutPriority", "zIndex", "hidden",
  "tapArea", "holdArea", "contextMenu", "dragArea", "button", "link", "coordinateSpace",
]);

const stacks = new Set(["vstack", "hstack", "zstack", "group"]);

/**
 * Returns how a view expands. The `flex` of its children is already known.
 *
 * @param {NodeRecord} record
 * @param {ViewOf} view
 * @returns {Flex}
 */
export function flexOf(record, view) {
  const { h, v } = expands(record, view);
  const [keptH, keptV] = [!h && isKept(record, view, "keptH"), !v && isKept(record, view, "keptV")];
  return { h, v, keptH, keptV, brief: !h && !keptH && isBrief(record, view) };
}

/**
 * Whether a view is one short text, or a control with one. Controls take more room, so that fewer letters are short.
 *
 * @param {NodeRecord} record
 * @param {ViewOf} view
 * @param {number} limit
 * @returns {boolean}
 */
function isBrief(record, view, limit = 300) {
  const { kind, properties, children } = record;
  if (kind === "text") return (properties.text ?? "").length * (properties.fontSize ?? 17) < limit;
  if (!wrappers.has(kind) || stacks.has(kind) || children.length !== 1) return false;
  const child = view(children[0]);
  return child !== undefined && isBrief(child.record, view, 200);
}

/**
 * Whether a view has the size of a fixed frame or of an image, its own or that of each view inside, and so does not shrink.
 *
 * @param {NodeRecord} record
 * @param {ViewOf} view
 * @param {"keptH" | "keptV"} side
 */
function isKept(record, view, side) {
  const { kind, properties } = record;
  if (kind === "frame") {
    const [size, most] = side === "keptH" ? [properties.width, properties.maxWidth] : [properties.height, properties.maxHeight];
    if (size !== undefined || most !== undefined) return size !== undefined;
  } else if (kind === "image") return properties.resizable !== true;
  else if (kind === "progress") return properties.fraction === undefined && record.children.length === 0;
  else if (!wrappers.has(kind) && kind !== "label" && kind !== "menu") return false;
  const inner = ["overlay", "background", "contextMenu", "menu"].includes(kind) ? record.children.slice(0, 1) : record.children;
  return inner.length > 0 && inner.every((child) => view(child)?.flex?.[side] === true);
}

/**
 * @param {NodeRecord} record
 * @param {ViewOf} view
 * @returns {Expansion}
 */
function expands(record, view) {
  const { kind, properties } = record;
  const known = fixed[kind];
  if (properties.labelHidden && ["toggle", "stepper", "datePicker", "colorPicker"].includes(kind)) return neither;
  // A field that grows with its lines.
  if (kind === "textEditor" && properties.leastLines) return across;
  if (known) return known;
  switch (kind) {
    case "image": return properties.resizable ? both : neither;
    // The height is given; the width follows from the image's aspect ratio.
    case "aspectRatio": return { h: inside(record, view).h && (properties.mode === "fill" || properties.ratio !== undefined), v: inside(record, view).v };
    case "progress": return properties.fraction === undefined ? neither : across;
    case "scroll": return properties.vertical ? both : across;
    case "picker": return properties.style === "inline" || properties.style === "segmented" || properties.style === "wheel" || inRow(record, view) ? across : neither;
    case "link": return properties.style === "row" ? across : inside(record, view);
    case "frame": return frame(record, view);
    case "fixedSize": {
      const inner = inside(record, view);
      return { h: inner.h && !properties.horizontal, v: inner.v && !properties.vertical };
    }
    case "vstack": return stack(record, view, "v");
    case "hstack": return stack(record, view, "h");
    case "spacer": case "divider": return neither;
    case "contextMenu": case "overlay": case "background": return view(record.children[0])?.flex ?? neither;
    default: return inside(record, view);
  }
}

/**
 * @param {NodeRecord} record
 * @param {ViewOf} view
 * @returns {Expansion}
 */
function inside(record, view) {
  let [h, v] = [false, false];
  for (const child of record.children) {
    const flex = view(child)?.flex;
    h ||= flex?.h ?? false;
    v ||= flex?.v ?? false;
  }
  return { h, v };
}

/**
 * @param {NodeRecord} record
 * @param {ViewOf} view
 * @param {"h" | "v"} axis
 */
function stack(record, view, axis) {
  const inner = inside(record, view);
  for (const child of record.children) {
    const kind = view(child)?.record.kind;
    if (kind === "spacer") inner[axis] = true;
    if (kind === "divider") inner[axis === "v" ? "h" : "v"] = true;
  }
  return inner;
}

/**
 * @param {NodeRecord} record
 * @param {ViewOf} view
 * @returns {Expansion}
 */
function frame(record, view) {
  const { properties } = record;
  const inner = inside(record, view);
  /** @type {(size: unknown, most: unknown, isFlexible: boolean) => boolean} */
  const one = (size, most, isFlexible) => size === undefined && (most !== undefined || isFlexible);
  return {
    h: one(properties.width, properties.maxWidth, inner.h),
    v: one(properties.height, properties.maxHeight, inner.v),
  };
}

/**
 * Whether a picker is a row of a form, with its label and its choice at opposite ends.
 *
 * @param {NodeRecord} record
 * @param {ViewOf} view
 */
function inRow(record, view) {
  for (let parent = view(record.parent); parent; parent = view(parent.record.parent)) {
    if (parent.record.kind === "row") return true;
    if (["hstack", "toolbarItem", "page", "sheet"].includes(parent.record.kind)) return false;
  }
  return false;
}
