// @ts-check
// Reports the size and the place of the views whose nodes accept the action "measure", once a frame at most.

/** A change by less is not reported, in points. */
const least = 0.5;

export class Measurer {
  /** By id: `{view, size, sent}`. The size is known as soon as the observer has reported it. */
  #followed = new Map();
  #frame;
  #observer = new ResizeObserver((entries) => {
    for (const { target, borderBoxSize: [box] } of entries) {
      const item = this.#followed.get(Number(/** @type {HTMLElement} */ (target).dataset.node));
      if (item) item.size = [box.inlineSize, box.blockSize];
    }
    this.schedule();
  });

  constructor(host, device) {
    this.host = host;
    this.device = device;
    for (const name of ["scroll", "transitionend", "animationend"]) {
      host.addEventListener(name, () => this.schedule(), { capture: true, passive: true });
    }
  }

  /** Follows a view if its node accepts the action, or else stops. */
  follow(view) {
    const { id, actions } = view.record;
    if (!actions.includes("measure")) {
      if (this.#followed.has(id)) this.forget(id);
    } else if (!this.#followed.has(id)) {
      view.element.dataset.node = id;
      this.#followed.set(id, { view });
      this.#observer.observe(view.element);
    }
  }

  forget(id) {
    const item = this.#followed.get(id);
    if (!item) return;
    this.#observer.unobserve(item.view.element);
    this.#followed.delete(id);
  }

  clear() {
    this.#observer.disconnect();
    this.#followed.clear();
  }

  /** Measures everything in the next frame. */
  schedule() {
    if (this.#followed.size > 0) this.#frame ??= requestAnimationFrame(() => this.#measure());
  }

  #measure() {
    this.#frame = undefined;
    const glass = this.host.closest(".phone-screen") ?? this.host;
    const scale = glass.getBoundingClientRect().width / glass.offsetWidth || 1;
    for (const [id, item] of this.#followed) {
      const { element, record } = item.view;
      if (!item.size || !element.isConnected || element.closest(".covered, .leaving")) continue;
      const place = record.properties.place === true ? placeOf(element, glass, scale) : [0, 0, 0, 0, 0, 0];
      const value = [...item.size, ...place].map((number) => Math.round(number * 100) / 100);
      if (item.sent?.length === value.length && value.every((number, index) => Math.abs(number - item.sent[index]) <= least)) continue;
      item.sent = value;
      this.device.send(id, "measure", value);
    }
  }
}

/** Returns `[x, y, top, leading, bottom, trailing]`, and `[id, x, y]` for each coordinate space around the view. */
function placeOf(element, glass, scale) {
  const box = element.getBoundingClientRect();
  const from = ({ left, top }) => [(box.left - left) / scale, (box.top - top) / scale];
  const spaces = [];
  for (let at = element.parentElement; at && at !== glass; at = at.parentElement) {
    if (!at.classList.contains("coordinate-space")) continue;
    const [x, y] = from(at.getBoundingClientRect());
    // The page scrolls instead of a scroll view that fills it, so the whole view moves.
    const page = at.querySelector(".main-scroller") ? at.closest(".page-body") : undefined;
    spaces.push(Number(at.dataset.node), x, y - (page?.scrollTop ?? 0));
  }
  return [...from(glass.getBoundingClientRect()), ...insetsOf(element, box, scale), ...spaces];
}

/** The insets of the safe area at the edges that the view touches. */
function insetsOf(element, box, scale) {
  const area = element.closest(".page, .sheet-panel, .tab-page, .window-content");
  if (!area) return [0, 0, 0, 0];
  const outer = area.getBoundingClientRect();
  const style = getComputedStyle(element);
  const length = (name) => parseFloat(style.getPropertyValue(name)) || 0;
  const main = element.closest(".page-body");
  const top = main ? parseFloat(getComputedStyle(main).paddingTop) || 0 : length("--safe-top");
  const bottom = length("--safe-bottom");
  const touches = (distance, inset) => Math.abs(distance / scale - inset) <= 1;
  return [touches(box.top - outer.top, top) ? top : 0, 0, touches(outer.bottom - box.bottom, bottom) ? bottom : 0, 0];
}
