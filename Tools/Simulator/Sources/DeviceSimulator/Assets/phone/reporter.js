// @ts-check
// Reports values of the views whose nodes accept an action, once a frame at most, and only those that have changed.

/** A change by less is not reported, in points. */
const least = 0.5;

/** A subclass has `valueOf(item, glass, scale)`: numbers in points, or `undefined` while they are not known. */
export class Reporter {
  /** By id: `{view, sent}`. */
  followed = new Map();
  #frame;
  #sizes = new ResizeObserver((entries) => {
    this.noteSizes(entries);
    this.schedule();
  });

  /** @param {string[]} events After these events of the screen, all values may be others. */
  constructor(host, device, action, events) {
    this.host = host;
    this.device = device;
    this.action = action;
    for (const name of events) host.addEventListener(name, () => this.schedule(), { capture: true, passive: true });
  }

  /** Follows a view if its node accepts the action, or else stops. */
  follow(view) {
    const { id, actions } = view.record;
    if (!actions.includes(this.action)) this.forget(id);
    else if (!this.followed.has(id)) {
      view.element.dataset.node = id;
      this.followed.set(id, { view });
      this.#sizes.observe(view.element);
      this.schedule();
    }
  }

  forget(id) {
    const item = this.followed.get(id);
    if (!item) return;
    this.#sizes.unobserve(item.view.element);
    this.followed.delete(id);
  }

  clear() {
    this.#sizes.disconnect();
    this.followed.clear();
  }

  /** Reports everything in the next frame. */
  schedule() {
    if (this.followed.size > 0) this.#frame ??= requestAnimationFrame(() => this.#report());
  }

  /** @param {ResizeObserverEntry[]} _entries */
  noteSizes(_entries) {}

  /** @returns {number[] | undefined} */
  valueOf(_item, _glass, _scale) { return undefined; }

  #report() {
    this.#frame = undefined;
    const glass = this.host.closest(".phone-screen") ?? this.host;
    const scale = glass.getBoundingClientRect().width / glass.offsetWidth || 1;
    for (const [id, item] of this.followed) {
      const { element } = item.view;
      if (!element.isConnected || element.closest(".covered, .leaving")) continue;
      const value = this.valueOf(item, glass, scale)?.map((number) => Math.round(number * 100) / 100);
      if (!value) continue;
      if (item.sent?.length === value.length && value.every((number, index) => Math.abs(number - item.sent[index]) <= least)) continue;
      item.sent = value;
      this.device.send(id, this.action, value);
    }
  }
}
