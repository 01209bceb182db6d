// @ts-check
// Rows of lists: their swipe actions, and in edit mode their controls to delete, select and move them.

import { h, replace, setAttribute } from "../lib/dom.js";
import { color, setStyles } from "../lib/style.js";
import { symbol } from "./symbols.js";
import { makeView } from "./view.js";

const inner = "button, input, textarea, [role=button]";

/** A row. Swiping or keyboard focus reveals its swipe actions. */
export function row(record, screen) {
  const content = h("div", { class: "row-content" });
  const badge = h("span", { class: "badge" });
  const actions = h("div", { class: "swipe" });
  const leading = h("div", { class: "swipe leading" });
  const before = h("div", { class: "row-edit" });
  const grip = h("button", { type: "button", class: "row-grip" }, symbol("line.3.horizontal", 400));
  const body = h("div", { class: "row-body" }, before, content, badge, grip);
  const element = h("div", { class: "list-row", role: "listitem" }, leading, body, actions);
  let current = record;
  const choose = () => screen.device.send(record.id, "tap");

  const deleter = h("button", { type: "button", class: "row-delete", onclick: (event) => {
    event.stopPropagation();
    const sign = getComputedStyle(element).direction === "rtl" ? -1 : 1;
    element.scrollTo({ left: sign * element.scrollWidth, behavior: "smooth" });
  } }, symbol("minus", 700));

  body.addEventListener("click", (event) => {
    if (!current.actions.includes("tap")) return;
    const inside = /** @type {Element} */ (event.target).closest(inner);
    if (inside && inside !== body && !inside.classList.contains("taps-row")) return;
    choose();
  });
  body.addEventListener("keydown", (event) => {
    if (event.target === body && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); choose(); }
  });
  /** The view of the row that accepts moves, with its offset among those that it can change places with. */
  const mover = () => screen.find(record.id, (node) => node.actions.includes("move"));
  watchGrip(grip, element, mover, (to) => screen.device.send(mover().id, "move", to));

  /** Scrolls to the row itself, which lies between the actions of both edges. */
  const rest = () => { element.scrollLeft = (getComputedStyle(element).direction === "rtl" ? -1 : 1) * leading.offsetWidth; };
  const watcher = new ResizeObserver(rest);

  /** Lets the line begin and end where a view of the row says, in points and as a share of the width of that view. */
  function placeLine() {
    for (const [side, property] of [["start", "lineStart"], ["end", "lineEnd"]]) {
      const view = screen.find(record.id, (node) => node.properties[property] !== undefined);
      const box = view && screen.view(view.id)?.element.getBoundingClientRect();
      const outer = body.getBoundingClientRect();
      const scale = outer.width / body.offsetWidth || 1;
      const isMirrored = getComputedStyle(body).direction === "rtl";
      const at = (share, points) => {
        const from = isMirrored ? outer.right - box.right : box.left - outer.left;
        const place = (from + share * box.width) / scale + points;
        return side === "start" ? place : body.offsetWidth - place;
      };
      setStyles(element, { [`--line-${side}`]: view && box.width ? `${at(view.properties[property][1], view.properties[property][0])}px` : undefined });
    }
  }
  const lines = new ResizeObserver(placeLine);

  return makeView(record, screen, {
    element,
    close() {
      watcher.disconnect();
      lines.disconnect();
    },
    update(now) {
      current = now;
      const { properties, children } = now;
      badge.textContent = properties.badge ?? "";
      badge.hidden = !properties.badge;
      const hasActions = children.some((id) => screen.record(id)?.kind === "swipeActions");
      const selects = now.actions.includes("tap") && properties.runsButtons !== true;
      element.classList.toggle("swipes", hasActions);
      element.classList.toggle("no-separator", properties.separator === false);
      element.classList.toggle("is-selected", properties.selected === true);
      element.classList.toggle("selects", selects);
      element.classList.toggle("runs-buttons", properties.runsButtons === true);
      element.classList.toggle("edits", properties.editing === true);
      setAttribute(body, "tabindex", selects ? "0" : undefined);
      setAttribute(body, "role", selects ? "button" : undefined);
      setAttribute(body, "aria-pressed", selects ? String(properties.selected === true) : undefined);
      setAttribute(deleter, "aria-label", screen.words?.delete);
      setAttribute(grip, "aria-label", screen.words?.reorder);
      const mark = h("span", { class: "row-mark", "aria-hidden": "true" }, symbol(properties.selected ? "checkmark.circle.fill" : "circle", 400));
      replace(before, properties.selectable ? [mark] : properties.deletable ? [deleter] : []);
      before.hidden = before.childElementCount === 0;
      setStyles(element, {
        "--row-fill": properties.background ? color(properties.background) : undefined,
        "--line-above": properties.tintAbove && color(properties.tintAbove), "--line-below": properties.tintBelow && color(properties.tintBelow),
      });
      if (properties.editing !== true) rest();
    },
    summarize() {
      if (screen.find(record.id, ({ properties }) => properties.lineStart ?? properties.lineEnd)) {
        lines.observe(body);
        placeLine();
      } else {
        lines.disconnect();
        setStyles(element, { "--line-start": undefined, "--line-end": undefined });
      }
      const node = mover();
      grip.hidden = !node;
      setAttribute(element, "data-group", node?.properties.moveGroup);
      setAttribute(element, "data-offset", node?.properties.moveOffset);
    },
    slots({ children }) {
      const behind = children.filter((id) => screen.record(id)?.kind === "swipeActions");
      const first = behind.filter((id) => screen.record(id)?.properties.edge === "leading");
      leading.hidden = first.length === 0;
      if (first.length > 0) watcher.observe(leading); else watcher.disconnect();
      return [[content, children.filter((id) => !behind.includes(id))], [leading, first], [actions, behind.filter((id) => !first.includes(id))]];
    },
  });
}

/** Moves a row by its grip, with the pointer or the arrow keys. `move` gets the offset that the row moves before. */
function watchGrip(grip, listRow, mover, move) {
  const offset = (element) => Number(element.dataset.offset);
  const group = () => [...listRow.parentElement.children].filter((other) => other.dataset.group === listRow.dataset.group);

  grip.addEventListener("keydown", (event) => {
    const rows = group();
    const to = rows.indexOf(listRow) + ({ ArrowUp: -1, ArrowDown: 1 }[event.key] ?? 0);
    if (!mover() || !rows[to] || rows[to] === listRow) return;
    event.preventDefault();
    move(offset(rows[to]) + (event.key === "ArrowDown" ? 1 : 0));
  });

  grip.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !mover()) return;
    event.stopPropagation();
    const rows = group();
    const from = rows.indexOf(listRow);
    const boxes = rows.map((other) => other.getBoundingClientRect());
    const scale = boxes[from].height / listRow.offsetHeight || 1;
    let to = from;
    grip.setPointerCapture(event.pointerId);
    listRow.classList.add("lifted");

    const drag = ({ clientY }) => {
      const by = clientY - event.clientY;
      const middle = boxes[from].top + boxes[from].height / 2 + by;
      to = boxes.filter((box, index) => index !== from && box.top + box.height / 2 < middle).length;
      for (const [index, other] of rows.entries()) {
        const shift = index === from ? by : index > from && index <= to ? -boxes[from].height : index < from && index >= to ? boxes[from].height : 0;
        other.style.transform = shift ? `translateY(${shift / scale}px)` : "";
      }
    };
    const end = (last) => {
      grip.removeEventListener("pointermove", drag);
      grip.removeEventListener("pointerup", end);
      grip.removeEventListener("pointercancel", end);
      listRow.classList.remove("lifted");
      for (const other of rows) other.style.transform = "";
      if (last.type === "pointerup" && to !== from) move(offset(rows[to]) + (to > from ? 1 : 0));
    };
    grip.addEventListener("pointermove", drag);
    grip.addEventListener("pointerup", end);
    grip.addEventListener("pointercancel", end);
  });
}
