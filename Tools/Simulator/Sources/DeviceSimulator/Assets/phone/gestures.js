// @ts-check
// Gestures by mouse or touch: scrolling with momentum, pulling to refresh, swiping back from the edge, swiping through
// pages, and pulling down a sheet.

import { toRest } from "./rest.js";

const threshold = 7;
const pullDistance = 64;

export function watchGestures(glass, device) {
  let current;

  const scale = () => glass.getBoundingClientRect().width / glass.offsetWidth || 1;

  glass.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.target.closest("input, textarea, .menu")) return;
    stopSwing();
    current = { id: event.pointerId, x: event.clientX, y: event.clientY, lastX: event.clientX, lastY: event.clientY, at: event.timeStamp, speed: 0, target: event.target, scale: scale() };
  });

  glass.addEventListener("pointermove", (event) => {
    if (!current || event.pointerId !== current.id) return;
    const [dx, dy] = [(event.clientX - current.x) / current.scale, (event.clientY - current.y) / current.scale];
    if (!current.kind) {
      if (Math.hypot(dx, dy) < threshold) return;
      begin(current, dx, dy, event);
      if (!current.kind) { current = undefined; return; }
      glass.setPointerCapture(event.pointerId);
      glass.classList.add("gesturing");
    }
    move(current, dx, dy, event);
    current.lastX = event.clientX;
    current.lastY = event.clientY;
    current.at = event.timeStamp;
  });

  glass.addEventListener("pointerup", end);
  glass.addEventListener("pointercancel", end);
  glass.addEventListener("dragstart", (event) => event.preventDefault());

  function begin(drag, dx, dy, event) {
    const isAcross = Math.abs(dx) > Math.abs(dy);
    const edges = glass.getBoundingClientRect();
    const sign = isMirrored(glass) ? -1 : 1;
    const start = (sign > 0 ? drag.x - edges.left : edges.right - drag.x) / drag.scale;
    const page = [...glass.querySelectorAll(".page[data-back]:not(.covered, .leaving)")].at(-1);
    if (isAcross && start < 24 && dx * sign > 0 && page && !page.closest("[inert]")) Object.assign(drag, { kind: "back", page, sign });
    else {
      const scroller = scrollerOf(drag.target, isAcross, isAcross ? dx : dy);
      const sheet = drag.target.closest(".sheet[data-dismiss]");
      const atTop = !scroller || scroller.scrollTop <= 0;
      if (!isAcross && dy > 0 && sheet && (atTop || drag.target.closest(".bar, .grabber"))) Object.assign(drag, { kind: "sheet", sheet, panel: sheet.querySelector(".sheet-panel") });
      else if (!isAcross && dy > 0 && atTop && scroller?.dataset.refresh) Object.assign(drag, { kind: "pull", scroller });
      else if (isAcross && !scroller && drag.target.closest(".paged")) {
        const paged = drag.target.closest(".paged");
        Object.assign(drag, { kind: "pages", bar: paged.querySelector(":scope > .tab-bar"), page: paged.querySelector(":scope > .tab-page:not([hidden])"), sign });
      } else if (scroller && event.pointerType === "mouse") {
        Object.assign(drag, { kind: "scroll", scroller, isAcross });
        scroller.classList.add("dragged");
      }
    }
    if (drag.kind) addEventListener("click", swallow, { capture: true, once: true });
  }

  function move(drag, dx, dy, event) {
    if (drag.kind === "scroll") {
      const by = (drag.isAcross ? event.clientX - drag.lastX : event.clientY - drag.lastY) / drag.scale;
      if (drag.isAcross) drag.scroller.scrollLeft -= by;
      else drag.scroller.scrollTop -= by;
      drag.speed = by / Math.max(event.timeStamp - drag.at, 1);
    } else if (drag.kind === "pull") {
      const pulled = Math.max(dy, 0) * 0.5;
      drag.isFar = pulled > pullDistance * 0.8;
      drag.scroller.style.setProperty("--pull", `${Math.min(pulled, pullDistance)}px`);
      drag.scroller.classList.add("pulled");
    } else if (drag.kind === "pages") {
      drag.distance = dx;
      drag.page.style.setProperty("transform", `translateX(${dx}px)`);
    } else if (drag.kind === "sheet") {
      drag.distance = Math.max(dy, 0);
      drag.panel.style.setProperty("transform", `translateY(${drag.distance}px)`);
    } else {
      drag.distance = Math.max(dx * drag.sign, 0);
      drag.page.style.setProperty("transform", `translateX(${drag.distance * drag.sign}px)`);
    }
  }

  function end(event) {
    if (!current || event.pointerId !== current.id) return;
    const done = current;
    current = undefined;
    glass.classList.remove("gesturing");
    setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0);
    if (done.kind === "scroll") {
      const by = toRest(done.scroller, done.isAcross, done.speed);
      if (by === undefined) {
        done.scroller.classList.remove("dragged");
        swing(done);
      } else {
        done.scroller.addEventListener("scrollend", () => done.scroller.classList.remove("dragged"), { once: true });
        done.scroller.scrollBy({ [done.isAcross ? "left" : "top"]: by, behavior: "smooth" });
        if (Math.abs(by) < 1) done.scroller.classList.remove("dragged");
      }
    }
    if (done.kind === "pull") {
      if (done.isFar) refresh(done.scroller, device);
      else settlePull(done.scroller);
    }
    if (done.kind === "sheet") {
      if (done.distance > 110) device.send(Number(done.sheet.dataset.dismiss), "dismiss");
      giveBack(done.panel);
    }
    if (done.kind === "pages") {
      const tabs = [...done.bar.children];
      const to = tabs.findIndex((tab) => tab.ariaSelected === "true") - Math.sign(done.distance) * done.sign;
      if (Math.abs(done.distance) > 60 && tabs[to]) device.send(Number(done.bar.dataset.node), "change", to);
      giveBack(done.page);
    }
    if (done.kind === "back") {
      if (done.distance > 120) device.send(Number(done.page.dataset.back), "back");
      giveBack(done.page);
    }
  }

  /** Ends the drag: moves the view back to its place; the app decides what happens next. */
  function giveBack(element) {
    element.classList.add("settling");
    setTimeout(() => {
      element.style.removeProperty("transform");
      setTimeout(() => element.classList.remove("settling"), 300);
    }, 90);
  }

  let swinging;

  function stopSwing() {
    cancelAnimationFrame(swinging);
  }

  function swing({ scroller, isAcross, speed, at }) {
    if (performance.now() - at > 60 || Math.abs(speed) < 0.15) return;
    let last = performance.now();
    const step = (now) => {
      const passed = Math.min(now - last, 40);
      last = now;
      if (isAcross) scroller.scrollLeft -= speed * passed;
      else scroller.scrollTop -= speed * passed;
      speed *= 0.996 ** passed;
      if (Math.abs(speed) > 0.02) swinging = requestAnimationFrame(step);
    };
    swinging = requestAnimationFrame(step);
  }
}

export function swallow(event) {
  event.preventDefault();
  event.stopPropagation();
}

/** Whether the app's screens are laid out from right to left. */
function isMirrored(glass) {
  return glass.querySelector(".window")?.dir === "rtl";
}

function scrollerOf(target, isAcross, by) {
  for (let at = target; at && !at.classList.contains("phone-screen"); at = at.parentElement) {
    const style = getComputedStyle(at);
    const overflow = isAcross ? style.overflowX : style.overflowY;
    if (overflow !== "auto" && overflow !== "scroll") continue;
    if (!isAcross) return at;
    if (at.scrollWidth > at.clientWidth + 1 && ((by > 0) === (style.direction === "rtl") || at.scrollLeft !== 0)) return at;
  }
  return undefined;
}

/** Refreshes the visible list, and shows the spinner for at least a moment. */
export function refresh(scroller, device) {
  device.send(Number(scroller.dataset.refresh), "refresh");
  scroller.classList.add("pulled", "refreshing");
  scroller.style.setProperty("--pull", `${pullDistance}px`);
  setTimeout(() => settlePull(scroller), 900);
}

function settlePull(scroller) {
  scroller.classList.remove("refreshing");
  scroller.style.setProperty("--pull", "0px");
  setTimeout(() => scroller.classList.remove("pulled"), 250);
}

/** The visible list that supports refreshing. */
export function refreshable(glass) {
  return [...glass.querySelectorAll("[data-refresh]")].filter((element) =>
    !element.closest(".covered, .leaving, [hidden], [inert]") && (element.classList.contains("page-body") || !element.classList.contains("main-scroller"))).at(-1);
}
