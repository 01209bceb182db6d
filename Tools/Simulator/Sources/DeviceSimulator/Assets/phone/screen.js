// @ts-check
// The app's screen: the current tree, and one element for each node, which is kept as long as the node.

import { flexOf } from "../lib/flex.js";
import { keepingFocus } from "./fields.js";
import { kinds } from "./kinds.js";
import { Matches } from "./matches.js";
import { Measurer } from "./measure.js";
import { ScrollCommands } from "./scroll.js";
import { ScrollReporter } from "./scrolled.js";
import { comeIn, goOut, hasTiming, options, placeOf } from "./transitions.js";

/**
 * A node's record is `{id, kind, properties, actions, children: [ids], parent}`. A view is
 * `{record, element, update(record), slots(record), summarize?(), leave?(), close?()}`: `slots` lists the containers of the
 * children, `[[container, ids]]`, and `summarize` is called after a change inside.
 */
export class Screen {
  revision = -1;
  root = undefined;
  /** What the phone itself says, such as "Back", in the language of the app. */
  words = {};
  #records = new Map();
  #views = new Map();
  /** The places of the views that go in the current change, by element. */
  #places = new Map();

  /**
   * @param host The element that holds the window.
   * @param device What views may ask for: `send(node, action, value)`, `queue`, `resourceURL(name)`.
   */
  constructor(host, device) {
    this.host = host;
    this.device = device;
    this.isAnimated = false;
    this.reporters = [new Measurer(host, device), new ScrollReporter(host, device)];
    this.scrollCommands = new ScrollCommands();
    this.matches = new Matches();
  }

  get isEmpty() { return this.root === undefined; }

  record(id) { return this.#records.get(id); }
  view(id) { return this.#views.get(id); }

  /** Shows a whole tree. Keeps the elements of nodes that are still in it. */
  show(tree) {
    const nodes = [];
    const list = (node) => {
      nodes.push({ ...node, children: node.children.map((child) => child.id) });
      node.children.forEach(list);
    };
    list(tree.root);
    const present = new Set(nodes.map((node) => node.id));
    const removed = [...this.#records.keys()].filter((id) => !present.has(id));
    this.isAnimated = false;
    this.#change({ revision: tree.revision, root: tree.root.id, nodes, removed });
    this.isAnimated = true;
  }

  /** Applies a patch. Returns false if it is for another tree. */
  apply(patch) {
    if (patch.base !== this.revision) return false;
    this.#change(patch);
    return true;
  }

  clear() {
    for (const view of this.#views.values()) view.close?.();
    for (const reporter of this.reporters) reporter.clear();
    this.scrollCommands.clear();
    this.#views.clear();
    this.#records.clear();
    this.root = undefined;
    this.revision = -1;
    this.host.replaceChildren();
  }

  #change({ revision, root, nodes, removed, animation = undefined }) {
    this.revision = revision;
    this.animation = this.isAnimated ? animation : undefined;
    if (this.animation) this.matches.note(this.#views.values());
    this.#notePlaces(removed);
    for (const id of removed) this.#records.delete(id);
    for (const node of nodes) {
      const parent = this.#records.get(node.id)?.parent;
      this.#records.set(node.id, { ...node, parent });
    }
    for (const node of nodes) for (const child of node.children) {
      const record = this.#records.get(child);
      if (record) record.parent = node.id;
    }
    const touched = new Set();
    for (const node of nodes) {
      if (this.#views.has(node.id)) this.#refresh(node.id);
      touched.add(node.id);
    }
    for (const id of removed) this.#drop(id);
    if (this.root !== root) {
      this.root = root;
      this.host.replaceChildren(this.#mount(root).element);
    }
    this.#settle(touched);
    if (this.animation) this.matches.perform(this.#views.values(), options(this.animation));
    this.scrollCommands.perform(this);
    for (const reporter of this.reporters) reporter.schedule();
  }

  /** Before a change, keeps the places of the outermost views that go in it with an animation. */
  #notePlaces(removed) {
    this.#places.clear();
    if (!this.isAnimated) return;
    const all = new Set(removed);
    for (const id of removed) {
      const view = this.#views.get(id);
      if (!view || all.has(this.#records.get(id)?.parent)) continue;
      if (this.animation || hasTiming(this.#transitionOf(view), 1)) this.#places.set(view.element, placeOf(view.element));
    }
  }

  /** The transition of a view, or of the one view inside it. */
  #transitionOf(view) {
    for (let at = view; at; at = this.#views.get(at.record.children[0])) {
      const { properties, children, kind } = at.record;
      if (properties.transition) return properties.transition;
      if (children.length !== 1 && kind !== "background" && kind !== "overlay") return undefined;
    }
    return undefined;
  }

  /** Updates what depends on the content: which views stretch or keep their size, and summaries. */
  #settle(touched) {
    const summaries = new Set();
    const seen = new Set();
    for (const id of touched) {
      for (let at = id; at !== undefined && !seen.has(at); at = this.#records.get(at)?.parent) {
        seen.add(at);
        const view = this.#views.get(at);
        if (!view) continue;
        this.#measure(view);
        if (view.summarize) summaries.add(view);
      }
    }
    for (const view of [...summaries].reverse()) view.summarize();
  }

  #measure(view) {
    const flex = flexOf(view.record, (id) => this.#views.get(id));
    const old = view.flex;
    if (old && Object.keys(flex).every((name) => old[name] === flex[name])) return;
    this.#stretch(view, flex);
    const parent = this.#views.get(view.record.parent);
    if (parent?.flex) this.#measure(parent);
  }

  #mount(id) {
    const known = this.#views.get(id);
    if (known) return known;
    const record = this.#records.get(id);
    const view = (kinds[record.kind] ?? kinds.group)(record, this);
    view.record = record;
    this.#views.set(id, view);
    view.element.dataset.node = id;
    this.#fill(view);
    this.#stretch(view, flexOf(record, (child) => this.#views.get(child)));
    view.summarize?.();
    return view;
  }

  #stretch(view, flex) {
    view.flex = flex;
    const classes = { fh: flex.h, fv: flex.v, "kept-h": flex.keptH, "kept-v": flex.keptV, brief: flex.brief };
    for (const [name, isOn] of Object.entries(classes)) view.element.classList.toggle(name, isOn);
  }

  #fill(view) {
    view.update(view.record);
    for (const reporter of this.reporters) reporter.follow(view);
    this.scrollCommands.note(view.record);
    for (const [container, ids] of view.slots(view.record)) this.#arrange(container, ids);
  }

  #refresh(id) {
    const view = this.#views.get(id);
    const record = this.#records.get(id);
    if (view.record.kind !== record.kind) {
      const place = view.element;
      this.#views.delete(id);
      view.close?.();
      for (const reporter of this.reporters) reporter.forget(id);
      keepingFocus(place, () => place.replaceWith(this.#mount(id).element));
      return;
    }
    view.record = record;
    this.#fill(view);
  }

  /** Puts the children of a container in order, without moving those that are in place. */
  #arrange(container, ids) {
    const wanted = ids.filter((id) => this.#records.has(id)).map((id) => this.#mount(id));
    const elements = new Set(wanted.map((view) => view.element));
    for (const element of [...container.children]) {
      if (elements.has(element) || element.classList.contains("leaving")) continue;
      this.#remove(element);
    }
    let next = container.firstElementChild;
    for (const view of wanted) {
      while (next && next !== view.element && next.classList.contains("leaving")) next = next.nextElementSibling;
      if (view.element === next) {
        next = next.nextElementSibling;
      } else {
        const isNew = !view.element.isConnected;
        container.insertBefore(view.element, next);
        if (!isNew || !this.isAnimated) continue;
        if (view.enter) view.enter();
        else if (container.isConnected) {
          const transition = this.#transitionOf(view);
          if (this.animation || hasTiming(transition, 0)) comeIn(view.element, transition, this.animation);
        }
      }
    }
  }

  #remove(element) {
    const view = this.#views.get(Number(element.dataset.node));
    const isGone = view && !this.#records.has(view.record.id);
    const place = isGone ? this.#places.get(element) : undefined;
    if (isGone && view.leave && this.isAnimated) view.leave();
    else if (place) goOut(element, place, this.#transitionOf(view), this.animation);
    else element.remove();
  }

  #drop(id) {
    const view = this.#views.get(id);
    if (!view) return;
    this.#views.delete(id);
    view.close?.();
    for (const reporter of this.reporters) reporter.forget(id);
    this.device.queue.forget(id);
    if (!view.element.closest(".leaving")) view.element.remove();
  }

  /** Returns every visible text inside a node, in order. */
  texts(id) {
    const record = this.#records.get(id);
    if (!record || record.properties.covered === true) return [];
    if (record.kind === "text") return [String(record.properties.text ?? "")];
    return record.children.flatMap((child) => this.texts(child));
  }

  /** Returns the first node for which `isWanted` holds, including the node itself. Skips covered nodes. */
  find(id, isWanted) {
    const record = this.#records.get(id);
    if (!record || record.properties.covered === true) return undefined;
    if (isWanted(record)) return record;
    for (const child of record.children) {
      const match = this.find(child, isWanted);
      if (match) return match;
    }
    return undefined;
  }
}
