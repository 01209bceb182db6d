// @ts-check
// Shapes: those with a name are boxes of CSS, the others are paths of SVG that the app makes for the size of the view.

import { h } from "../lib/dom.js";
import { angular, color, fill, points, radius, setStyles } from "../lib/style.js";
import { makeView } from "./view.js";

const namespace = "http://www.w3.org/2000/svg";

function node(name, attributes = {}, ...children) {
  const element = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Scales a path from the size for which it was made to another. Its coordinates are x and y in turn. */
export function fitted(path, [width, height], to) {
  const [x, y] = [to.width / width, to.height / height];
  if (!Number.isFinite(x) || !Number.isFinite(y) || (Math.abs(x - 1) < 0.002 && Math.abs(y - 1) < 0.002)) return path;
  let isY = true;
  return path.replace(/-?[\d.]+(e-?\d+)?/g, (number) => {
    isY = !isY;
    return Math.round(Number(number) * (isY ? y : x) * 100) / 100;
  });
}

/** Creates a view that is drawn again if its size changes before the app has sent another path. */
function sized(className, draw) {
  return (record, screen) => {
    const element = h("div", { class: className });
    let current = record;
    let observer;
    return makeView(record, screen, {
      element,
      update(now) {
        current = now;
        draw(element, now);
        if (now.properties.path === undefined || observer) return;
        observer = new ResizeObserver(() => draw(element, current));
        observer.observe(element);
      },
      slots: (now) => (className === "shape" ? [] : [[element, now.children]]),
      close: () => observer?.disconnect(),
    });
  };
}

function drawing(element, record) {
  const { properties, id } = record;
  const size = { width: element.offsetWidth || properties.size[0], height: element.offsetHeight || properties.size[1] };
  const definitions = node("defs");
  const around = [properties.fill, properties.stroke].find((text) => text?.startsWith("angular:"));
  const tone = (text, name) => {
    if (text === undefined) return "none";
    if (text === around) return "white";
    if (!/^(linear|radial):/.test(text)) return text.startsWith("material:") ? "var(--c-material)" : color(text);
    const key = `${name}-${id}`;
    definitions.append(gradient(text, key, size));
    return `url(#${key})`;
  };
  const path = node("path", {
    d: fitted(properties.path, properties.size, size), "fill-rule": properties.evenOdd ? "evenodd" : undefined,
    "stroke-dasharray": properties.dash?.join(" "), "stroke-dashoffset": properties.dashPhase,
  });
  setStyles(path, {
    fill: tone(properties.fill, "fill"), stroke: tone(properties.stroke, "stroke"), "stroke-width": points(properties.lineWidth),
    "stroke-linecap": properties.lineCap, "stroke-linejoin": properties.lineJoin, "stroke-miterlimit": properties.miterLimit ?? 10,
  });
  if (!around) return node("svg", { class: "drawing", "aria-hidden": "true" }, definitions, path);
  const beyond = properties.lineWidth ?? 0;
  definitions.append(node("mask", { id: `cut-${id}`, maskUnits: "userSpaceOnUse", ...grown(size, beyond) }, path));
  return node("svg", { class: "drawing", "aria-hidden": "true" }, definitions, turning(around, `cut-${id}`, size, beyond));
}

/** A rectangle of this size, with a margin around it. */
function grown({ width, height }, beyond) {
  return { x: -beyond, y: -beyond, width: width + 2 * beyond, height: height + 2 * beyond };
}

/** A gradient around a point, which SVG lacks: a box of CSS, of which a mask leaves what the path covers. */
function turning(text, mask, size, beyond) {
  const box = h("div", {});
  setStyles(box, { height: "100%", background: angular(text, (x, y) => `${x * size.width + beyond}px ${y * size.height + beyond}px`) });
  return node("foreignObject", { ...grown(size, beyond), mask: `url(#${mask})` }, box);
}

function gradient(text, id, { width, height }) {
  const [place, ...stops] = text.slice(7).split(";");
  const [a, b, c, d] = place.split(",").map(Number);
  const isLine = text.startsWith("linear:");
  const attributes = isLine
    ? { x1: a * width, y1: b * height, x2: c * width, y2: d * height }
    : { cx: a * width, cy: b * height, fr: c, r: d };
  return node(isLine ? "linearGradient" : "radialGradient", { id, gradientUnits: "userSpaceOnUse", ...attributes }, ...stops.map((stop) => {
    const [tone, at] = stop.split(" ");
    const element = node("stop", { offset: `${Number(at) || 0}%` });
    setStyles(element, { "stop-color": color(tone) });
    return element;
  }));
}

/** Draws the path of a node, if it has one. */
function drawPath(element, record) {
  element.querySelector(":scope > .drawing")?.remove();
  const isDrawn = record.properties.path !== undefined;
  element.classList.toggle("drawn", isDrawn);
  if (isDrawn) element.prepend(drawing(element, record));
  return isDrawn;
}

export const shape = sized("shape", (element, record) => {
  const { properties } = record;
  const isDrawn = drawPath(element, record);
  const line = properties.lineWidth ?? 1;
  const isStroked = !isDrawn && properties.stroke !== undefined;
  element.classList.toggle("stroked", isStroked);
  const inset = properties.inset ?? 0;
  setStyles(element, {
    background: undefined, "backdrop-filter": undefined,
    ...(!isDrawn && properties.fill ? fill(properties.fill) : {}), "border-radius": isDrawn ? undefined : radius(properties),
    "aspect-ratio": properties.shape === "circle" || properties.square ? "1" : undefined,
    "--line": isStroked ? points(line) : undefined, "--stroke": isStroked ? color(properties.stroke) : undefined,
    // The line is as much outside of the edge as inside.
    "--edge": isStroked ? points(inset - line / 2) : undefined,
    "--corner": !isStroked ? undefined : properties.radius ? points(Math.max(properties.radius - inset + line / 2, 0)) : radius(properties),
  });
});

/** A path behind a view cuts the style to its form. What lies outside of the view is not drawn. */
export const paint = sized("col paint", (element, record) => {
  const { properties } = record;
  const isDrawn = properties.path !== undefined;
  const style = fill(properties.fill);
  element.classList.toggle("drawn", isDrawn);
  setStyles(element, {
    background: undefined, "backdrop-filter": undefined, ...(isDrawn ? {} : style),
    "border-radius": isDrawn ? undefined : radius(properties),
    "--fill": isDrawn ? style.background : undefined, "--path": isDrawn ? cut(element, properties) : undefined,
  });
});

/** The path of a node as a `clip-path`. */
function cut(element, { path, size }) {
  const [width, height] = size;
  return `path("${fitted(path, size, { width: element.offsetWidth || width, height: element.offsetHeight || height })}")`;
}

export const clip = sized("col clip", (element, { properties }) => setStyles(element, {
  "border-radius": radius(properties), "clip-path": properties.path === undefined ? undefined : cut(element, properties),
}));
