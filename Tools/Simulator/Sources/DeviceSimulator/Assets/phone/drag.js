// @ts-check
// Views that the user drags over.

import { h } from "../lib/dom.js";
import { swallow } from "./gestures.js";
import { makeView } from "./view.js";

export function dragArea(record, screen) {
  const element = h("div", { class: "col drag-area" });
  let current = record;
  const send = (phase, at, start) => current.actions.includes("drag") && screen.device.send(record.id, "drag", [phase, at.x, at.y, start.x, start.y]);

  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || /** @type {Element} */ (event.target).closest("input, textarea")) return;
    // The page does not scroll meanwhile.
    event.stopPropagation();
    // The place of the view at the start: the app may move the view with the finger.
    const box = element.getBoundingClientRect();
    const scale = box.width / element.offsetWidth || 1;
    const place = ({ clientX, clientY }) => ({ x: (clientX - box.left) / scale, y: (clientY - box.top) / scale });
    const start = place(event);
    let at = start;
    let isDragged = false;
    let frame;

    const begin = () => {
      isDragged = true;
      addEventListener("click", swallow, { capture: true, once: true });
    };
    const move = (now) => {
      if (now.pointerId !== event.pointerId) return;
      at = place(now);
      if (!isDragged && Math.hypot(at.x - start.x, at.y - start.y) < (current.properties.distance ?? 10)) return;
      if (!isDragged) begin();
      // One event for each frame at most.
      frame ??= requestAnimationFrame(() => { frame = undefined; send("changed", at, start); });
    };
    const end = (last) => {
      if (last.pointerId !== event.pointerId) return;
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      if (frame !== undefined) { cancelAnimationFrame(frame); send("changed", at, start); }
      if (!isDragged) return;
      send(last.type === "pointerup" ? "ended" : "cancelled", at, start);
      setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
    if (current.properties.distance === 0) { isDragged = true; send("changed", at, start); }
  });
  return makeView(record, screen, { element, update(now) { current = now; } });
}
