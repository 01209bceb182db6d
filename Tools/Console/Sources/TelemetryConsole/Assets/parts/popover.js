// @ts-check
// Where menus open.

/** Puts an opening popover below its button, within the window. */
export function place(menu, button) {
  const box = button.getBoundingClientRect();
  menu.style.top = `${box.bottom + 4}px`;
  menu.style.left = `${box.left}px`;
  requestAnimationFrame(() => {
    menu.style.left = `${Math.max(8, Math.min(box.left, innerWidth - menu.offsetWidth - 8))}px`;
    menu.style.maxHeight = `${innerHeight - box.bottom - 16}px`;
  });
}
