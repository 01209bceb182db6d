// @ts-check
// Text fields. What the user types is newer than the text from the app until the app has responded.

import { h, setAttribute, setText } from "../lib/dom.js";
import { letters, setStyles } from "../lib/style.js";
import { symbol } from "./symbols.js";
import { makeView } from "./view.js";

const enterKeys = { next: "next", done: "done", go: "go", search: "search", send: "send", return: "enter" };

/** Whether the app is moving the focus. The page does not send such changes back to the app. */
let isAppMoving = false;

function moveFocus(work) {
  isAppMoving = true;
  try { work(); } finally { isAppMoving = false; }
}

/** Moves the element's inside elsewhere by `work`. The focus, the selection and the places of scroll views stay. */
export function keepingFocus(element, work) {
  const focused = element.contains(document.activeElement) ? /** @type {any} */ (document.activeElement) : undefined;
  const [start, end, direction] = [focused?.selectionStart, focused?.selectionEnd, focused?.selectionDirection];
  const scrolled = [...element.querySelectorAll("*")].filter((inner) => inner.scrollTop !== 0 || inner.scrollLeft !== 0)
    .map((inner) => ({ inner, left: inner.scrollLeft, top: inner.scrollTop }));
  moveFocus(() => {
    work();
    for (const { inner, left, top } of scrolled) inner.scrollTo({ left, top, behavior: "instant" });
    if (!focused?.isConnected || focused === document.activeElement) return;
    focused.focus({ preventScroll: true });
    if (typeof start === "number") focused.setSelectionRange(start, end, direction);
  });
}

/** How long after the outcome of an event the app's text may arrive, in milliseconds. */
const responseDelay = 300;

/**
 * Binds an input to a node. Changes are sent to the app; text from the app is shown unless it would undo typing.
 *
 * @param {HTMLInputElement | HTMLTextAreaElement} input
 * @param {any} record
 * @param {any} screen
 * @param {(text: string) => boolean} isOwn Returns whether the field contains the user's input, which the text from the app must not replace.
 */
function bind(input, record, screen, isOwn = (_text) => false) {
  const { device } = screen;
  let current = record;
  let isFocused = false;
  let sent = [];
  let hasResponse = true;
  let timer;

  function adopt() {
    const text = String(current.properties.text ?? "");
    if (input.value === text || device.queue.pending(record.id) > 0 || isOwn(text)) return;
    const isActive = document.activeElement === input;
    // The response to an earlier letter, which a later one has overtaken.
    if (isActive && sent.at(-1) === input.value && sent.includes(text)) return;
    const [start, end, length] = [input.selectionStart, input.selectionEnd, input.value.length];
    input.value = text;
    if (isActive && start !== null && end !== null) {
      input.setSelectionRange(start === length ? text.length : Math.min(start, text.length), end === length ? text.length : Math.min(end, text.length));
    }
  }

  device.queue.onSettled(record.id, () => {
    clearTimeout(timer);
    if (hasResponse) adopt();
    else timer = setTimeout(adopt, responseDelay);
  });
  input.addEventListener("input", () => {
    clearTimeout(timer);
    hasResponse = false;
    sent = [...sent.slice(-50), input.value];
    device.send(record.id, "change", input.value);
  });
  input.addEventListener("focus", () => {
    if (!isAppMoving && current.actions.includes("focus")) device.send(record.id, "focus");
  });
  input.addEventListener("blur", () => {
    sent = [];
    if (!isAppMoving && current.actions.includes("blur")) device.send(record.id, "blur");
    if (hasResponse) adopt();
  });

  return (now) => {
    const isNew = now.properties.text !== current.properties.text;
    hasResponse ||= isNew;
    current = now;
    if (hasResponse) adopt();
    const wanted = now.properties.focused === true;
    if (wanted && !isFocused && document.activeElement !== input) {
      requestAnimationFrame(() => moveFocus(() => input.isConnected && input.focus()));
    } else if (!wanted && isFocused && document.activeElement === input) {
      moveFocus(() => input.blur());
    }
    isFocused = wanted;
  };
}

function makeInput(type) {
  return h("input", { type, class: "field-input", autocomplete: "off", spellcheck: "false", autocorrect: "off", "data-1p-ignore": true, "data-lpignore": "true", "data-form-type": "other" });
}

function textField(record, screen) {
  const element = makeInput("text");
  const update = bind(element, record, screen);
  submits(element, record, screen);
  return makeView(record, screen, {
    element,
    slots: () => [],
    update(now) {
      dress(element, now);
      update(now);
    },
  });
}

/**
 * The app sends only the number of letters. The typed text stays if it has that many letters, or more during typing. The
 * first letter after the field gets the focus again empties it, as on a phone.
 */
function secureField(record, screen) {
  const element = makeInput("password");
  element.setAttribute("autocomplete", "one-time-code");
  let isTyped = false;
  const update = bind(element, record, screen, (text) => {
    const isActive = document.activeElement === element;
    isTyped &&= isActive ? text.length <= element.value.length : text.length === element.value.length;
    return isTyped;
  });
  element.addEventListener("focus", () => { isTyped = false; });
  submits(element, record, screen);
  element.addEventListener("beforeinput", () => {
    if (!isTyped) element.value = "";
    isTyped = true;
  });
  return makeView(record, screen, {
    element,
    slots: () => [],
    update(now) {
      dress(element, now);
      update(now);
    },
  });
}

/** A field for several lines, in which the return key begins a line. */
function textEditor(record, screen) {
  const element = h("textarea", { class: "field-input text-editor", autocomplete: "off", spellcheck: "false", "data-1p-ignore": true, "data-lpignore": "true" });
  const update = bind(element, record, screen);
  return makeView(record, screen, {
    element,
    slots: () => [],
    update(now) {
      dress(element, now);
      grow(element, now.properties);
      update(now);
    },
  });
}

/** Lets a field grow with its text, between two numbers of lines. */
function grow(element, { leastLines, lineLimit, style }) {
  if (!leastLines) return;
  const height = (lines) => `calc(${lines}lh + ${style === "roundedBorder" ? 13 : 0}px)`;
  element.rows = leastLines;
  setStyles(element, {
    "field-sizing": "content", resize: "none", "min-height": height(leastLines),
    "max-height": lineLimit ? height(lineLimit) : undefined,
  });
}

function submits(element, record, screen) {
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    screen.device.send(record.id, "submit");
  });
}

function dress(element, { properties }) {
  element.classList.toggle("rounded", properties.style === "roundedBorder");
  element.disabled = properties.disabled === true;
  setAttribute(element, "placeholder", properties.placeholder);
  setAttribute(element, "aria-label", properties.label ?? properties.placeholder);
  setAttribute(element, "inputmode", properties.keyboard);
  setAttribute(element, "enterkeyhint", enterKeys[properties.submitLabel]);
  setAttribute(element, "autocapitalize", properties.capitalize);
  if (properties.private) setAttribute(element, "name", `private-${element.dataset.node}`);
  setStyles(element, { ...letters(properties), "text-align": { center: "center", trailing: "var(--text-end)" }[properties.alignment] });
}

/** The search field of a page. While the user searches, its scopes and suggestions are below it. */
function search(record, screen) {
  const field = makeInput("search");
  field.classList.add("search-input");
  const update = bind(field, record, screen);
  submits(field, record, screen);
  let current = record;
  const clear = h("button", { type: "button", class: "search-clear", tabindex: "-1" }, symbol("xmark.circle.fill"));
  const cancel = h("button", { type: "button", class: "search-cancel" });
  const scopes = h("div", { class: "search-scopes" });
  const suggestions = h("div", { class: "search-suggestions plain", role: "list" });
  const element = h("div", { class: "search", role: "search" }, h("div", { class: "search-box" }, symbol("magnifyingglass", 500), field, clear), cancel, scopes, suggestions);
  const empty = () => {
    field.value = "";
    screen.device.send(record.id, "change", "");
    element.classList.remove("filled");
  };
  clear.addEventListener("mousedown", (event) => event.preventDefault());
  clear.addEventListener("click", () => { empty(); field.focus(); });
  cancel.addEventListener("click", () => {
    empty();
    field.blur();
    if (current.actions.includes("dismiss")) screen.device.send(record.id, "dismiss");
  });
  // As on a phone, the return key leaves the field, and a tap on it begins again.
  field.addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.isComposing) field.blur(); });
  field.addEventListener("input", () => element.classList.toggle("filled", field.value !== ""));
  return makeView(record, screen, {
    element,
    slots({ children }) {
      const isScopes = (id) => screen.record(id)?.kind === "picker";
      return [[scopes, children.filter(isScopes)], [suggestions, children.filter((id) => !isScopes(id))]];
    },
    update(now) {
      current = now;
      element.classList.toggle("active", now.properties.focused === true);
      setAttribute(field, "placeholder", now.properties.placeholder);
      setAttribute(field, "aria-label", now.properties.placeholder);
      setAttribute(clear, "aria-label", screen.words.clear);
      setText(cancel, screen.words.cancel);
      update(now);
      element.classList.toggle("filled", field.value !== "");
    },
  });
}

export const fields = { textField, secureField, search, textEditor };
