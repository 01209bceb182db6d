// As much of a document as `update` needs. Install it before the import of a module that makes elements.

class Node_ {
  childNodes = [];
  parentNode = null;
  nodeValue = null;

  constructor(nodeName) { this.nodeName = nodeName; }
  get nextSibling() { return this.parentNode?.childNodes[this.parentNode.childNodes.indexOf(this) + 1] ?? null; }
  get children() { return this.childNodes.filter((child) => child instanceof Element_); }
  set textContent(value) { this.replaceChildren(text(value)); }
  get textContent() { return this.nodeValue ?? this.childNodes.map((child) => child.textContent).join(""); }

  remove() {
    if (!this.parentNode) return;
    this.parentNode.childNodes.splice(this.parentNode.childNodes.indexOf(this), 1);
    this.parentNode = null;
    // As in a browser: what leaves the document loses the focus.
    if (this.contains(document.activeElement)) document.activeElement = null;
  }

  insertBefore(child, next) {
    if (child.nodeName === "#document-fragment") return [...child.childNodes].forEach((one) => this.insertBefore(one, next));
    child.remove();
    this.childNodes.splice(next ? this.childNodes.indexOf(next) : this.childNodes.length, 0, child);
    child.parentNode = this;
  }

  replaceWith(node) { this.parentNode.insertBefore(node, this); this.remove(); }
  append(...children) { for (const child of children) this.insertBefore(child, null); }
  replaceChildren(...children) { for (const child of [...this.childNodes]) child.remove(); this.append(...children); }
  contains(node) { return node === this || this.childNodes.some((child) => child.contains(node)); }
}

class Element_ extends Node_ {
  #attributes = new Map();
  #listeners = new Map();
  scrollTop = 0;
  value = "";

  get attributes() { return [...this.#attributes].map(([name, value]) => ({ name, value })); }

  get style() {
    const attributes = this.#attributes;
    return {
      setProperty(name, value) { this.cssText += `${name}:${value};`; },
      get cssText() { return attributes.get("style") ?? ""; },
      set cssText(value) { attributes.set("style", value); },
    };
  }

  getAttribute(name) { return this.#attributes.get(name) ?? null; }

  setAttribute(name, value) {
    if (name === "style") throw new Error("The console's content security policy refuses a style in an attribute");
    this.#attributes.set(name, String(value));
  }

  removeAttribute(name) { this.#attributes.delete(name); }
  hasAttribute(name) { return this.#attributes.has(name); }
  matches() { return Boolean(this.isPopoverOpen); }
  focus() { document.activeElement = this; }
  addEventListener(type, listener) { this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]); }
  dispatch(type) { for (const listener of this.#listeners.get(type) ?? []) listener({ type, currentTarget: this }); }

  querySelector(name) {
    const [tag, attribute] = name.split(/[[\]]/);
    const all = this.children.flatMap((child) => [child, ...child.children]);
    return all.find((child) => child.nodeName === tag.toUpperCase() && (!attribute || child.hasAttribute(attribute))) ?? null;
  }
}

const text = (value) => Object.assign(new Node_("#text"), { nodeValue: value });

export const document = {
  activeElement: null,
  scrollingElement: { scrollTop: 0 },
  addEventListener() {},
  createElement: (tag) => new Element_(tag.toUpperCase()),
  createElementNS: (_space, tag) => new Element_(tag),
  createTextNode: text,
  createDocumentFragment: () => new Node_("#document-fragment"),
};

/** What is selected: the node in which the selection begins. */
export const selection = { anchorNode: null, get isCollapsed() { return !this.anchorNode; } };

Object.assign(globalThis, { document, Node: Node_, Element: Element_, getSelection: () => selection });
