// @ts-check
// A modal dialog with a form.

import { h, replace } from "./dom.js";

/**
 * Opens a dialog. `fields` have a `name`, a `label`, a `value`, and optionally `choices` (`[value, text]`) or `lines`.
 * `submit` gets the values by name. An error that it throws is shown, and the dialog stays open.
 */
export function formDialog({ title, action, fields, submit, prepare = (_inputs) => {} }) {
  const inputs = Object.fromEntries(fields.map((field) => [field.name, control(field)]));
  const problem = h("p", { class: "bad", role: "alert" });
  const confirm = h("button", { type: "submit", class: "primary" }, action);
  const dialog = h("dialog", { class: "form-dialog", "aria-label": title },
    h("form", { method: "dialog", onsubmit: async (event) => {
      event.preventDefault();
      confirm.disabled = true;
      try {
        await submit(Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.value.trim()])));
        dialog.close();
      } catch (error) {
        replace(problem, error.message);
      } finally {
        confirm.disabled = false;
      }
    } },
    h("h2", {}, title),
    fields.map((field) => h("label", { class: `field ${field.isShort ? "short" : ""}` }, h("span", {}, field.label), inputs[field.name], field.hint ? h("small", { class: "faint" }, field.hint) : null)),
    problem, h("div", { class: "dialog-actions" }, h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"), confirm)));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  prepare(inputs);
  dialog.showModal();
  return dialog;
}

function control({ value, choices, lines, label: _label, hint: _hint, isShort: _isShort, ...attributes }) {
  if (choices) return h("select", attributes, choices.map(([choice, text]) => h("option", { value: choice, selected: String(choice) === String(value) }, text)));
  if (lines) {
    const area = h("textarea", { ...attributes, rows: lines, spellcheck: "false" });
    area.value = value;
    return area;
  }
  return h("input", { type: "text", ...attributes, value });
}
