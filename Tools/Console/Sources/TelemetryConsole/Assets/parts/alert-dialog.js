// @ts-check
// The editor of a new alert: a threshold for a query, with what it would have done in the last week.

import { get } from "../lib/api.js";
import { previewQuery, thresholdOf, timesFired, windows } from "../lib/alert-preview.js";
import { loadBoard, saveBoard } from "../lib/board-api.js";
import { items, join, split } from "../lib/query-text.js";
import { plural, quantity } from "../shared/format.js";
import { boardChoices } from "./board-choices.js";
import { calculations } from "./charts.js";
import { h, replace } from "./dom.js";
import { formDialog } from "./form-dialog.js";

/** The formats of a webhook, as the file of a board names them. */
const formats = [["", "that of its host"], ["json", "JSON"], ["slack", "Slack"], ["teams", "Microsoft Teams"], ["pagerduty", "PagerDuty"]];

/**
 * Opens the editor.
 *
 * @param {string} text A query. Its time and its comparison have no meaning.
 * @param {{ column?: number, board?: string, done: () => void }} options The index of the calculation, and the board that is
 *   chosen at first.
 */
export async function alertOn(text, { column: index = 0, board: chosen, done }) {
  const boards = await boardChoices();
  if (!boards) return;
  const parts = split(text);
  const query = join({ ...parts, calculate: items(parts.calculate, ",")[index] || "count", last: "", from: "", every: "", compare: "" });
  const preview = h("p", { class: "faint", role: "status" });
  formDialog({
    title: "Alert on this", action: "Save the alert", faulty: "limit",
    fields: [
      { name: "name", label: "Name", value: "", required: true, maxlength: 120 },
      { name: "side", label: "Fires if the value is", value: "above", choices: [["above", "above"], ["below", "below"]], isShort: true },
      { name: "limit", label: "Threshold", value: "", required: true, maxlength: 40, hint: `In the unit of the value, such as 500 ms, 2 % or 12. ${query}` },
      { name: "window", label: "In the last", value: "1h", choices: windows, isShort: true },
      { name: "webhook", label: "Webhook", value: "", maxlength: 200, hint: "Such as $SLACK_WEBHOOK, an environment variable of the console. Empty for none." },
      { name: "format", label: "Format of its notices", value: "", choices: formats, isShort: true },
      { name: "board", label: "Board", value: chosen ?? boards[0][0], choices: boards },
    ],
    prepare: ({ limit, side, window }) => {
      limit.after(preview);
      let asked = 0;
      const show = async () => {
        asked += 1;
        const turn = asked;
        if (!limit.value.trim()) { replace(preview, ""); return; }
        replace(preview, "Looking at the last week…");
        const words = await get("query", { q: previewQuery(query, window.value) }).then((answer) => {
          const [column] = calculations(answer);
          const { value } = threshold(limit.value, column);
          return `${side.value === "above" ? "Above" : "Below"} ${quantity(value, column)}, it would have fired ${plural(timesFired(answer, side.value, value), "time")} last week.`;
        }).catch((error) => error.message);
        if (turn === asked) replace(preview, words);
      };
      for (const input of [limit, side, window]) input.addEventListener("change", show);
    },
    submit: async ({ name, side, limit, window, webhook, format, board }) => {
      const [column] = calculations(await get("query", { q: `${query} last 1m every total` }));
      const { board: stored, tag } = await loadBoard(board);
      const alert = { name, query, [side]: threshold(limit, column).text, window, ...(webhook ? { webhook } : {}), ...(webhook && format ? { format } : {}) };
      await saveBoard(board, { board: { ...stored, alerts: [...(stored.alerts ?? []), alert] }, tag });
      done();
    },
  });
}

/** Reads a threshold. */
function threshold(written, column) {
  const found = thresholdOf(written, column);
  if (!found) throw new Error(`Expected a number${column.unit === "ns" || column.unit === "s" ? " such as 500 ms" : column.name.startsWith("ratio(") ? " such as 2 %" : ""}, found "${written.trim()}".`);
  return found;
}
