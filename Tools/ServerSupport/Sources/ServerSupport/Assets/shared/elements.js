// @ts-check
// Builds elements. Text always becomes a text node, so received data cannot become markup.

const svgNamespace = "http://www.w3.org/2000/svg";

/** @type {WeakMap<Element, Map<string, (event: any) => void>>} */
const handlers = new WeakMap();

/** @param {Event} event */
function dispatch(event) {
  const element = /** @type {Element} */ (event.currentTarget);
  handlers.get(element)?.get(event.type)?.call(element, event);
}

/**
 * @param {Element} element
 * @param {string} type
 * @param {(event: any) => void} handler It replaces an earlier one.
 */
function handle(element, type, handler) {
  const own = handlers.get(element) ?? new Map();
  handlers.set(element, own);
  if (!own.has(type)) element.addEventListener(type, dispatch);
  own.set(type, handler);
}

/**
 * Gives an element the `on…` listeners of another one, in place of its own.
 *
 * @param {Element} element
 * @param {Element} other
 */
export function takeHandlers(element, other) {
  const fresh = handlers.get(other);
  for (const type of handlers.get(element)?.keys() ?? []) if (!fresh?.has(type)) handle(element, type, () => {});
  for (const [type, handler] of fresh ?? []) handle(element, type, handler);
}

/**
 * @param {HTMLElement | SVGElement} element
 * @param {Record<string, any>} properties
 */
function assign(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "class") element.setAttribute("class", value);
    else if (name === "style") for (const [key, item] of Object.entries(value)) element.style.setProperty(key, item);
    else if (name.startsWith("on")) handle(element, name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * Returns children as nodes: elements as they are, others as text. Those that are absent or false are left out.
 *
 * @param {any[]} children
 * @returns {any[]}
 */
export function nodes(children) {
  return children.flat(Infinity)
    .filter((child) => child !== undefined && child !== null && child !== false)
    .map((child) => (child instanceof Node ? child : document.createTextNode(String(child))));
}

/**
 * @param {ParentNode} element
 * @param {any[]} children
 */
function append(element, children) {
  element.append(...nodes(children));
}

/**
 * Creates an element with attributes, `on…` listeners, a `style` object of properties, and children.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} properties
 * @param {any[]} children
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  assign(element, properties);
  append(element, children);
  return element;
}

/**
 * Creates an element of SVG, as `h` does.
 *
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} properties
 * @param {any[]} children
 */
export function svg(tag, properties = {}, ...children) {
  const element = document.createElementNS(svgNamespace, tag);
  assign(element, properties);
  append(element, children);
  return element;
}

/**
 * @param {ParentNode} element
 * @param {any[]} children
 */
export function replace(element, ...children) {
  const fragment = document.createDocumentFragment();
  append(fragment, children);
  element.replaceChildren(fragment);
}

/**
 * Creates icons by name from SVG paths in a 16 × 16 square. Icons have the color of the surrounding text.
 *
 * @param {Record<string, string>} paths
 */
export const icons = (paths) => (/** @type {string} */ name) =>
  svg(
    "svg",
    { viewBox: "0 0 16 16", class: "icon", fill: "none", stroke: "currentColor", "stroke-width": "1.4",
      "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true" },
    svg("path", { d: paths[name] }),
  );

/** The `data-…` attributes of the focused element. */
export function focusedData() {
  return /** @type {HTMLElement | null} */ (document.activeElement)?.dataset ?? {};
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let toastTimer;

/**
 * Shows a short message at the bottom of the window, and announces it to screen readers.
 *
 * @param {string} text
 */
export function toast(text) {
  document.querySelector(".toast")?.remove();
  document.body.append(h("div", { class: "toast" }, text));
  announce(text);
  clearTimeout(toastTimer);
  // Long enough to read: at least 1.4 s, and longer for longer texts.
  toastTimer = setTimeout(() => document.querySelector(".toast")?.remove(), 1400 + 40 * text.length);
}

/** @param {string} text */
export function announce(text) {
  const announcer = document.getElementById("announcer");
  if (announcer) announcer.textContent = text;
}
