// @ts-check
// Sheets, alerts and dialogs.

import { h, setAttribute, setText } from "../lib/dom.js";
import { fill, points, setStyles } from "../lib/style.js";
import { enter, leave, makeView, takeFocus } from "./view.js";

const rise = 420;
const pop = 220;

function sheet(record, screen) {
  const card = h("div", { class: "sheet-card col", role: "dialog", "aria-modal": "true", tabindex: "-1" });
  const grabber = h("div", { class: "grabber", "aria-hidden": "true" });
  const behind = h("div", { class: "sheet-behind" });
  const panel = h("div", { class: "sheet-panel" }, behind, card, grabber);
  const element = h("div", { class: "sheet" }, panel);
  let current = record;
  const dismiss = () => current.actions.includes("dismiss") && screen.device.send(record.id, "dismiss");
  element.addEventListener("click", (event) => { if (event.target === element) dismiss(); });
  return makeView(record, screen, {
    element,
    slots({ children }) {
      const isLayer = (id) => screen.record(id)?.kind === "layer";
      return [[behind, children.filter(isLayer)], [card, children.filter((id) => !isLayer(id))]];
    },
    update(now) {
      current = now;
      const { properties, actions } = now;
      const isFull = properties.fullScreen === true;
      const detents = properties.detents ?? [];
      const isHalf = !isFull && detents[0] === "medium";
      const [form, size] = isFull ? [] : String(detents[0] ?? "").split(":");
      const tops = { fraction: `${(1 - Number(size)) * 100}%`, height: `calc(100% - ${Number(size)}px)` };
      const radius = isFull ? undefined : points(properties.radius);
      setStyles(panel, {
        top: tops[form], "border-radius": radius && `${radius} ${radius} 0 0`,
        ...(properties.background ? fill(properties.background) : { background: "", "backdrop-filter": "" }),
      });
      element.classList.toggle("own-background", properties.background !== undefined);
      setAttribute(element, "data-sizing", properties.sizing);
      element.dataset.presented = isFull ? "cover" : isHalf ? "half" : "sheet";
      element.classList.toggle("cover", isFull);
      setAttribute(element, "data-scheme", properties.colorScheme);
      element.classList.toggle("medium", isHalf);
      grabber.hidden = properties.dragIndicator !== true;
      setAttribute(element, "data-dismiss", actions.includes("dismiss") ? now.id : undefined);
    },
    summarize() {
      const page = screen.find(record.id, ({ kind }) => kind === "page");
      setAttribute(card, "aria-label", page?.properties.title);
    },
    enter() {
      enter(element, rise);
      takeFocus(card);
    },
    leave: () => leave(element, rise),
  });
}

/** Creates a renderer for an alert in the middle, or for a dialog at the bottom. */
function question(kind) {
  return (record, screen) => {
    const title = h("h2", { class: "question-title" });
    const message = h("div", { class: "question-message" });
    const buttons = h("div", { class: "question-buttons" });
    const box = h("div", { class: "question-box", role: kind === "alert" ? "alertdialog" : "dialog", "aria-modal": "true", tabindex: "-1" },
      h("div", { class: "question-words" }, title, message), buttons);
    const element = h("div", { class: `question ${kind}` }, box);
    element.dataset.presented = kind;
    let current = record;
    element.addEventListener("click", (event) => {
      if (event.target === element && current.actions.includes("dismiss")) screen.device.send(record.id, "dismiss");
    });
    const part = (now, name) => now.children.filter((id) => screen.record(id)?.kind === name);
    return makeView(record, screen, {
      element,
      update(now) {
        current = now;
        setText(title, now.properties.title ?? "");
        title.hidden = now.properties.titleHidden === true;
        setAttribute(box, "aria-label", now.properties.title);
        setAttribute(element, "data-dismiss", now.actions.includes("dismiss") ? now.id : undefined);
      },
      slots: (now) => [[message, part(now, "message")], [buttons, part(now, "buttons")]],
      summarize() {
        const titles = (screen.record(part(current, "buttons")[0])?.children ?? []).map((id) => screen.texts(id).join(" "));
        element.classList.toggle("pair", kind === "alert" && titles.length === 2 && titles.every((words) => words.length < 15));
        message.hidden = screen.texts(part(current, "message")[0]).length === 0;
        box.classList.toggle("wordless", title.hidden && message.hidden);
      },
      enter() {
        enter(element, pop);
        takeFocus(box);
      },
      leave: () => leave(element, pop),
    });
  };
}

function plain(className) {
  return (record, screen) => makeView(record, screen, { element: h("div", { class: className }) });
}

export const modals = {
  sheet,
  alert: question("alert"),
  dialog: question("dialog"),
  message: plain("col message"),
  buttons: plain("buttons"),
};
