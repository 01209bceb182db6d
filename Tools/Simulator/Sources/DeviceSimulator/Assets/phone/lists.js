// @ts-check
// Lists, forms and scroll views.

import { h, setAttribute } from "../lib/dom.js";
import { points, setStyles } from "../lib/style.js";
import { keepAtAnchor } from "./rest.js";
import { row } from "./rows.js";
import { makeView } from "./view.js";

/** A view that scrolls. If it fills its page (`main`), the page scrolls instead, together with its title. */
function scroller(className, isContainer) {
  return (record, screen) => {
    const element = h("div", { class: className });
    const anchor = keepAtAnchor(element);
    return makeView(record, screen, {
      element,
      close: () => anchor.stop(),
      update({ properties, actions }) {
        anchor.use(properties.anchor);
        setAttribute(element, "data-snaps", properties.snaps);
        element.classList.toggle("unclipped", properties.unclipped === true);
        element.classList.toggle("spaced", properties.rowSpacing !== undefined);
        // A length that is not set is not that of a scroll view around.
        const length = (value) => points(value) ?? "initial";
        setStyles(element, {
          "--margin-top": length(properties.marginTop), "--margin-leading": length(properties.marginLeading),
          "--margin-bottom": length(properties.marginBottom), "--margin-trailing": length(properties.marginTrailing),
          "--section-gap": length(properties.sectionSpacing), "--row-gap": length(properties.rowSpacing),
        });
        if (isContainer) element.classList.toggle("plain", properties.style === "plain");
        element.classList.toggle("clear", properties.backgroundHidden === true);
        element.classList.toggle("horizontal", properties.horizontal === true);
        element.classList.toggle("vertical", properties.horizontal === undefined || properties.vertical === true);
        element.classList.toggle("bare", properties.indicators === false);
        setAttribute(element, "data-refresh", actions.includes("refresh") ? record.id : undefined);
      },
    });
  };
}

function section(record, screen) {
  const top = h("div", { class: "section-header" });
  const card = h("div", { class: "card", role: "list" });
  const footer = h("div", { class: "section-footer" });
  const element = h("div", { class: "section" }, top, card, footer);
  return makeView(record, screen, {
    element,
    update: ({ properties }) => setStyles(element, { "--section-gap": points(properties.sectionSpacing) }),
    slots({ children }) {
      const of = (...kinds) => children.filter((id) => kinds.includes(screen.record(id)?.kind));
      const rows = children.filter((id) => !["header", "footer"].includes(screen.record(id)?.kind));
      return [[top, of("header")], [card, rows], [footer, of("footer")]];
    },
  });
}

function header(record, screen) {
  const element = h("div", { class: "col header" });
  return makeView(record, screen, { element, update: ({ properties }) => element.classList.toggle("prominent", properties.prominent === true) });
}

function plain(className) {
  return (record, screen) => makeView(record, screen, { element: h("div", { class: className }) });
}

export const lists = {
  list: scroller("list", true),
  form: scroller("list form", true),
  scroll: scroller("scroll", false),
  section,
  row,
  header,
  footer: plain("col footer"),
  swipeActions: plain("swipe-actions"),
};
