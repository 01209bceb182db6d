// @ts-check
// Scrolls to a view when the app asks for it: `scrollTo` is `[number, id, isAnimated, x?, y?]` on any node.

export class ScrollCommands {
  /** The number of the last command, by the id of the node that has it. */
  #done = new Map();
  #waiting = new Map();

  note({ id, properties: { scrollTo } }) {
    if (scrollTo && this.#done.get(id) !== scrollTo[0]) this.#waiting.set(id, scrollTo);
  }

  clear() {
    this.#done.clear();
    this.#waiting.clear();
  }

  /** Scrolls after a change, when everything is in its place. */
  perform(screen) {
    for (const [id, [number, target, isAnimated, x, y]] of this.#waiting) {
      this.#done.set(id, number);
      const element = screen.view(target)?.element;
      if (element) reveal(element.closest(".list-row") ?? element, x === undefined ? undefined : { x, y }, isAnimated);
    }
    this.#waiting.clear();
  }
}

function reveal(element, anchor, isAnimated) {
  const glass = element.closest(".phone-screen");
  const scale = glass ? glass.getBoundingClientRect().width / glass.offsetWidth || 1 : 1;
  for (const axis of ["y", "x"]) {
    const scroller = scrollerOf(element, axis);
    if (!scroller) continue;
    const by = distance(span(element, axis), visible(scroller, axis, scale), anchor?.[axis]) / scale;
    const behavior = isAnimated ? "smooth" : "instant";
    scroller.scrollBy(axis === "y" ? { top: by, behavior } : { left: by, behavior });
  }
}

function scrollerOf(element, axis) {
  for (let at = element.parentElement; at && !at.classList.contains("phone-screen"); at = at.parentElement) {
    const style = getComputedStyle(at);
    const overflow = axis === "y" ? style.overflowY : style.overflowX;
    const isLonger = axis === "y" ? at.scrollHeight > at.clientHeight : at.scrollWidth > at.clientWidth;
    if (isLonger && (overflow === "auto" || overflow === "scroll")) return at;
  }
  return undefined;
}

function span(element, axis) {
  const { top, bottom, left, right } = element.getBoundingClientRect();
  return axis === "y" ? { from: top, to: bottom } : { from: left, to: right };
}

/** The part of a scroll view that no bar covers. */
function visible(scroller, axis, scale) {
  const whole = span(scroller, axis);
  if (axis === "x" || !scroller.classList.contains("page-body")) return whole;
  const style = getComputedStyle(scroller);
  return { from: whole.from + parseFloat(style.paddingTop) * scale, to: whole.to - parseFloat(style.paddingBottom) * scale };
}

/** How far to scroll: until the points at the anchor's share meet, or no further than the view is out of sight. */
function distance(target, room, share) {
  if (share !== undefined) return target.from + share * (target.to - target.from) - room.from - share * (room.to - room.from);
  if (target.from < room.from) return target.from - room.from;
  return Math.max(0, target.to - room.to);
}
