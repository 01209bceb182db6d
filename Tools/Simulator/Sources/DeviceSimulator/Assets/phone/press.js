// @ts-check
// Reports to the app that the pointer holds a control.

/**
 * Sends "press" while the pointer is on the control and down, and "release" when it is not, unless a tap ends the press.
 * @param accepts Whether the node accepts presses.
 * @param send Sends an action.
 */
export function watchPress(element, accepts, send) {
  let isHeld = false;
  let isPressed = false;

  function set(value) {
    if (value === isPressed) return;
    isPressed = value;
    send(value ? "press" : "release");
  }

  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !accepts()) return;
    if (event.target.hasPointerCapture?.(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
    isHeld = true;
    set(true);
    const up = (last) => {
      isHeld = false;
      // A click follows within the same turn if the pointer is still on the control.
      if (last.type === "pointerup" && isPressed) setTimeout(() => set(false), 50);
      else set(false);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", up);
    };
    addEventListener("pointerup", up);
    addEventListener("pointercancel", up);
  });
  element.addEventListener("pointerleave", () => set(false));
  element.addEventListener("pointerenter", () => { if (isHeld) set(true); });
  // The app ends the press with the tap.
  element.addEventListener("click", () => { isPressed = false; });
}
