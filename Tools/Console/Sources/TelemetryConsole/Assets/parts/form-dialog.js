// @ts-check
// A modal dialog with a form.

import { h, replace } from "./dom.js";
import { openDialog } from "./opened.js";

/**
 * Opens a dialog. `fields` have a `name`, a `label`, a `value`, and optionally `choices` (`[value, text]`) or `lines`.
 * `submit` gets the values by name. An error that it throws is shown, and the dialog stays open. It is tied to the field that
 * `faulty` names, or to the first.
 */
export function formDialog({ title, action, fields, submit, faulty = fields[0].name, prepare = (_inputs) => {} }) {
  const inputs = Object.fromEntries(fields.map((field) => [field.name, control(field)]));
  const problem = h("p", { class: "bad", role: "alert", id: "form-problem" });
  const values = () => Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.value.trim()]));
  let isSubmitting = false;
  const confirm = h("button", { type: "submit", class: "primary" }, action);
  const dialog = h("dialog", { class: "form-dialog", "aria-label": title },
    h("form", { method: "dialog", onsubmit: async (event) => {
      event.preventDefault();
      confirm.disabled = true;
      isSubmitting = true;
      markFault();
      try {
        await submit(values());
        dialog.close();
      } catch (error) {
        markFault(error);
      } finally {
        isSubmitting = false;
        confirm.disabled = false;
      }
    } },
    h("h2", {}, title),
    fields.map((field) => h("label", { class: `field ${field.isShort ? "short" : ""}` }, h("span", {}, field.label), inputs[field.name], field.hint ? h("small", { class: "faint" }, field.hint) : null)),
    problem, h("div", { class: "dialog-actions" }, h("button", { type: "button", onclick: () => cancel() }, "Cancel"), confirm)));
  /** Shows what is wrong with a field, or that nothing is. */
  function markFault(error) {
    replace(problem, error?.message ?? "");
    const field = inputs[faulty];
    field.setAttribute("aria-invalid", String(error !== undefined));
    if (error) { field.setAttribute("aria-describedby", problem.id); field.focus(); } else field.removeAttribute("aria-describedby");
  }

  prepare(inputs);
  const before = JSON.stringify(values());
  const cancel = openDialog(dialog, {
    unsaved: () => (!isSubmitting && JSON.stringify(values()) !== before ? "What you typed is not saved. Discard it?" : ""),
  });
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
