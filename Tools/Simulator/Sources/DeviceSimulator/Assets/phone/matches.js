// @ts-check
// Views of one name: in an animated change the new one comes from the frame of the one that goes, which follows it.

/**
 * @typedef {{ name: string, moves: boolean, resizes: boolean }} Match
 * @typedef {{ record: any, element: HTMLElement }} View
 */

/** The frames of the named views before a change. */
export class Matches {
  /** @type {Map<string, { element: HTMLElement, frame: DOMRect }>} */
  #before = new Map();

  /**
   * Keeps the frames of the views that are seen.
   *
   * @param {Iterable<View>} views
   */
  note(views) {
    this.#before.clear();
    for (const [{ name }, element] of named(views)) {
      const frame = element.getBoundingClientRect();
      if (frame.width > 0 || frame.height > 0) this.#before.set(name, { element, frame });
    }
  }

  /**
   * Moves the views that have come.
   *
   * @param {Iterable<View>} views
   * @param {any} options The timing of the change.
   */
  perform(views, options) {
    if (this.#before.size === 0) return;
    for (const [match, element] of named(views)) {
      const old = this.#before.get(match.name);
      if (!old || old.element === element) continue;
      const frame = element.getBoundingClientRect();
      if (frame.width === 0 || frame.height === 0) continue;
      element.animate([{ ...between(frame, old.frame, match, element) }, { transformOrigin: "0 0" }], options);
      const goes = old.element.classList.contains("leaving") && old.frame.width > 0 && old.frame.height > 0;
      if (goes) old.element.animate([{ transformOrigin: "0 0" }, { ...between(old.frame, frame, match, old.element) }], options);
    }
    this.#before.clear();
  }
}

/**
 * @param {Iterable<View>} views
 * @returns {Iterable<[Match, HTMLElement]>}
 */
function* named(views) {
  for (const { record, element } of views) {
    const { matched } = record.properties;
    if (matched && element.isConnected) yield [{ name: matched[0], moves: matched[1], resizes: matched[2] }, element];
  }
}

/**
 * The style that shows an element, whose frame is `own`, in another frame. The phone may be scaled down.
 *
 * @param {DOMRect} own
 * @param {DOMRect} other
 * @param {Match} match
 * @param {HTMLElement} element
 */
function between(own, other, { moves, resizes }, element) {
  const scale = own.width / element.offsetWidth || 1;
  const [across, down] = resizes ? [other.width / own.width, other.height / own.height] : [1, 1];
  // Centers are matched, and without the position the center stays.
  const center = moves ? other : own;
  const x = (center.left + center.width / 2 - own.left - (own.width * across) / 2) / scale;
  const y = (center.top + center.height / 2 - own.top - (own.height * down) / 2) / scale;
  const style = getComputedStyle(element).transform;
  return { transformOrigin: "0 0", transform: `translate(${x}px, ${y}px) scale(${across}, ${down})${style === "none" ? "" : ` ${style}`}` };
}
