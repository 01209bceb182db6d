// @ts-check
// Date pickers: a date and a time on gray, each of which opens a calendar or the columns of a clock, as on iOS.

import { h, replace, setAttribute, setText } from "../lib/dom.js";
import { color, points, setStyles } from "../lib/style.js";
import { openLayer } from "./menu.js";
import { DateWords, day, parse, write } from "./moments.js";
import { symbol } from "./symbols.js";
import { makeView } from "./view.js";

export function datePicker(record, screen) {
  const label = h("span", { class: "control-label" });
  const pill = (part) => h("button", { type: "button", class: "date-pill", "aria-haspopup": "dialog", onclick: () => open(part) });
  const pills = { date: pill("date"), time: pill("time") };
  const inline = h("div", { class: "date-inline" });
  const element = h("div", { class: "picker date-picker" }, label, inline, h("span", { class: "date-pills" }, pills.date, pills.time));
  const card = h("div", { class: "menu date-card", role: "dialog" });
  let current = record;
  let words = new DateWords("en");
  let opened;
  /** The day that has the focus of the keyboard; its month is shown. */
  let focused = 0;

  const value = () => parse(current.properties.date ?? "", current.properties.components);
  const title = () => current.children.flatMap((id) => screen.texts(id)).join(" ");
  const choose = (moment) => screen.device.send(record.id, "change", write(moment, current.properties.components));

  function open(part) {
    focused = Math.floor(value() / day) * day;
    const done = openLayer(card, pills[part], () => { opened = undefined; });
    opened = { part, close: done };
    draw();
    (card.querySelector("[tabindex='0']") ?? card).focus({ preventScroll: true });
  }

  const showsCalendar = () => current.properties.style === "graphical" && current.properties.components !== "time";

  /** Draws the calendar that is always seen. */
  function drawInline() {
    if (!showsCalendar()) return inline.replaceChildren();
    const hadFocus = inline.contains(document.activeElement);
    replace(inline, calendar());
    if (hadFocus) /** @type {HTMLElement | null} */ (inline.querySelector("[tabindex='0']"))?.focus({ preventScroll: true });
  }

  function draw() {
    drawInline();
    if (!opened) return;
    setAttribute(card, "aria-label", title() || words.name(opened.part === "date" ? "day" : "hour"));
    setStyles(card, { "--tint": current.properties.tint && color(current.properties.tint) });
    const hadFocus = card.contains(document.activeElement);
    const name = document.activeElement?.getAttribute("data-column");
    replace(card, opened.part === "date" ? calendar() : clock());
    for (const list of card.querySelectorAll(".clock-column")) {
      const chosen = /** @type {HTMLElement} */ (list.querySelector("[aria-selected=true]"));
      list.scrollTop = chosen.offsetTop - (list.clientHeight - chosen.offsetHeight) / 2;
    }
    if (!hadFocus) return;
    const wanted = name ? `[data-column=${name}]` : "[tabindex='0']";
    /** @type {HTMLElement | null} */ (card.querySelector(wanted))?.focus({ preventScroll: true });
  }

  /** The first and the last day that can be chosen. */
  function range() {
    const { minimum, maximum } = current.properties;
    return [minimum ? parse(minimum.slice(0, 10), "date") : -Infinity, maximum ? parse(maximum.slice(0, 10), "date") : Infinity];
  }

  function show(moment) {
    const [least, most] = range();
    focused = Math.min(Math.max(moment, least), most);
    draw();
  }

  /** The same day of another month, or its last day. */
  function inMonth(by) {
    const date = new Date(focused);
    const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + by + 1, 0));
    return last.setUTCDate(Math.min(date.getUTCDate(), last.getUTCDate()));
  }

  function calendar() {
    const date = new Date(focused);
    const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
    const count = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
    const before = (new Date(first).getUTCDay() - ((current.properties.firstWeekday ?? 1) - 1) + 7) % 7;
    const chosen = Math.floor(value() / day) * day;
    const [least, most] = range();
    const start = first - before * day;
    const named = (weekday) => [...Array(7).keys()].map((index) => words.format(start + index * day, { weekday }));
    const short = named("short");
    const titles = short.some((name) => name.length > 4) ? named("narrow") : short;
    const weekdays = named("long").map((abbr, index) => h("th", { scope: "col", abbr }, titles[index]));
    const cell = (moment) => {
      const isInside = moment >= first && moment < first + count * day;
      return h("td", {}, isInside ? h("button", { type: "button", class: "calendar-day", "aria-pressed": String(moment === chosen),
        "aria-label": words.format(moment, { dateStyle: "full" }), tabindex: moment === focused ? "0" : "-1",
        disabled: moment < least || moment > most, onclick: () => { focused = moment; choose(moment + (value() % day)); } },
      words.part(moment, { day: "numeric" }, "day")) : null);
    };
    const weeks = [...Array(Math.ceil((before + count) / 7)).keys()];
    const table = h("table", { class: "calendar" }, h("thead", {}, h("tr", {}, weekdays)),
      h("tbody", {}, weeks.map((week) => h("tr", {}, [...Array(7).keys()].map((index) => cell(start + (week * 7 + index) * day))))));
    table.addEventListener("keydown", calendarKey);
    const turn = (by, name) => h("button", { type: "button", class: "calendar-turn", "aria-label": words.month(by), onclick: () => show(inMonth(by)) }, symbol(name, 600));
    return [h("div", { class: "calendar-head" }, h("span", { class: "calendar-month", "aria-live": "polite" }, words.format(first, { month: "long", year: "numeric" })),
      turn(-1, "chevron.left"), turn(1, "chevron.right")), table];
  }

  function calendarKey(event) {
    const sign = getComputedStyle(event.currentTarget).direction === "rtl" ? -1 : 1;
    const days = { ArrowLeft: -sign, ArrowRight: sign, ArrowUp: -7, ArrowDown: 7 }[event.key];
    const months = { PageUp: -1, PageDown: 1 }[event.key];
    const to = days ? focused + days * day : months ? inMonth(months) : undefined;
    if (to === undefined) return;
    event.preventDefault();
    show(to);
  }

  function clock() {
    const moment = value();
    const [hour, minute] = [new Date(moment).getUTCHours(), new Date(moment).getUTCMinutes()];
    const base = Math.floor(moment / day) * day;
    const at = (hours, minutes) => base + (hours * 60 + minutes) * 60_000;
    const half = hour < 12 ? 0 : 12;
    const hours = [...Array(words.hour12 ? 12 : 24).keys()].map((index) => index + (words.hour12 ? half : 0));
    const columns = [
      column("hour", hours.map((each) => [words.part(at(each, 0), { hour: "numeric" }, "hour"), at(each, minute)]), hours.indexOf(hour)),
      column("minute", [...Array(60).keys()].map((each) => [words.two(each), at(hour, each)]), minute),
    ];
    if (words.hour12) {
      columns.push(column("dayPeriod", [0, 12].map((each) => [words.part(at(each, 0), { hour: "numeric" }, "dayPeriod"), at((hour % 12) + each, minute)]), half / 12));
    }
    return [h("div", { class: "clock" }, columns)];
  }

  /** A column of the clock: its titles with the moments that they stand for. */
  function column(name, choices, chosen) {
    const list = h("div", { class: "clock-column", role: "listbox", tabindex: "0", "data-column": name, "aria-label": words.name(name),
      "aria-activedescendant": `clock-${name}-${chosen}` }, choices.map(([text, moment], index) => h("div", { role: "option", id: `clock-${name}-${index}`,
      "aria-selected": String(index === chosen), onclick: () => choose(moment) }, text)));
    list.addEventListener("keydown", (event) => {
      const to = { ArrowUp: chosen - 1, ArrowDown: chosen + 1, Home: 0, End: choices.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      if (choices[to]) choose(choices[to][1]);
    });
    return list;
  }

  return makeView(record, screen, {
    element,
    slots: ({ children }) => [[label, children]],
    update(now) {
      current = now;
      const { properties } = now;
      if ((properties.locale ?? "en") !== words.wanted) words = new DateWords(properties.locale ?? "en");
      element.classList.toggle("label-hidden", properties.labelHidden === true);
      element.classList.toggle("graphical", showsCalendar());
      pills.date.hidden = properties.components === "time" || showsCalendar();
      pills.time.hidden = properties.components === "date";
      setText(pills.date, words.format(value(), { dateStyle: "medium" }));
      setText(pills.time, words.format(value(), { timeStyle: "short" }));
      for (const button of Object.values(pills)) button.disabled = properties.disabled === true;
      setStyles(element, { "--tint": properties.tint && color(properties.tint) });
      if (opened && properties.disabled) opened.close();
      if (!inline.contains(document.activeElement)) focused = Math.floor(value() / day) * day;
      draw();
    },
    summarize() {
      const text = current.children.map((id) => screen.find(id, ({ kind }) => kind === "text")).find(Boolean);
      for (const button of Object.values(pills)) {
        setAttribute(button, "aria-label", [title(), button.textContent].filter(Boolean).join(", "));
        setStyles(button, { "font-size": points(text?.properties.fontSize) });
      }
    },
    close: () => opened?.close(),
  });
}
