// @ts-check
// Where scroll views rest: at an anchor while their content grows, and after a drag at the nearest view.

/** The view that scrolls in place of a scroll view that fills its page. */
function scrollerOf(element) {
  return element.classList.contains("main-scroller") ? element.closest(".page-body") ?? element : element;
}

/**
 * Shows the part of the content at an anchor at first, and keeps it there while the content grows, until the user
 * scrolls away from it.
 *
 * @param {HTMLElement} element
 */
export function keepAtAnchor(element) {
  /** @type {[number, number] | undefined} */
  let anchor;
  let isThere = true;
  let last = [0, 0];
  const room = (scroller) => [scroller.scrollWidth - scroller.clientWidth, scroller.scrollHeight - scroller.clientHeight];
  const settle = () => {
    const scroller = scrollerOf(element);
    if (!anchor || !scroller.isConnected) return;
    const [across, down] = room(scroller);
    if (isThere) scroller.scrollTo({ left: across * anchor[0], top: down * anchor[1], behavior: "instant" });
    last = [across, down];
  };
  const note = () => {
    const scroller = scrollerOf(element);
    const [across, down] = room(scroller);
    // The content has grown, and has not been scrolled yet.
    if (!anchor || Math.abs(across - last[0]) > 1 || Math.abs(down - last[1]) > 1) return;
    isThere = Math.abs(scroller.scrollLeft - across * anchor[0]) <= 2 && Math.abs(scroller.scrollTop - down * anchor[1]) <= 2;
  };
  const observer = new ResizeObserver(settle);
  const changes = new MutationObserver(() => {
    for (const child of element.children) observer.observe(child);
    settle();
  });
  let isOn = false;
  return {
    /** @param {[number, number] | undefined} wanted */
    use(wanted) {
      anchor = wanted;
      if (isOn === (wanted !== undefined)) return;
      isOn = !isOn;
      if (!isOn) return this.stop();
      observer.observe(element);
      changes.observe(element, { childList: true });
      addEventListener("scroll", note, { capture: true, passive: true });
    },
    stop() {
      observer.disconnect();
      changes.disconnect();
      removeEventListener("scroll", note, { capture: true });
    },
  };
}

/**
 * The place at which a scroll view with targets rests after a drag: the nearest in the direction of the movement.
 *
 * @param {HTMLElement} scroller
 * @param {boolean} isAcross
 * @param {number} speed In points a millisecond; positive if the content moves to the end of the screen.
 * @returns {number | undefined} How far to scroll.
 */
export function toRest(scroller, isAcross, speed) {
  const view = scroller.matches("[data-snaps]") ? scroller : scroller.querySelector("[data-snaps].main-scroller");
  const targets = [...view?.querySelector(".scroll-targets")?.children ?? []];
  if (!view || targets.length === 0) return undefined;
  const scale = scroller.getBoundingClientRect().width / scroller.offsetWidth || 1;
  const style = getComputedStyle(scroller);
  const edge = isAcross ? scroller.getBoundingClientRect().left : scroller.getBoundingClientRect().top;
  const start = edge / scale + (parseFloat(isAcross ? style.scrollPaddingLeft : style.scrollPaddingTop) || 0);
  const ways = targets.map((target) => {
    const box = target.getBoundingClientRect();
    return (isAcross ? box.left : box.top) / scale - start;
  });
  const ahead = ways.filter((way) => (Math.abs(speed) < 0.15 ? true : Math.sign(way) === -Math.sign(speed)));
  return (ahead.length > 0 ? ahead : ways).sort((one, other) => Math.abs(one) - Math.abs(other))[0];
}
