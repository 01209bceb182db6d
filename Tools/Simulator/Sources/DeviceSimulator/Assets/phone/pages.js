// @ts-check
// The window, stacks of pages with their bars, and tabs.

import { h, replace, setAttribute, setText } from "../lib/dom.js";
import { color, points, setStyles } from "../lib/style.js";
import { closeMenu } from "./menu.js";
import { symbol } from "./symbols.js";
import { enter, leave, makeView, takeFocus } from "./view.js";

const slide = 380;

function window(record, screen) {
  const content = h("div", { class: "window-content" });
  const presented = h("div", { class: "presented" });
  const element = h("div", { class: "window" }, content, presented);
  return makeView(record, screen, {
    element,
    update({ properties }) {
      element.dataset.scheme = properties.colorScheme ?? "light";
      element.dataset.textSize = properties.dynamicTypeSize ?? "large";
      setAttribute(element, "dir", properties.layoutDirection === "rightToLeft" ? "rtl" : undefined);
      setAttribute(element, "lang", properties.language);
      screen.words = Object.fromEntries(properties.systemWords ?? []);
    },
    slots({ children }) {
      const isContent = (id) => screen.record(id)?.kind === "content";
      return [[content, children.filter(isContent)], [presented, children.filter((id) => !isContent(id))]];
    },
    /** Makes only the topmost view accept input. */
    summarize() {
      const modals = [...presented.querySelectorAll(":scope > *")].filter((modal) => !modal.classList.contains("leaving"));
      content.inert = modals.length > 0;
      modals.forEach((modal, index) => { modal.inert = index < modals.length - 1; });
      element.dataset.over = modals.map((modal) => modal.dataset.presented).join(" ");
    },
  });
}

function navigation(record, screen) {
  const element = h("div", { class: "navigation" });
  return makeView(record, screen, {
    element,
    // A stack has a width in a column of a split view, unless it is the last one.
    update({ properties }) {
      element.classList.toggle("side", properties.width !== undefined);
      setStyles(element, { "--column": points(properties.width) });
    },
    /** Sets the label of each back button to the title of the page before. */
    summarize() {
      const pages = screen.record(record.id)?.children ?? [];
      pages.forEach((id, index) => {
        const before = screen.record(pages[index - 1])?.properties.title;
        const title = screen.record(id)?.properties.title ?? "";
        screen.view(id)?.setBack(before && hasRoom(before, title) ? before : screen.words.back ?? "Back");
      });
    },
  });
}

/** Whether the title of the page before fits beside a centered title. */
function hasRoom(before, title) {
  return width(before) + 30 <= (361 - width(title)) / 2;
}

/** The most that a title takes: 9 points for each letter, and 17 for one of Chinese, Japanese or Korean. */
function width(title) {
  return [...title].reduce((sum, letter) => sum + (letter >= "\u2e80" ? 17 : 9), 0);
}

const scrolls = ({ kind, properties }) => kind === "list" || kind === "form" || (kind === "scroll" && properties.vertical === true);
/** Kinds whose only child still fills the page. */
const sheer = new Set(["pageContent", "group", "padding", "paint", "tabPage", "frame", "ignoresSafeArea", "content", "opacity", "coordinateSpace"]);

function page(record, screen) {
  const backLabel = h("span", {});
  const back = h("button", { type: "button", class: "back", onclick: () => screen.device.send(record.id, "back") }, symbol("chevron.left", 600), backLabel);
  const leading = h("div", { class: "bar-items" });
  const trailing = h("div", { class: "bar-items" });
  const principal = h("div", { class: "bar-principal" });
  const title = h("div", { class: "bar-title", "aria-hidden": "true" });
  const subtitle = h("div", { class: "bar-subtitle" });
  const bar = h("header", { class: "bar" }, h("div", { class: "bar-side" }, back, leading), h("div", { class: "bar-middle" }, title, subtitle, principal), h("div", { class: "bar-side trailing" }, trailing));
  const heading = h("h1", { class: "large-title" });
  const underHeading = h("div", { class: "large-subtitle" });
  const searchSlot = h("div", { class: "search-slot" });
  const content = h("div", { class: "page-main" });
  const body = h("div", { class: "page-body", tabindex: "-1" }, h("div", { class: "page-head" }, heading, underHeading, searchSlot), content);
  const bottom = h("div", { class: "bottom-bar" });
  const keyboard = h("div", { class: "keyboard-bar" });
  const element = h("section", { class: "page" }, bar, body, bottom, keyboard);
  let current = record;

  const items = (now, placement) => now.children.filter((id) => {
    const item = screen.record(id);
    return item?.kind === "toolbarItem" && (item.properties.placement ?? "trailing") === placement;
  });
  const all = (now, kind) => now.children.filter((id) => screen.record(id)?.kind === kind);

  /** Makes the bar translucent if content is under it, and shows the title in it if the large title has scrolled away. */
  function noticeScroll() {
    const isUnder = body.scrollTop > Math.max(isLarge() ? heading.offsetHeight - 12 : 1, 1);
    element.classList.toggle("scrolled", isUnder);
    element.classList.toggle("collapsed", isUnder);
  }
  const isLarge = () => current.properties.title !== undefined && !["inline", "inlineLarge"].includes(current.properties.displayMode) && !isPushedPlain();
  const isPushedPlain = () => current.properties.barHidden === true;
  body.addEventListener("scroll", noticeScroll, { passive: true });
  // A page of a hidden tab has no size and is not scrolled, until its tab is chosen.
  const resizes = new ResizeObserver(noticeScroll);
  resizes.observe(body);

  return makeView(record, screen, {
    element,
    setBack(words) {
      setText(backLabel, words);
      const word = screen.words.back ?? "Back";
      setAttribute(back, "aria-label", words === word ? word : `${word}, ${words}`);
    },
    update(now) {
      current = now;
      const { properties, actions } = now;
      setText(title, properties.title ?? "");
      setText(heading, properties.title ?? "");
      heading.hidden = !isLarge();
      setText(subtitle, properties.subtitle ?? "");
      setText(underHeading, properties.subtitle ?? "");
      underHeading.hidden = !isLarge() || !properties.subtitle;
      subtitle.hidden = isLarge() || !properties.subtitle;
      element.classList.toggle("inline-large", properties.displayMode === "inlineLarge");
      setAttribute(element, "data-role", properties.role);
      setAttribute(element, "aria-label", properties.title);
      element.classList.toggle("large", isLarge());
      element.classList.toggle("no-bar", properties.barHidden === true);
      back.hidden = !actions.includes("back");
      setAttribute(element, "data-back", actions.includes("back") ? now.id : undefined);
      setTint(element, properties);
      const isCovered = properties.covered === true;
      if (element.classList.contains("covered") !== isCovered) {
        if (screen.isAnimated) {
          element.classList.add("moving");
          setTimeout(() => element.classList.remove("moving"), slide);
        }
        element.classList.toggle("covered", isCovered);
        if (isCovered) closeMenu();
      }
      element.inert = isCovered;
    },
    slots: (now) => [
      [leading, items(now, "leading")], [trailing, items(now, "trailing")], [principal, items(now, "principal")],
      [bottom, items(now, "bottom")], [keyboard, items(now, "keyboard")], [searchSlot, all(now, "search")],
      [content, all(now, "pageContent")],
    ],
    /** Scrolls the page instead of the list that fills it, so that the large title scrolls too. */
    summarize() {
      let main = screen.record(all(current, "pageContent")[0]);
      while (main && !scrolls(main) && sheer.has(main.kind) && main.children.length === 1) main = screen.record(main.children[0]);
      const scroller = main && scrolls(main) ? screen.view(main.id)?.element : undefined;
      for (const old of content.querySelectorAll(".main-scroller")) if (old !== scroller) old.classList.remove("main-scroller");
      if (scroller && !scroller.classList.contains("main-scroller")) body.scrollTop = 0;
      scroller?.classList.add("main-scroller");
      element.classList.toggle("scrolls", scroller !== undefined);
      element.classList.toggle("grouped", scroller?.matches(".list:not(.plain, .clear)") === true);
      element.classList.toggle("has-principal", principal.childElementCount > 0);
      setAttribute(body, "data-refresh", scroller?.dataset.refresh);
      noticeScroll();
    },
    enter() {
      enter(element, slide);
      takeFocus(body);
    },
    leave: () => leave(element, slide),
    close: () => resizes.disconnect(),
  });
}

/** Sets the tint of what the page itself draws, such as a back button, the chosen tab or a tick. */
function setTint(element, { tint }) {
  setStyles(element, { "--c-accent": tint && color(tint) });
}

function tabs(record, screen) {
  const element = h("div", { class: "tabs" });
  return makeView(record, screen, { element, update: ({ properties }) => element.classList.toggle("paged", properties.style === "page") });
}

function tabPage(record, screen) {
  const element = h("div", { class: "tab-page col" });
  return makeView(record, screen, {
    element,
    update({ properties }) {
      element.hidden = properties.covered === true;
      element.inert = properties.covered === true;
    },
  });
}

function tabBar(record, screen) {
  const element = h("nav", { class: "tab-bar", role: "tablist" });
  element.addEventListener("click", (event) => {
    const chosen = /** @type {Element} */ (event.target).closest(".tab");
    if (chosen) screen.device.send(record.id, "change", [...element.children].indexOf(chosen));
  });
  element.dataset.node = record.id;
  return makeView(record, screen, {
    element,
    update({ properties }) {
      element.classList.toggle("no-index", properties.indexHidden === true);
      element.classList.toggle("on-background", properties.indexBackground === true);
      setTint(element, properties);
    },
  });
}

function tab(record, screen) {
  const content = h("span", { class: "tab-content" });
  const badge = h("span", { class: "tab-badge" });
  const element = h("button", { type: "button", class: "tab", role: "tab" }, content, badge);
  return makeView(record, screen, {
    element,
    slots: ({ children }) => [[content, children]],
    update({ properties }) {
      setAttribute(element, "aria-selected", String(properties.selected === true));
      replace(badge, properties.badge ?? null);
      badge.hidden = !properties.badge;
    },
  });
}

function plain(className) {
  return (record, screen) => makeView(record, screen, { element: h("div", { class: className }) });
}

export const pages = {
  window, navigation, page, tabs, tabPage, tabBar, tab,
  columns: plain("columns"),
  content: plain("col content"),
  pageContent: plain("col page-content"),
  toolbarItem: plain("row toolbar-item"),
};
