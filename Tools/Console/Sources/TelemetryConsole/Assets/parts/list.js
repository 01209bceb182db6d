// @ts-check
// A virtual list: only the visible rows are in the document.

import { h, update } from "./dom.js";

const overscan = 8;

/**
 * A list that renders only its visible rows. Rows are `rowHeight` high; expanded rows are measured. The list has the
 * focus and marks the selected row with `aria-activedescendant`, so the selection survives when rows are recreated.
 */
export class VirtualList {
  /**
   * @param {object} options
   *   `label`, `role` ("tree" or "treegrid"), `rowHeight`, `render(item, index)` which returns the row's content and
   *   may return further content when `isUnfolded(item)`, `rowAttributes(item, index)`, `key(item)`,
   *   `onSelect(item)`, `onActivate(item)`.
   */
  constructor(options) {
    this.options = options;
    this.items = [];
    this.heights = new Map();
    this.tops = new Float64Array(1);
    this.selected = -1;
    this.rows = new Map();
    this.inner = h("div", { class: "vlist-inner", role: "presentation" });
    this.element = h("div", { class: "vlist", role: options.role, tabindex: "0", "aria-label": options.label }, this.inner);
    this.element.addEventListener("scroll", () => this.draw(), { passive: true });
    this.element.addEventListener("click", (event) => this.clicked(event));
    this.element.addEventListener("dblclick", (event) => this.clicked(event, true));
    this.resizing = new ResizeObserver(() => this.draw());
    this.resizing.observe(this.element);
    this.isOnPaper = false;
    this.ended = new AbortController();
    addEventListener("beforeprint", () => this.putOnPaper(true), { signal: this.ended.signal });
    addEventListener("afterprint", () => this.putOnPaper(false), { signal: this.ended.signal });
  }

  destroy() {
    this.resizing.disconnect();
    this.ended.abort();
  }

  /** Draws all rows while the page is printed, and only the visible ones afterwards. */
  putOnPaper(isOnPaper) {
    this.isOnPaper = isOnPaper;
    this.redraw();
  }

  /** Replaces the items. Keeps the selection and the place, if their items are still in the list. */
  setItems(items) {
    const { key } = this.options;
    const place = this.element.scrollTop;
    const top = this.indexAt(place);
    const [chosen, read] = [this.items[this.selected], place > 0 ? this.items[top] : undefined];
    const offset = place - this.tops[top];
    const find = (wanted) => (wanted ? items.findIndex((item) => key(item) === key(wanted)) : -1);
    this.items = items;
    this.selected = find(chosen);
    if (this.selected >= 0) this.element.setAttribute("aria-activedescendant", this.rowID(this.selected));
    else this.element.removeAttribute("aria-activedescendant");
    this.layout();
    const now = find(read);
    if (now >= 0) this.element.scrollTop = this.tops[now] + offset;
    this.redraw();
  }

  layout() {
    const { rowHeight, key } = this.options;
    this.tops = new Float64Array(this.items.length + 1);
    for (let index = 0; index < this.items.length; index += 1) {
      const height = this.heights.size ? this.heights.get(key(this.items[index])) ?? rowHeight : rowHeight;
      this.tops[index + 1] = this.tops[index] + height;
    }
    this.inner.style.height = `${this.tops[this.items.length]}px`;
  }

  /** Renders all visible rows again. A row that was shown keeps its focus. */
  redraw() {
    const [first, last] = this.range();
    const indexes = Array.from({ length: Math.max(last - first + 1, 0) }, (_, at) => first + at);
    update(this.inner, indexes.map((index) => this.makeRow(index)));
    this.rows = new Map(indexes.map((index, at) => [index, this.inner.children[at]]));
    for (const index of indexes) if (this.options.isUnfolded?.(this.items[index])) this.measure(index);
    this.draw();
  }

  indexAt(y) {
    let low = 0;
    let high = this.items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.tops[middle + 1] <= y) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The first and the last row that are in the document. */
  range() {
    const top = this.element.scrollTop;
    const end = this.items.length - 1;
    if (this.isOnPaper) return [0, end];
    return [Math.max(0, this.indexAt(top) - overscan), Math.min(end, this.indexAt(top + this.element.clientHeight) + overscan)];
  }

  draw() {
    const [first, last] = this.range();
    for (const [index, row] of this.rows) {
      if (index < first || index > last) { row.remove(); this.rows.delete(index); }
    }
    // From the last on: the place of each row is before the one added last.
    for (let index = last; index >= first; index -= 1) {
      if (!this.rows.has(index)) this.addRow(index);
    }
    if (!this.isOnPaper) this.options.onScroll?.(first, last);
  }

  makeRow(index) {
    const item = this.items[index];
    return h(
      "div",
      { class: "vrow", id: this.rowID(index), "data-key": this.options.key(item), "data-index": index, "aria-selected": String(index === this.selected),
        "aria-posinset": index + 1, "aria-setsize": this.items.length, ...this.options.rowAttributes(item, index),
        style: { transform: `translateY(${this.tops[index]}px)` } },
      this.options.render(item, index),
    );
  }

  addRow(index) {
    const row = this.makeRow(index);
    // Insert in list order, for screen readers.
    const next = this.rows.has(index + 1) ? index + 1 : [...this.rows.keys()].filter((other) => other > index).sort((a, b) => a - b)[0];
    this.inner.insertBefore(row, next === undefined ? null : this.rows.get(next));
    this.rows.set(index, row);
    if (this.options.isUnfolded?.(this.items[index])) this.measure(index);
  }

  measure(index) {
    const key = this.options.key(this.items[index]);
    const height = this.rows.get(index).getBoundingClientRect().height;
    if (this.heights.get(key) === height) return;
    this.heights.set(key, height);
    this.relocate();
  }

  /** Moves the visible rows to their current positions. */
  relocate() {
    this.layout();
    for (const [index, row] of this.rows) row.style.transform = `translateY(${this.tops[index]}px)`;
    this.draw();
  }

  /** Renders one row again after it was collapsed or expanded. */
  refresh(index) {
    const row = this.rows.get(index);
    if (!row) return;
    row.remove();
    this.rows.delete(index);
    if (!this.options.isUnfolded?.(this.items[index])) this.heights.delete(this.options.key(this.items[index]));
    this.addRow(index);
    this.relocate();
  }

  rowID(index) {
    return `${this.options.id ?? "row"}-${index}`;
  }

  clicked(event, isDouble = false) {
    const row = event.target.closest(".vrow");
    if (!row || event.target.closest("a, button, input, .unfolded")) return;
    const index = Number(row.dataset.index);
    this.select(index, { scroll: false });
    this.element.focus({ preventScroll: true });
    if (isDouble || this.options.activatesOnClick) this.options.onActivate?.(this.items[index], index);
  }

  select(index, { scroll = true } = {}) {
    if (!this.items.length) return;
    const bounded = Math.min(Math.max(index, 0), this.items.length - 1);
    this.rows.get(this.selected)?.setAttribute("aria-selected", "false");
    this.selected = bounded;
    if (scroll) this.reveal(bounded);
    this.rows.get(bounded)?.setAttribute("aria-selected", "true");
    this.element.setAttribute("aria-activedescendant", this.rowID(bounded));
    // In a low window the page scrolls too.
    if (scroll) this.rows.get(bounded)?.scrollIntoView({ block: "nearest" });
    this.options.onSelect?.(this.items[bounded], bounded);
  }

  /** Selects a row for the keyboard, whose next keys are for that row, wherever on the page the focus was. */
  goTo(index) {
    this.select(index);
    this.element.focus({ preventScroll: true });
  }

  move(by) {
    this.goTo(this.selected < 0 ? (by > 0 ? this.indexAt(this.element.scrollTop) : this.items.length - 1) : this.selected + by);
  }

  /** Scrolls a row into view, with a margin. */
  reveal(index, { center = false } = {}) {
    const margin = center ? this.element.clientHeight / 2 - this.options.rowHeight : this.options.rowHeight;
    const top = this.tops[index];
    const bottom = this.tops[index + 1];
    const view = this.element;
    if (top < view.scrollTop + margin) view.scrollTop = Math.max(0, top - margin);
    else if (bottom > view.scrollTop + view.clientHeight - margin) view.scrollTop = bottom - view.clientHeight + margin;
    this.draw();
  }

  activate() {
    if (this.selected >= 0) this.options.onActivate?.(this.items[this.selected], this.selected);
  }

  get pageSize() {
    return Math.max(1, Math.floor(this.element.clientHeight / this.options.rowHeight) - 2);
  }
}
