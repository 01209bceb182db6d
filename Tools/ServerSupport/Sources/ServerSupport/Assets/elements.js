// Builds elements. Text always becomes a text node, so received data cannot become markup.

const svgNamespace = "http://www.w3.org/2000/svg";

function assign(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "class") element.setAttribute("class", value);
    else if (name === "style") for (const [key, item] of Object.entries(value)) element.style.setProperty(key, item);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** Creates an element with attributes, `on…` listeners, a `style` object of properties, and children. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  assign(element, properties);
  append(element, children);
  return element;
}

export function svg(tag, properties = {}, ...children) {
  const element = document.createElementNS(svgNamespace, tag);
  assign(element, properties);
  append(element, children);
  return element;
}

export function replace(element, ...children) {
  const fragment = document.createDocumentFragment();
  append(fragment, children);
  element.replaceChildren(fragment);
}

/** Creates icons by name from SVG paths in a 16 × 16 square. Icons have the color of the surrounding text. */
export const icons = (paths) => (name) =>
  svg(
    "svg",
    { viewBox: "0 0 16 16", class: "icon", fill: "none", stroke: "currentColor", "stroke-width": "1.4",
      "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true" },
    svg("path", { d: paths[name] }),
  );

let toastTimer;

/** Shows a short message at the bottom of the window, and announces it to screen readers. */
export function toast(text) {
  document.querySelector(".toast")?.remove();
  document.body.append(h("div", { class: "toast" }, text));
  announce(text);
  clearTimeout(toastTimer);
  // Long enough to read: at least 1.4 s, and longer for longer texts.
  toastTimer = setTimeout(() => document.querySelector(".toast")?.remove(), 1400 + 40 * text.length);
}

export function announce(text) {
  document.getElementById("announcer").textContent = text;
}
