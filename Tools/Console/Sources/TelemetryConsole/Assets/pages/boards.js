// @ts-check
// The list of boards.

import { get } from "../lib/api.js";
import { saveBoard } from "../lib/board-api.js";
import { h, icon, replace } from "../parts/dom.js";
import { filled } from "../parts/loading.js";
import { plural } from "../shared/format.js";
import { formDialog } from "../parts/form-dialog.js";
import { moveFocus } from "../parts/keys.js";

const starter = [
  { title: "Requests", query: "count, ratio(where status = error) by service.name where kind = server", as: "line", width: 6 },
  { title: "Slow operations", query: "p95(duration), count by name order p95(duration) desc limit 10", as: "table", width: 6 },
];

export function boardsPage(root, context) {
  const abort = new AbortController();
  const list = h("div", { class: "board-list" });
  document.title = "Boards · Astrolabe";
  replace(root, h("header", { class: "page-head" }, h("h1", {}, "Boards"), h("div", { class: "spacer" }),
    h("button", { type: "button", onclick: create }, icon("plus"), "New board")), list);

  async function load() {
    await filled(list, "Loading the boards", async () => {
      const { boards, folder } = await get("boards", {}, abort.signal);
      replace(list, boards.filter((board) => board.error || board.panels).map(card),
        h("p", { class: "faint board-folder" }, "Your boards are files in ", h("code", {}, folder), ". A changed file shows at once."));
    }, { retry: load });
  }

  function create() {
    formDialog({
      title: "New board", action: "Create",
      fields: [{ name: "title", label: "Title", value: "", required: true, maxlength: 120 }],
      submit: async ({ title }) => {
        const id = title.toLowerCase().normalize("NFKD").replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 64);
        if (!id) throw new Error("Expected a title with letters of a–z or digits, which name the file.");
        await saveBoard(id, { board: { title, panels: starter } }).catch((error) => {
          throw error.status === 428 ? new Error(`There is a board ${id} already. Choose another title.`) : error;
        });
        context.navigate(`/boards/${id}?edit`);
      },
    });
  }

  load();
  return {
    destroy() { abort.abort(); },
    keys: [
      { keys: ["j", "ArrowDown"], label: "Next board", run: () => moveFocus(list, ".board-card", 1) },
      { keys: ["k", "ArrowUp"], label: "Previous board", run: () => moveFocus(list, ".board-card", -1) },
      { keys: ["n"], label: "New board", run: create },
    ],
  };
}

function card(board) {
  if (board.error) {
    return h("a", { class: "board-card", href: `/boards/${board.id}` }, h("h2", {}, board.id), h("p", { class: "bad" }, board.error),
      h("p", { class: "faint" }, "Open it to repair the file."));
  }
  return h("a", { class: "board-card", href: `/boards/${board.id}` },
    h("h2", {}, board.title), h("p", { class: "muted" }, board.description ?? ""),
    h("p", { class: "faint" }, [plural(board.panels, "panel"), board.alerts ? plural(board.alerts, "alert") : "", board.isFile ? "yours" : "ships with the console"].filter(Boolean).join(" · ")));
}
