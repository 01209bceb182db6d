// @ts-check
// Where menus open.

/** The height in pixels that a menu may have at least, if the window has it. */
const leastRoom = 240;

/** Puts an opening popover below its button, within the window. With too little room below, it goes up and covers the button. */
export function place(menu, button) {
  const box = button.getBoundingClientRect();
  const room = Math.max(innerHeight - box.bottom - 12, Math.min(leastRoom, innerHeight - 16));
  menu.style.top = `${innerHeight - room - 8}px`;
  menu.style.maxHeight = `${room}px`;
  menu.style.left = `${box.left}px`;
  requestAnimationFrame(() => {
    menu.style.left = `${Math.max(8, Math.min(box.left, innerWidth - menu.offsetWidth - 8))}px`;
  });
}
