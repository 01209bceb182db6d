// @ts-check
// Converts colors, fills, shapes and fonts of the tree to CSS.

const systemColors = new Set([
  "primary", "secondary", "tertiary", "accent", "background", "gray", "red", "orange", "yellow", "green", "mint", "teal",
  "cyan", "blue", "indigo", "purple", "pink", "brown",
]);

/**
 * Converts a color such as "red", "#ff8800" or "primary/60" (60 % opacity). "red+" is a lighter red, and
 * "mix(red|blue|40)" has 40 % of blue.
 *
 * @param {string | undefined} text
 * @returns {string}
 */
export function color(text) {
  if (!text) return "";
  const [, name, opacity] = /^(.*?)(?:\/([\d.]+))?$/.exec(String(text)) ?? [];
  const base = name.endsWith("+") ? name.slice(0, -1) : name;
  const [, space, inner] = /^mix(RGB)?\((.*)\)$/.exec(base) ?? [];
  let value = "var(--c-accent)";
  if (/^#[0-9a-f]{6}$/i.test(base)) value = base;
  else if (systemColors.has(base)) value = `var(--c-${base})`;
  else if (inner) value = mix(space ? "srgb" : "oklab", inner);
  if (name.endsWith("+")) value = `color-mix(in srgb, ${value} 80%, white)`;
  const share = Number(opacity);
  return opacity === undefined || !Number.isFinite(share) ? value : `color-mix(in srgb, ${value} ${share}%, transparent)`;
}

/**
 * Mixes two colors, which may be mixes themselves, by the share of the second.
 *
 * @param {string} space
 * @param {string} text
 */
function mix(space, text) {
  const parts = [""];
  let depth = 0;
  for (const letter of text) {
    if (letter === "(") depth += 1;
    if (letter === ")") depth -= 1;
    if (letter === "|" && depth === 0) parts.push("");
    else parts[parts.length - 1] += letter;
  }
  const [first, second, share] = parts;
  return `color-mix(in ${space}, ${color(first)}, ${color(second)} ${Number(share) || 0}%)`;
}

/**
 * The `background` of a fill, and `backdrop-filter` for a material.
 *
 * @param {string | undefined} text
 * @returns {Record<string, string>}
 */
export function fill(text) {
  const value = String(text ?? "");
  if (value.startsWith("material:")) {
    const share = /\/([\d.]+)$/.exec(value)?.[1];
    const background = share ? `color-mix(in srgb, var(--c-material) ${share}%, transparent)` : "var(--c-material)";
    return { background, "backdrop-filter": "blur(20px) saturate(1.8)" };
  }
  if (value.startsWith("linear:")) return { background: gradient(value.slice(7)) };
  if (value.startsWith("radial:")) return { background: radial(value.slice(7)) };
  if (value.startsWith("angular:")) return { background: angular(value, (x, y) => `${x * 100}% ${y * 100}%`) };
  return { background: color(value) };
}

/** @param {string} text */
function gradient(text) {
  const [direction, ...stops] = text.split(";");
  const [fromX, fromY, toX, toY] = direction.split(",").map(Number);
  const angle = Math.atan2(toX - fromX, fromY - toY) * (180 / Math.PI);
  const list = stops.map((stop) => {
    const [tone, at] = stop.split(" ");
    return `${color(tone)} ${Number(at) || 0}%`;
  });
  return list.length > 1 ? `linear-gradient(${angle}deg, ${list.join(", ")})` : "transparent";
}

/** @param {string} text */
function radial(text) {
  const [place, ...stops] = text.split(";");
  const [x, y, from, to] = place.split(",").map(Number);
  const list = stops.map((stop) => {
    const [tone, at] = stop.split(" ");
    return `${color(tone)} ${from + ((to - from) * (Number(at) || 0)) / 100}px`;
  });
  return list.length > 1 ? `radial-gradient(circle at ${x * 100}% ${y * 100}%, ${list.join(", ")})` : "transparent";
}

/**
 * A gradient around a point. What its angles leave out has the color of the nearer end.
 *
 * @param {string} text
 * @param {(x: number, y: number) => string} at The place of the center, given as a share of the width and the height.
 */
export function angular(text, at) {
  const [place, ...stops] = text.slice(8).split(";");
  const [x, y, start, end] = place.split(",").map(Number);
  const turn = Math.min(end - start, 360);
  const list = stops.map((stop) => {
    const [tone, share] = stop.split(" ");
    return [color(tone), ((end - start) * (Number(share) || 0)) / 100];
  });
  if (list.length < 2) return "transparent";
  const middle = turn + (360 - turn) / 2;
  const all = turn < 360 ? [...list, [list[list.length - 1][0], middle], [list[0][0], middle]] : list;
  // CSS begins at the top.
  return `conic-gradient(from ${start + 90}deg at ${at(x, y)}, ${all.map(([tone, angle]) => `${tone} ${angle}deg`).join(", ")})`;
}

/**
 * The border radius of a shape.
 *
 * @param {{ shape?: string, radius?: number }} properties
 */
export function radius(properties) {
  if (properties.shape === "circle" || properties.shape === "ellipse") return "50%";
  if (properties.shape === "capsule") return "999px";
  return properties.radius ? `${properties.radius}px` : "0";
}

/**
 * @param {HTMLElement | SVGElement} element
 * @param {Record<string, any>} styles A value that is absent, `null` or "" removes the property.
 */
export function setStyles(element, styles) {
  for (const [name, value] of Object.entries(styles)) {
    if (value === undefined || value === null || value === "") element.style.removeProperty(name);
    else if (element.style.getPropertyValue(name) !== String(value)) element.style.setProperty(name, String(value));
  }
}

/** @param {unknown} value */
export function points(value) {
  return typeof value === "number" ? `${value}px` : undefined;
}

/** @type {Record<string, number>} */
const lineHeights = {
  largeTitle: 41 / 34, title: 34 / 28, title2: 28 / 22, title3: 25 / 20, headline: 22 / 17, body: 22 / 17, callout: 21 / 16,
  subheadline: 20 / 15, footnote: 18 / 13, caption: 16 / 12, caption2: 13 / 11,
};

/** @type {Record<string, string>} */
const designs = { monospaced: "var(--ios-mono)", serif: "var(--ios-serif)", rounded: "var(--ios-rounded)" };

/**
 * The font of a text, a run or a field.
 *
 * @param {Record<string, any>} properties
 * @returns {Record<string, any>}
 */
export function letters(properties) {
  return {
    "font-size": points(properties.fontSize),
    "--size": points(properties.fontSize),
    "font-weight": properties.fontWeight,
    "line-height": lineHeights[properties.fontStyle] ?? 1.28,
    "letter-spacing": properties.tracking ? `calc(${tracking(properties.fontSize)} + ${points(properties.tracking)})` : tracking(properties.fontSize),
    "vertical-align": properties.baselineOffset ? points(properties.baselineOffset) : undefined,
    "font-family": designs[properties.fontDesign],
    "font-style": properties.italic ? "italic" : undefined,
    "font-variant-numeric": properties.monospacedDigit ? "tabular-nums" : undefined,
    "text-decoration": [properties.underline && "underline", properties.strikethrough && "line-through"].filter(Boolean).join(" "),
    "text-decoration-color": color(properties.lineColor),
    color: color(properties.color),
  };
}

/**
 * The letter spacing. Fonts other than San Francisco need less in large sizes.
 *
 * @param {number} size
 */
function tracking(size) {
  return size >= 20 ? "var(--ios-tracking-large)" : "var(--ios-tracking)";
}

/**
 * Converts a point such as "0.5,0" to a transform origin.
 *
 * @param {string | undefined} anchor
 */
export function origin(anchor) {
  const [x, y] = String(anchor ?? "0.5,0.5").split(",").map(Number);
  return `${(x || 0) * 100}% ${(y || 0) * 100}%`;
}

/** @type {Record<string, string>} */
export const cross = { leading: "flex-start", center: "center", trailing: "flex-end", top: "flex-start", bottom: "flex-end" };
