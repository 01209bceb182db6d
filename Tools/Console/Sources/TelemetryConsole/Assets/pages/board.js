// @ts-check
// One board: a grid of panels that answer queries. It can be edited here or in its file.

import { takeDraft } from "../lib/access.js";
import { replaceAddress } from "../lib/address.js";
import { coalesce, get } from "../lib/api.js";
import { every } from "../lib/updates.js";
import { deleteBoard, loadBoard, saveBoard } from "../lib/board-api.js";
import { alertOn } from "../parts/alert-dialog.js";
import { boardPanel, forms, panelAddress, panelQuery, panelRequests } from "../parts/board-panel.js";
import { menuList } from "../parts/components.js";
import { complete } from "../parts/completion.js";
import { h, icon, replace, toast } from "../parts/dom.js";
import { filled, filledPage } from "../parts/loading.js";
import { formDialog } from "../parts/form-dialog.js";
import { keyText } from "../parts/charts.js";
import { opened } from "../parts/opened.js";
import { menuOf } from "../parts/popover.js";
import { split } from "../lib/query-text.js";
import { addressParameters, readAddress, takeTime, timeClauses, timePicker } from "../parts/time-range.js";

const pollMilliseconds = 3_000;
const queriesAtOnce = 3;
/** What can be added to a board, with what it begins as. */
const additions = [
  { text: "Add a panel", panel: { title: "", query: "count by name limit 10", as: "line", width: 6 } },
  { text: "Add an objective", panel: { title: "", objective: { query: 'ratio(where status != "error") where kind = server', target: "99%", window: "28d" }, width: 6 } }];

export function boardPage(root, context, id) {
  const address = new URLSearchParams(location.search);
  const abort = new AbortController();
  const chosen = Object.fromEntries([...address].filter(([name]) => name.startsWith("var.")).map(([name, value]) => [name.slice(4), value]));
  let stored;
  /** The board that is edited, while it is. */
  let draft;
  /** What is open above the page while it is edited. */
  const editing = {
    close: () => { endEdit(); draw(); refreshAll(); tools.querySelector("button")?.focus(); },
    unsaved: () => (draft && JSON.stringify(draft) !== JSON.stringify(stored.board) ? "The changes of this board are not saved. Discard them?" : ""),
  };
  let forgetEdit = () => {};
  let panels = [];

  // A board has a time of its own, until somebody chooses one for the console.
  const isFirst = sessionStorage.getItem("astrolabe.time") === null && !address.has("time");
  readAddress();
  const picker = timePicker(() => { keepAddress(); refreshAll(); });
  const heading = h("h1", {});
  const description = h("p", { class: "muted board-description" });
  const filters = h("div", { class: "board-filters" });
  const tools = h("div", { class: "board-tools" });
  const notice = h("div", { class: "board-notice", role: "status" });
  const grid = h("div", { class: "board-grid" });
  replace(root, h("header", { class: "page-head" }, h("a", { class: "back", href: "/boards", "aria-label": "Boards" }, icon("back")), heading, filters, h("div", { class: "spacer" }), tools, picker.element),
    h("div", { class: "board-body" }, description, notice, grid));

  const board = () => draft ?? stored?.board;

  function keepAddress() {
    const state = { ...addressParameters(), ...Object.fromEntries(Object.entries(chosen).filter(([, value]) => value).map(([name, value]) => [`var.${name}`, value])) };
    replaceAddress(`/boards/${id}?${new URLSearchParams(state).toString().replaceAll("+", "%20")}`);
  }

  // Loading

  async function load() {
    await filledPage(root, "Loading the board", async () => {
      take(await loadBoard(id, { signal: abort.signal }));
      if (isFirst && stored.board) takeTime(split(`count ${stored.board.time}`));
      dispatchEvent(new Event("timechange"));
      const kept = takeDraft();
      if (kept) takeBack(kept);
      else if (address.has("edit") && stored.board) edit();
    }, { part: grid, retry: () => context.navigate(`/boards/${id}`, { replaceEntry: true }) });
  }

  function take(entry) {
    const wasEdited = Boolean(draft);
    endEdit();
    stored = entry;
    draw();
    if (wasEdited) tools.querySelector("button")?.focus();
  }

  function endEdit() {
    draft = undefined;
    forgetEdit();
    replace(notice);
  }

  /** Follows the file, while nobody edits here. */
  async function poll() {
    if (stored) {
      const changed = await loadBoard(id, { known: stored.tag, signal: abort.signal }).catch(() => undefined);
      if (changed && changed.tag !== stored.tag) {
        if (draft) warnOfChange(); else { take(changed); refreshAll(); }
      }
    }
  }

  function warnOfChange() {
    replace(notice, h("p", { class: "notice bad" }, h("span", {}, "The board was changed meanwhile, in its file or in another window."),
      h("button", { type: "button", onclick: () => load() }, "Load it and drop my changes")));
  }

  // Drawing

  function draw() {
    document.title = `${board()?.title ?? id} · Astrolabe`;
    heading.textContent = board()?.title ?? id;
    description.textContent = board()?.description ?? "";
    drawTools();
    if (stored.error) {
      replace(filters);
      replace(grid, h("div", { class: "board-broken" }, h("p", { class: "notice bad" }, stored.error), h("button", { type: "button", onclick: editSource }, "Edit the file")));
      return;
    }
    drawFilters();
    panels = board().panels?.map((panel, index) => boardPanel(panel, panelActions(panel, index))) ?? [];
    replace(grid, panels.map((panel) => panel.element),
      draft ? additions.map(({ text, panel }) => h("button", { type: "button", class: "add-panel", onclick: () => editPanel(undefined, panel) }, icon("plus"), text)) : null,
      panels.length || draft ? null : h("p", { class: "faint" }, "This board has no panels. Its alerts are on the page Alerts."));
  }

  function drawTools() {
    const more = menu("More", [
      ["Edit the file", editSource],
      stored.isFile ? [stored.isShipped ? "Restore the board that ships" : "Delete the board", remove] : undefined,
    ].filter(Boolean));
    replace(tools, draft
      ? [h("button", { type: "button", onclick: () => opened.request(editing) }, "Cancel"), h("button", { type: "button", class: "primary", onclick: save }, "Save")]
      : [stored.error ? null : h("button", { type: "button", "aria-label": "Edit", onclick: edit }, icon("pencil"), h("span", { class: "wide" }, "Edit")), more]);
  }

  function menu(title, entries) {
    const button = h("button", { type: "button", "aria-label": title, title }, icon("more"));
    return h("span", {}, button, menuOf(button, (close) => menuList(entries, close)));
  }

  function drawFilters() {
    replace(filters, (board().variables ?? []).map((variable) => {
      const value = chosen[variable.name] ?? variable.value ?? "";
      const select = h("select", { "aria-label": variable.name, onchange: () => { chosen[variable.name] = select.value; keepAddress(); refreshAll(); } },
        h("option", { value: "" }, `${variable.name}: all`), value ? h("option", { value, selected: true }, `${variable.name}: ${value}`) : null);
      // The values are looked up when the list is opened.
      select.addEventListener("pointerdown", () => fill(select, variable), { once: true });
      select.addEventListener("focus", () => fill(select, variable), { once: true });
      return select;
    }));
  }

  async function fill(select, variable) {
    const datasets = await Promise.all(["spans", "events"].map((dataset) =>
      get("query", { q: `count of ${dataset} by ${variable.field} where ${variable.field} exists limit 50 ${timeClauses({ isPlain: true })} every total`, kept: true, class: "board" }, abort.signal).catch(() => ({ rows: [] }))));
    const present = new Set([...select.options].map((option) => option.value));
    const values = [...new Set(datasets.flatMap(({ rows }) => rows).filter((row) => !row.other).map((row) => keyText(row.key[0])))].sort();
    for (const value of values) if (!present.has(value)) select.append(h("option", { value }, `${variable.name}: ${value}`));
  }

  /** The conditions of the chosen values. */
  function conditions() {
    return (board()?.variables ?? []).flatMap((variable) => {
      const value = chosen[variable.name] ?? variable.value;
      return value ? [[variable.field, value]] : [];
    });
  }

  // Asking

  async function ask(panel) {
    const requests = panelRequests(panel.panel, conditions());
    const asked = JSON.stringify(requests);
    await filled(panel.body, "Asking", async () => {
      panel.show(await Promise.all(requests.map(({ path, parameters }) =>
        get(path, { ...parameters, kept: true, class: "board" }, abort.signal, { fresh: 1_000, isSlow: true }))));
      panel.shownFor = asked;
    }, { isRefresh: panel.shownFor === asked, fail: panel.fail });
  }

  const refreshAll = coalesce(async () => {
    const waiting = [...panels];
    await Promise.all(Array.from({ length: queriesAtOnce }, async () => {
      for (let panel = waiting.shift(); panel; panel = waiting.shift()) if (!abort.signal.aborted) await ask(panel);
    }));
  });

  // New records redraw the panels at most every five seconds, and not below a pointer that reads a value.
  const stopListening = context.onLive(async () => { if (stored?.board) await refreshAll(); }, { spacing: 5_000 });

  // Editing

  function edit() {
    beginEdit(stored.board);
    (grid.querySelector("[aria-label^=\"Edit: \"]") ?? grid.querySelector(".add-panel"))?.focus({ preventScroll: true });
  }

  function beginEdit(changed) {
    draft = structuredClone(changed);
    forgetEdit();
    forgetEdit = opened.add(editing);
    draw();
    refreshAll();
  }

  /** Goes on with changes that a sign-in has interrupted. If the board was changed since, saving them says so. */
  function takeBack(kept) {
    stored = { ...stored, tag: kept.tag };
    beginEdit(kept.board);
    toast("Your unsaved changes are back");
  }

  function panelActions(panel, index) {
    return {
      isEdited: Boolean(draft),
      explore: () => context.navigate(panelAddress(panel, conditions())),
      alert: (column) => alertOn(panelQuery(panel, conditions(), { isPlain: true }), { column, board: id, done: () => context.navigate("/alerts") }),
      only: (condition) => context.navigate(panelAddress(panel, conditions(), { condition })),
      edit: () => editPanel(index), remove: () => removePanel(index),
      move: (by) => {
        const to = index + by;
        if (to < 0 || to >= draft.panels.length) return;
        draft.panels.splice(to, 0, ...draft.panels.splice(index, 1));
        draw();
        refreshAll();
        grid.children[to]?.querySelector(by < 0 ? "[data-move=before]" : "[data-move=after]")?.focus();
      },
    };
  }

  /** Removes a panel. The focus goes to the next, where another can be removed. */
  function removePanel(index) {
    draft.panels.splice(index, 1);
    draw();
    refreshAll();
    const others = grid.querySelectorAll("[data-remove]");
    (others[Math.min(index, others.length - 1)] ?? grid.querySelector(".add-panel"))?.focus();
  }

  /** Edits a panel, or without an index a new one, which begins as `panel`. */
  function editPanel(index, panel = draft.panels[index]) {
    const widths = [[3, "A quarter"], [4, "A third"], [6, "Half"], [8, "Two thirds"], [9, "Three quarters"], [12, "The whole width"]];
    if (!widths.some(([width]) => width === panel.width)) widths.unshift([panel.width, `${panel.width} of 12 columns`]);
    formDialog({
      title: index !== undefined ? "Edit the panel" : panel.objective ? additions[1].text : additions[0].text, action: "Apply", faulty: panel.query || panel.objective ? "query" : "title",
      fields: [
        { name: "title", label: "Title", value: panel.title, required: true, maxlength: 120 },
        { name: "note", label: "Note", value: panel.note ?? "", maxlength: 1000 },
        ...(panel.query ? [
          { name: "query", label: "Query", value: panel.query, required: true, hint: "Without a time: the board's time is added." },
          { name: "as", label: "Show as", value: panel.as, choices: forms, isShort: true },
        ] : []),
        ...(panel.objective ? [
          { name: "query", label: "Query", value: panel.objective.query, required: true, hint: "The share of good records: one ratio(where …), without a time." },
          { name: "target", label: "Target", value: panel.objective.target, required: true, maxlength: 40, isShort: true },
          { name: "window", label: "In the last", value: panel.objective.window ?? "28d", required: true, maxlength: 20, isShort: true },
        ] : []),
        { name: "width", label: "Width", value: panel.width ?? 6, choices: widths, isShort: true },
      ],
      prepare: ({ query }) => { if (query) query.after(complete(query, (text, cursor) => ({ text, cursor })) ?? ""); },
      submit: async ({ title, note, query, as, target, window, width }) => {
        const content = panel.objective ? { objective: { ...panel.objective, query, target, window } } : query ? { query, as } : {};
        const changed = { ...panel, title, width: Number(width), ...content };
        if (note) changed.note = note; else delete changed.note;
        // The console says at once what it does not understand.
        if (query) await get("query", { q: panelRequests(changed, [])[0].parameters.q }, abort.signal);
        if (index === undefined) draft.panels = [...(draft.panels ?? []), changed]; else draft.panels[index] = changed;
        draw();
        refreshAll();
      },
    });
  }

  async function save() {
    try {
      take(await saveBoard(id, { board: draft, tag: stored.tag }));
      toast("Saved the board");
      keepAddress();
      refreshAll();
    } catch (error) {
      if (error.status === 412) warnOfChange(); else replace(notice, h("p", { class: "notice bad" }, error.message));
    }
  }

  function editSource() {
    formDialog({
      title: `${id}.yaml`, action: "Save",
      fields: [{ name: "source", label: "File", value: stored.source, lines: 24, class: "mono" }],
      submit: async ({ source }) => {
        take(await saveBoard(id, { source: `${source}\n`, tag: stored.tag }));
        toast("Saved the file");
        refreshAll();
      },
    });
  }

  async function remove() {
    try {
      await deleteBoard(id, stored.tag);
      if (stored.isShipped) { await load(); refreshAll(); } else context.navigate("/boards");
    } catch (error) {
      replace(notice, h("p", { class: "notice bad" }, error.message));
    }
  }

  load();
  const stopPolling = every(pollMilliseconds, poll);
  return {
    destroy() { abort.abort(); stopPolling(); stopListening(); picker.destroy(); forgetEdit(); },
    draft: () => draft && { board: draft, tag: stored.tag },
    keys: [
      { keys: ["e"], label: "Edit the board", run: () => { if (stored?.board && !draft) edit(); } },
      { keys: ["Escape"], label: "Back to the boards", run: () => context.goBack("/boards") },
    ],
  };
}
