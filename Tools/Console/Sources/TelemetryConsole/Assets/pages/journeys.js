// @ts-check
// Journeys: a funnel of ordered steps, and the flow from screen to screen, each with the sessions behind it.

import { pushAddress, replaceAddress } from "../lib/address.js";
import { get } from "../lib/api.js";
import { emptyPage, tableFrame } from "../parts/components.js";
import { complete } from "../parts/completion.js";
import { h, icon, replace, update } from "../parts/dom.js";
import { filled } from "../parts/loading.js";
import { exportButton } from "../parts/export.js";
import { attribute, count, moment, percent, plural } from "../shared/format.js";
import { flowChart, funnelChart, stopName } from "../parts/journey-charts.js";
import { both, equals } from "../lib/query-text.js";
import { addressParameters, isUntilNow, readAddress, timeClauses, timePicker } from "../parts/time-range.js";

const keys = [["installation", "Installations"], ["session", "Sessions"], ["user.id", "Users"], ["trace.id", "Traces"]];
const bounds = ["1m", "5m", "30m", "1h", "4h", "24h", "7d"];

export function journeysPage(root, context) {
  readAddress();
  const address = new URLSearchParams(location.search);
  /** The question of the funnel without its time; `undefined` for that of the boards. */
  let question = parsed(address.get("q"));
  let flowQuestion = { field: address.get("field") ?? "" };
  let open = opened(address.get("open"));
  let openLink;
  let funnel;
  let flow;
  let abort = new AbortController();

  const picker = timePicker(() => run({ isNewPlace: true }));
  const progress = h("div", { class: "query-progress", hidden: true });
  const editor = h("div", { class: "step-editor" });
  const problem = h("p", { class: "query-problem", role: "alert" });
  const details = h("details", { class: "journey-edit" }, h("summary", {}, icon("policy"), "Edit the steps"), editor);
  const funnelNote = h("p", { class: "result-line faint", role: "status" });
  const funnelPlot = h("div", { class: "journey-plot" });
  const groups = h("div", {});
  const funnelExamples = h("div", { class: "journey-examples" });
  const flowNote = h("p", { class: "result-line faint", role: "status" });
  const flowPlot = h("div", { class: "journey-plot" });
  const flowExamples = h("div", { class: "journey-examples" });
  const field = h("input", { class: "mono", "aria-label": "Field of the flow", placeholder: "app.screen.name", value: flowQuestion.field,
    onchange: () => { flowQuestion = { field: field.value.trim() }; openLink = undefined; run({ isNewPlace: true }); } });

  document.title = "Journeys · Astrolabe";
  replace(root,
    h("header", { class: "page-head" }, h("h1", {}, "Journeys"), h("div", { class: "spacer" }), exportButton("journeys", shownTables), picker.element), progress,
    h("div", { class: "explore-body journeys" },
      h("section", { class: "journey", "aria-labelledby": "funnel-title" }, h("header", {}, h("h2", { id: "funnel-title" }, "Funnel"), funnelNote), details, problem, funnelPlot, funnelExamples, groups),
      h("section", { class: "journey", "aria-labelledby": "flow-title" },
        h("header", {}, h("h2", { id: "flow-title" }, "Flow of screens"), flowNote, h("div", { class: "spacer" }), h("label", { class: "inline-field" }, "Field", h("span", { class: "slot-field" }, field))),
        flowPlot, flowExamples)));

  /** The steps of the funnel, its groups, and the links of the flow, without their examples. */
  function shownTables() {
    const steps = funnel?.steps ?? [];
    return [
      { title: "Funnel", rows: steps.map(({ reached: _reached, dropped: _dropped, ...step }) => step) },
      { title: "Groups", rows: (funnel?.groups ?? []).flatMap((group) => group.steps.map((step, index) => (
        { [funnel.question.group]: group.other ? "other" : group.value, step: steps[index].name, ...step }))) },
      { title: "Flow", rows: (flow?.links ?? []).map(({ examples: _examples, ...rest }) => rest) },
    ];
  }

  // The address

  function link() {
    const state = { ...addressParameters(), ...(question ? { q: JSON.stringify(question) } : {}), ...(flowQuestion.field ? { field: flowQuestion.field } : {}), ...(open ? { open: `${open.index + 1}-${open.kind}` } : {}) };
    const parameters = new URLSearchParams(state).toString().replaceAll("+", "%20");
    return `/journeys${parameters ? `?${parameters}` : ""}`;
  }

  function keepPlace({ isNewPlace }) {
    if (link() === location.pathname + location.search) return;
    if (isNewPlace) pushAddress(link());
    else replaceAddress(link());
  }

  async function run({ isNewPlace = false, isRefresh = false } = {}) {
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    if (!isRefresh) keepPlace({ isNewPlace });
    const slow = setTimeout(() => { progress.hidden = false; }, 150);
    const time = timeClauses({ isPlain: true });
    await Promise.all([
      filled(funnelPlot, "Counting the steps", () => runFunnel(time, signal), { isRefresh, fail: (error) => { fail(error); return "Below is the answer before. This question has an error."; } }),
      filled(flowPlot, "Following the screens", () => runFlow(time, signal), { isRefresh, retry: run })]);
    clearTimeout(slow);
    if (!signal.aborted) progress.hidden = true;
  }

  async function runFunnel(time, signal) {
    // Without a question, the console answers the first funnel of the boards and says which it is.
    const asked = question ?? (await get("journeys/funnel", { kept: true }, signal)).question;
    funnel = await get("journeys/funnel", { q: JSON.stringify({ ...asked, time }), kept: true }, signal);
    fail();
    drawFunnel();
    if (!editor.contains(document.activeElement)) drawEditor();
  }

  async function runFlow(time, signal) {
    flow = await get("journeys/flow", { q: JSON.stringify({ ...(flowQuestion.field ? { field: flowQuestion.field } : {}), time }), kept: true }, signal);
    drawFlow();
  }

  // The funnel

  function ask(changed) {
    question = changed;
    open = undefined;
    run({ isNewPlace: true });
  }

  const current = () => { const { time: _time, ...rest } = question ?? funnel?.question ?? { steps: [] }; return rest; };

  function drawFunnel() {
    const first = funnel.steps[0];
    const what = keys.find(([key]) => key === funnel.question.by)?.[1].toLowerCase() ?? `values of ${funnel.question.by}`;
    update(funnelNote, first.count ? `${count(first.count)} ${what}, ${percent(funnel.steps.at(-1).ofFirst)} reach ${funnel.steps.at(-1).name} within ${funnel.question.within}` : "",
      funnel.unlinkedRecords ? ` · ${plural(funnel.unlinkedRecords, "record")} without ${funnel.question.by}` : "",
      funnel.warnings.map((warning) => h("span", { class: "warn" }, ` · ${warning}`)));
    if (!first.count) {
      replace(funnelPlot, emptyPage("No journey begins in this time", `No record with ${funnel.question.by} fulfils the first step, ${first.name}. Widen the time, or edit the steps.`));
    } else {
      update(funnelPlot, funnelChart(funnel, { chosen: open, onStep: (index, kind) => {
        open = open?.index === index && open.kind === kind ? undefined : { index, kind };
        keepPlace({ isNewPlace: false });
        drawFunnel();
      } }));
    }
    const step = open && funnel.steps[open.index];
    update(funnelExamples, step && open ? examples(step[open.kind], open.kind === "reached" ? `Reached ${step.name}` : `Ended at ${step.name}`, () => { open = undefined; keepPlace({ isNewPlace: false }); drawFunnel(); }) : null);
    update(groups, funnel.groups.length ? groupTable() : null);
  }

  function groupTable() {
    const grouping = funnel.question.group;
    return tableFrame(`Steps by ${grouping}`, h("table", { class: "results plain funnel-groups" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, grouping), funnel.steps.map((step) => h("th", { scope: "col", class: "end" }, step.name)))),
      h("tbody", {}, funnel.groups.map((group) => h("tr", {},
        h("th", { scope: "row" }, group.other ? h("span", { class: "faint" }, "other")
          : h("button", { type: "button", class: "cell", title: `Only ${grouping} ${stop(group.value)}`, onclick: () => ask({ ...current(), group: undefined, where: both(current().where ?? "", equals(grouping, group.value)) }) }, stop(group.value))),
        group.steps.map((step, index) => h("td", { class: "end num", style: { "--share": step.ofFirst ?? 0 } }, index ? percent(step.ofFirst) : count(step.count), h("small", { class: "faint" }, index ? ` ${count(step.count)}` : ""))))))));
  }

  const stop = (value) => (value === null ? "(missing)" : stopName(value));

  function examples(list, title, close) {
    return [h("header", {}, h("h3", {}, title), h("span", { class: "faint" }, list.length === 20 ? "the newest 20" : plural(list.length, "journey")), h("div", { class: "spacer" }),
      h("button", { type: "button", class: "quiet", "aria-label": "Close", onclick: close }, icon("close"))),
    list.length ? h("ul", {}, list.map((example) => h("li", {},
      h("span", { class: "num muted" }, moment(example.timeUs)),
      h("span", { class: "clip mono faint", title: attribute(example.key).text }, attribute(example.key).text),
      example.session ? h("a", { class: "link", href: `/sessions/${encodeURIComponent(example.session)}?at=${example.timeUs}` }, "Session and replay") : h("span", { class: "faint" }, "no session"),
      example.trace ? h("a", { class: "link", href: `/traces/${example.trace}` }, "Trace") : h("span", {})))) : h("p", { class: "faint tab-note" }, "No journey.")];
  }

  // The flow

  function drawFlow() {
    update(flowNote, flow.paths ? plural(flow.paths, "path") : "", flow.otherValues ? ` · ${plural(flow.otherValues, "rare screen")} as other` : "",
      flow.warnings.map((warning) => h("span", { class: "warn" }, ` · ${warning}`)));
    if (!flow.nodes.length) {
      replace(flowPlot, emptyPage("No screens in this time", flowQuestion.field ? `No record of a session has ${flowQuestion.field}.` : "The SDK names the screen of a view that is traced with .tracedScreen or TracedView."));
      replace(flowExamples);
      return;
    }
    replace(flowPlot, flowChart(flow, { chosen: openLink, onLink: (chosen) => { openLink = chosen; drawFlow(); } }));
    const found = openLink && flow.links.find(({ depth, from, to }) => depth === openLink.depth && from === openLink.from && to === openLink.to);
    update(flowExamples, found ? examples(found.examples, `${stopName(found.from)} → ${stopName(found.to)}`, () => { openLink = undefined; drawFlow(); }) : null);
  }

  // The editor

  /** Shows an error at its step, or below the editor if it belongs to none. */
  function fail(error) {
    const step = /^steps\[(\d+)\]/.exec(error?.path ?? "")?.[1];
    if (error) details.open = true;
    if (error && !editor.children.length) drawEditor();
    for (const [index, note] of editor.querySelectorAll(".step-problem").entries()) replace(note, String(index) === step ? plainMessage(error) : "");
    replace(problem, error && step === undefined ? error.message : "");
  }

  function drawEditor() {
    const state = current();
    const change = (part) => ask({ ...state, ...part });
    const changeStep = (index, part) => change({ steps: state.steps.map((step, other) => (other === index ? { ...step, ...part } : step)) });
    const move = (index, by) => change({ steps: state.steps.toSpliced(index, 1).toSpliced(index + by, 0, state.steps[index]) });
    const conditionField = (value, label, onChange, hint) => {
      const input = h("input", { class: "mono", value, "aria-label": label, placeholder: hint, spellcheck: "false", onchange: () => onChange(input.value.trim()) });
      return h("span", { class: "slot-field" }, input, complete(input, (text, cursor) => ({ text: `count where ${text}`, cursor: cursor + 12 })));
    };
    const choice = (label, value, options, onChange) => h("select", { class: "dataset", "aria-label": label, onchange: (event) => onChange(event.target.value) },
      (options.some(([option]) => option === value) ? options : [...options, [value, value]]).map(([option, title]) => h("option", { value: option, selected: option === value }, title)));
    replace(editor,
      h("ol", {}, state.steps.map((step, index) => h("li", { class: "step-row" },
        h("span", { class: "funnel-number" }, index + 1),
        h("span", { class: "slot-field step-name" }, h("input", { value: step.name, "aria-label": `Name of step ${index + 1}`, onchange: (event) => changeStep(index, { name: event.target.value.trim() || `Step ${index + 1}` }) })),
        choice(`Records of step ${index + 1}`, step.of ?? "", [["", "Spans and events"], ["spans", "Spans"], ["events", "Events"]], (of) => changeStep(index, { of: of || undefined })),
        conditionField(step.where, `Condition of step ${index + 1}`, (where) => changeStep(index, { where }), "app.screen.name = …"),
        h("span", { class: "step-tools" },
          h("button", { type: "button", class: "quiet", "aria-label": `Move step ${index + 1} up`, disabled: index === 0, onclick: () => move(index, -1) }, "↑"),
          h("button", { type: "button", class: "quiet", "aria-label": `Remove step ${index + 1}`, disabled: state.steps.length <= 2, onclick: () => change({ steps: state.steps.toSpliced(index, 1) }) }, icon("close"))),
        h("p", { class: "step-problem bad", role: "alert" })))),
      h("div", { class: "step-options" },
        h("button", { type: "button", disabled: state.steps.length >= 12, onclick: () => change({ steps: [...state.steps, { name: `Step ${state.steps.length + 1}`, where: "name = \"…\"" }] }) }, "Add a step"),
        h("label", { class: "inline-field" }, "Count", choice("What is counted", state.by, keys, (by) => change({ by }))),
        h("label", { class: "inline-field" }, "Within", choice("Time from the first step", state.within, bounds.map((bound) => [bound, bound]), (within) => change({ within }))),
        h("label", { class: "inline-field" }, "Group by", conditionField(state.group ?? "", "Field to group by", (group) => change({ group: group || undefined }), "service.version")),
        h("label", { class: "inline-field wide-field" }, "Where", conditionField(state.where ?? "", "Condition of all steps", (where) => change({ where: where || undefined }), "every record")),
        question ? h("button", { type: "button", class: "quiet", onclick: () => ask(undefined) }, "The board's funnel") : null));
  }

  // The answer of the latest time follows the data, at most every five seconds.
  const stopListening = context.onLive(async () => {
    const isBusy = open || openLink || flowPlot.contains(document.activeElement) || root.contains(document.activeElement) && document.activeElement?.matches("input, select");
    if (funnel && !isBusy && isUntilNow()) await run({ isRefresh: true });
  }, { spacing: 5_000 });
  run();

  return { destroy() { abort.abort(); stopListening(); picker.destroy(); }, keys: [{ keys: ["e"], label: "Edit the steps", run: () => { details.open = !details.open; } }] };
}

function parsed(text) {
  try { return JSON.parse(text ?? "") ?? undefined; } catch { return undefined; }
}

function opened(text) {
  const [, index, kind] = /^(\d+)-(reached|dropped)$/.exec(text ?? "") ?? [];
  return index ? { index: Number(index) - 1, kind } : undefined;
}

/** The message without the path, which the place of the message says. */
function plainMessage(error) {
  return error.message.replace(/^steps\[\d+\][.\w]*: /, "");
}
