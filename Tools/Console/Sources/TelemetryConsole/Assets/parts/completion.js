// @ts-check
// Completion of a text field from the console's data: fields, values, calculations and words of the query language.

import { get } from "../lib/api.js";
import { h, replace } from "./dom.js";
import { opened } from "./opened.js";

let lists = 0;

/**
 * Offers completions below a text field.
 *
 * `question(text, cursor)` returns the whole query and the cursor in it, because the words before decide what may follow.
 */
export function complete(input, question) {
  const id = `completion-${lists += 1}`;
  const list = h("ul", { class: "completion", role: "listbox", id, hidden: true });
  let items = [];
  let chosen = -1;
  let replaced;
  let abort;
  let timer;
  let forget;

  for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-controls": id, "aria-expanded": "false", autocomplete: "off", spellcheck: "false" })) input.setAttribute(name, value);

  const close = () => { forget?.(); forget = undefined; list.hidden = true; chosen = -1; clearTimeout(timer); abort?.abort(); input.setAttribute("aria-expanded", "false"); input.removeAttribute("aria-activedescendant"); };

  async function ask() {
    abort?.abort();
    abort = new AbortController();
    const cursor = cursorOf();
    const { text, cursor: place } = question(input.value, cursor);
    try {
      const found = await get("query/complete", { q: text || " ", cursor: String(place) }, abort.signal);
      const typed = place - found.from;
      items = found.items.slice(0, 12);
      replaced = { from: cursor - typed, to: cursor };
      chosen = -1;
      draw();
    } catch (error) {
      if (error.name !== "AbortError") say(error.message);
    }
  }

  /** Says in the list why there is nothing to choose. */
  function say(message) {
    items = [];
    close();
    if (document.activeElement === input) show(h("li", { role: "option", "aria-disabled": "true", class: "faint" }, message));
  }

  function show(...options) {
    replace(list, options);
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    forget ??= opened.add({ close, isOpen: () => list.isConnected && !list.hidden, element: list, opener: input });
  }

  function draw() {
    if (!items.length || document.activeElement !== input) { close(); return; }
    show(items.map((item, index) => h("li", { role: "option", id: `${id}-${index}`, "aria-selected": String(index === chosen),
      onpointerdown: (event) => { event.preventDefault(); take(index); } }, h("span", { class: "clip" }, item.text), h("span", { class: "faint" }, item.kind))));
    if (chosen >= 0) {
      input.setAttribute("aria-activedescendant", `${id}-${chosen}`);
      list.children[chosen].scrollIntoView({ block: "nearest" });
    }
  }

  const cursorOf = () => input.selectionStart ?? input.value.length;

  /**
   * The item that the word before the cursor only begins; -1 if the word is one of the items, or may be a value. The word
   * may be longer than it was when the list was asked for.
   */
  function begun() {
    const word = input.value.slice(replaced.from, cursorOf());
    if (cursorOf() < replaced.to || !word || items.some((item) => item.text === word)) return -1;
    return items.findIndex((item) => item.kind !== "value" && item.text.startsWith(word));
  }

  function take(index, end = replaced.to) {
    const { text } = items[index];
    input.setRangeText(text, Math.max(replaced.from, 0), end, "end");
    close();
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, 90); });
  input.addEventListener("focus", () => { timer = setTimeout(ask, 90); });
  input.addEventListener("blur", close);
  // Before the page's own keys, which run if the event goes on.
  input.addEventListener("keydown", (event) => {
    if (list.hidden || !items.length) {
      if (event.key === "ArrowDown") { event.preventDefault(); ask(); }
      return;
    }
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      chosen = (chosen + (event.key === "ArrowDown" ? 1 : -1) + items.length + (chosen < 0 && event.key === "ArrowUp" ? 1 : 0)) % items.length;
      draw();
    } else if (event.key === "Enter" || event.key === "Tab") {
      const word = chosen >= 0 ? -1 : begun();
      const taken = chosen >= 0 ? chosen : word >= 0 ? word : event.key === "Tab" ? 0 : -1;
      if (taken < 0) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      take(taken, word >= 0 ? cursorOf() : replaced.to);
    }
  });
  return list;
}
