// @ts-check
// One crash or hang: its stacks, the events before it, its device, and other occurrences of the issue.

import { coalesce, get } from "../lib/api.js";
import { conditionOf } from "../parts/conditions.js";
import { copyButton, h, icon, replace, toast, update } from "../parts/dom.js";
import { ago, bytes, decimalPercent, duration, moment, offset, plural, time } from "../shared/format.js";
import { flameView } from "../parts/flame.js";
import { groupFacts } from "./health.js";
import { attributeTable } from "../parts/components.js";
import { filledPage } from "../parts/loading.js";
import { title } from "../parts/records.js";
import { commitLink } from "../parts/releases.js";
import { deviceName } from "./sessions.js";
import { stackList, threadTitle } from "../parts/stack.js";

/** How many seconds of the session before a problem its page shows, and at most how many records. */
const before = 15;
/** How many seconds before a problem its replay starts. */
const replayed = 5;
const recordsBefore = 14;

/** @param where `{ seq }` for one problem, or `{ fingerprint }` for the latest problem of an issue. */
export function issuePage(root, context, where) {
  const abort = new AbortController();
  let shown = where.seq;
  let signature;

  document.title = "Health · Astrolabe";

  const refresh = coalesce(async () => {
    await filledPage(root, "Loading the report", async () => {
      // A problem moves to another issue when new symbols change its fingerprint.
      shown ??= (await get(`health/groups/${where.fingerprint}`, {}, abort.signal)).problems[0].seq;
      const problem = await get(`health/problems/${shown}`, {}, abort.signal);
      const group = await get(`health/groups/${problem.fingerprint}`, {}, abort.signal);
      const now = JSON.stringify([group.group.count, problem.seq, problem.place, problem.wanted, problem.failure, problem.release]);
      if (now === signature) return;
      signature = now;
      const [lastSeconds, session] = await Promise.all([secondsBefore(problem), sessionOf(problem)]);
      draw(problem, group, lastSeconds, session);
    }, { isRefresh: true, retry: () => context.navigate(location.pathname, { replaceEntry: true }) });
  });
  const stopListening = context.onLive(refresh);

  async function sessionOf(problem) {
    return problem.session ? get(`sessions/${encodeURIComponent(problem.session)}`, {}, abort.signal).catch(() => undefined) : undefined;
  }

  async function secondsBefore(problem) {
    if (!problem.session) return [];
    const page = await get(`sessions/${encodeURIComponent(problem.session)}/timeline`,
      { fromUs: problem.timeUs - before * 1e6, throughUs: problem.timeUs + 1e3, limit: 1_000 }, abort.signal).catch(() => ({ items: [], origins: [] }));
    const sides = new Map(page.origins.map((origin) => [origin.id, origin.side]));
    return page.items.filter((item) => item.seq !== problem.seq && item.kind !== "view").map((item) => ({ ...item, side: sides.get(item.origin) })).slice(-recordsBefore);
  }

  function draw(problem, { group, problems, flame }, lastSeconds, session) {
    const { attributes } = problem;
    document.title = `${problem.title} · Astrolabe`;
    const index = problems.findIndex(({ seq }) => seq === problem.seq);
    const [name, at] = splitPlace(problem.place);
    update(root,
      h("header", { class: "page-head problem-head" },
        h("button", { class: "quiet", type: "button", "aria-label": "Back", onclick: back }, icon("back")),
        h("div", { class: "two" }, h("h1", {}, problem.title),
          h("span", { class: "mono" }, name || "No app code on the stack", at ? h("b", { class: "at" }, at) : null)),
        h("div", { class: "spacer" }),
        session?.replay ? h("a", { class: "button-link", href: `/sessions/${encodeURIComponent(problem.session)}?at=${problem.timeUs - replayed * 1e6}` }, icon("play"), "Replay") : null,
        problem.session ? h("a", { class: "button-link", href: `/sessions/${encodeURIComponent(problem.session)}` }, icon("sessions"), "Session") : null,
        problem.traceId ? h("a", { class: "button-link", href: `/traces/${problem.traceId}${problem.spanId ? `?span=${problem.spanId}` : ""}` }, icon("traces"), "Trace") : null),
      groupFacts(group),
      notices(problem),
      h("div", { class: "problem-page" },
        h("div", { class: "problem-main" },
          problem.kind === "hang" ? hangPanel(problem, group, flame) : crashPanels(problem)),
        h("aside", { class: "problem-side", "aria-label": `Facts of this ${problem.kind}` },
          facts(problem, attributes),
          leadUp(problem, attributes, lastSeconds),
          others(problems, index),
          registers(attributes),
          h("details", { class: "panel folded" }, h("summary", {}, "Raw attributes"), attributeTable(attributes, "events")))));
  }

  function back() {
    const isHang = root.querySelector(".flame-view");
    context.goBack(isHang ? "/health/hangs" : "/health");
  }

  function open(seq) {
    shown = seq;
    signature = undefined;
    context.navigate(`/health/problems/${seq}`);
  }

  function others(problems, index) {
    if (problems.length < 2) return null;
    return h("section", { class: "panel" }, h("h2", {}, "Occurrences", h("small", { class: "faint" }, ` ${index >= 0 ? `${index + 1} of ` : ""}${problems.length}`)),
      h("div", { class: "other-list" }, problems.slice(0, 60).map((problem) => h("button", { class: "other", type: "button", "aria-current": String(problems[index]?.seq === problem.seq), onclick: () => open(problem.seq) },
        h("span", {}, ago(problem.timeUs)), h("span", { class: "clip muted" }, [problem.appVersion, problem.screen].filter(Boolean).join(" · ")),
        h("span", { class: "num faint" }, problem.duration === undefined ? time(problem.timeUs) : duration(problem.duration * 1e9))))));
  }

  refresh();

  return {
    destroy() { abort.abort(); stopListening(); },
    keys: [
      { keys: ["s"], label: "Open session", run: () => press("[href^='/sessions']:not([href*='?at='])", "session") },
      { keys: ["v"], label: "Open replay", run: () => press("[href*='?at=']", "replay") },
      { keys: ["o"], label: "Open trace", run: () => press("[href^='/traces']", "trace") },
      { keys: ["j"], label: "Previous occurrence", run: () => step(1) },
      { keys: ["k"], label: "Next occurrence", run: () => step(-1) },
      { keys: ["Escape"], label: "Back", run: back },
    ],
  };

  /** Follows the link that a key is for, or says that there is none. */
  function press(link, what) {
    const found = root.querySelector(`.button-link${link}`);
    if (found) found.click(); else toast(`There is no ${what} of it`);
  }

  function step(by) {
    const rows = [...root.querySelectorAll(".other")];
    rows[rows.findIndex((row) => row.getAttribute("aria-current") === "true") + by]?.click();
  }
}

function splitPlace(place) {
  const cut = place.lastIndexOf(" · ");
  return cut < 0 ? [place, ""] : [place.slice(0, cut), place.slice(cut + 3)];
}

/** Notices about missing symbols, and what to do about them. */
function notices(problem) {
  return [
    problem.failure ? h("p", { class: "notice" }, problem.failure) : null,
    problem.failure ? null : problem.wanted.map(({ image, buildId }) => {
      const command = `astrolabe symbols add ${image}`;
      return h("div", { class: "notice wants" }, h("span", {}, "Symbols missing for ", h("b", {}, image), ", build ID ", h("code", {}, buildId), ". To add them, run ", h("code", {}, command), "."), copyButton(command, "command"));
    }),
    problem.nameless.map((image) => h("p", { class: "notice" }, h("b", {}, image), " has no build ID, so it cannot be symbolicated. Link the app with -Xlinker --build-id.")),
  ];
}

function crashPanels({ threads }) {
  const crashed = threads.find((thread) => thread.crashed) ?? threads[0];
  if (!crashed) return h("section", { class: "panel" }, h("p", { class: "faint" }, "The report has no stacks."));
  const rest = threads.filter((thread) => thread !== crashed);
  return [
    h("section", { class: "panel" },
      h("h2", {}, "Crashed thread", h("small", { class: "faint" }, ` ${[crashed.main ? "main thread" : crashed.name, crashed.id ? `thread ${crashed.id}` : ""].filter(Boolean).join(", ")}`)),
      stackList(crashed.frames, "Stack of the crashed thread")),
    rest.length ? h("section", { class: "panel threads" }, h("h2", {}, plural(rest.length, "other thread")),
      rest.map((thread) => {
        const [name, where] = threadTitle(thread);
        return h("details", { class: "thread" }, h("summary", {}, h("span", {}, name), h("span", { class: "mono faint clip" }, where)), stackList(thread.frames, name));
      })) : null,
  ];
}

function hangPanel(problem, group, flame) {
  const view = h("div", {});
  const isOne = group.count < 2;
  const choices = [["this", "This hang"], ["all", `All ${group.count} hangs`]];
  let chosen = "this";
  const chips = h("div", { class: "chips" });
  function show() {
    replace(chips, isOne ? null : choices.map(([name, words]) => h("button", { class: "chip", type: "button", "aria-pressed": String(name === chosen), onclick: () => { chosen = name; show(); } }, words)));
    const tree = chosen === "this" ? problem.flame : flame;
    const [main] = problem.threads;
    replace(view, tree.seconds > 0 ? flameView(tree, "Main thread during the hang")
      : main ? stackList(main.frames, "Stack of the main thread") : h("p", { class: "faint" }, "No stacks were sampled during the hang."));
  }
  show();
  return h("section", { class: "panel" },
    h("header", { class: "panel-head" }, h("h2", {}, "Main thread"), h("span", { class: "faint" }, problem.samples || !problem.threads.length ? plural(problem.samples, "sample") : "1 stack"), h("div", { class: "spacer" }), chips), view);
}

function facts({ timeUs, device, kind, message, release }, attributes) {
  const text = (name) => (typeof attributes[name] === "string" ? attributes[name] : "");
  const number = (name) => (typeof attributes[name] === "number" ? attributes[name] : undefined);
  const crash = (name) => `astrolabe.crash.${name}`;
  const size = (name) => (number(name) === undefined ? "" : bytes(number(name)));
  const rows = [
    ["Time", moment(timeUs)],
    kind === "hang" && ["Duration", `${duration(number("astrolabe.hang.duration") * 1e9)}${attributes["astrolabe.hang.has_ended"] === false ? ", until the process ended" : ""}`],
    kind === "hang" && ["Cause", mainThreadActivity(number("astrolabe.hang.processor_time"), number("astrolabe.hang.duration"))],
    kind === "crash" && [/^(SIG|EXC_)/.test(text("exception.type")) || text(crash("code_name")) ? "Signal" : "Type", [text("exception.type"), text(crash("code_name")), text(crash("address")) && `at ${text(crash("address"))}`].filter(Boolean).join(" ")],
    kind === "crash" && ["Message", message],
    ["Screen", text("app.screen.name")],
    ["App state", text("ios.app.state")],
    ["App", [device.service, text("service.version") || device.appVersion].filter(Boolean).join(" ")],
    ["Build", text("astrolabe.app.build_number")],
    ["Build ID", text("app.build_id")],
    ["Commit", commitLink(release)],
    ["Released", release ? moment(release.timeUs) : ""],
    ["Device", deviceName(device)],
    ["System", [text("os.name") || device.systemName, text("os.version") || device.systemVersion].filter(Boolean).join(" ")],
    ["Network", text("network.connection.type")],
    ["Uptime", number(crash("uptime")) === undefined ? "" : duration(number(crash("uptime")) * 1e9)],
    ["Memory", [size(crash("memory.used")) && `${size(crash("memory.used"))} used`, size(crash("memory.free")) && `${size(crash("memory.free"))} free`].filter(Boolean).join(", ")],
    text(crash("phase")) === "starting" && ["Phase", "during launch"],
    text(crash("stage")) && text(crash("stage")) !== "complete" && ["Report", `incomplete, ends after ${text(crash("stage"))}`],
  ];
  return h("section", { class: "panel" }, h("h2", {}, kind === "crash" ? "Crash" : "Hang"),
    h("dl", { class: "rows" }, rows.filter((row) => row && row[1]).map(([term, value]) => [h("dt", {}, term), h("dd", { class: term.startsWith("Build") ? "mono" : "" }, value)])));
}

/** Describes whether the main thread was busy or waiting during a hang, if its CPU time is known. */
function mainThreadActivity(processorTime, lasted) {
  if (processorTime === undefined || !(lasted > 0)) return "";
  const share = Math.min(processorTime / lasted, 1);
  return share >= 0.5 ? `main thread on CPU ${decimalPercent(share, 0)} of the time` : `main thread waiting ${decimalPercent(1 - share, 0)} of the time`;
}

/** The breadcrumbs and the session's last records, ordered by time. */
function leadUp(problem, attributes, lastSeconds) {
  const crumbs = (Array.isArray(attributes["astrolabe.breadcrumbs"]) ? attributes["astrolabe.breadcrumbs"] : []).map(crumbOf).filter(Boolean);
  const records = lastSeconds.map((item) => ({ timeUs: item.timeUs, kind: item.kind, icon: conditionOf(item)?.icon ?? item.kind, side: item.side, isError: item.error, words: recordWords(item) }));
  const rows = [...crumbs, ...records].sort((a, b) => a.timeUs - b.timeUs);
  if (!rows.length) return null;
  return h("section", { class: "panel" }, h("h2", {}, "Breadcrumbs"),
    h("ol", { class: "lead-up" }, rows.map((row) => h("li", { class: `${row.isError ? "error" : ""} ${row.side ?? ""}` },
      h("span", { class: "num faint" }, offset(row.timeUs - problem.timeUs)), h("span", { class: "kind", title: row.title ?? row.kind }, icon(row.icon)), h("span", { class: "words" }, row.words))),
    h("li", { class: "error now" }, h("span", { class: "num" }, "0"), h("span", { class: "kind" }, icon(problem.kind === "crash" ? "crash" : "hang")), h("span", { class: "words" }, problem.title))));
}

function crumbOf(text) {
  try {
    const { time: at, category, message } = JSON.parse(text);
    const timeUs = Date.parse(at) * 1e3;
    if (!Number.isFinite(timeUs)) return undefined;
    return { timeUs, icon: category === "tap" ? "tap" : "crumb", title: `breadcrumb, ${category}`, words: [h("b", {}, String(message ?? "")), h("span", { class: "faint" }, ` ${category ?? ""}`)] };
  } catch {
    return undefined;
  }
}

function recordWords(item) {
  const status = item.attributes?.["http.response.status_code"];
  return [title(item), h("span", { class: "faint" }, ` ${[item.side === "backend" ? "backend" : "", status ?? "", item.durationNs === undefined ? "" : duration(item.durationNs)].filter((part) => part !== "").join(" · ")}`)];
}

function registers(attributes) {
  const values = Object.entries(attributes["astrolabe.crash.registers"] ?? {}).filter(([, value]) => typeof value === "string");
  if (!values.length) return null;
  return h("details", { class: "panel folded" }, h("summary", {}, "Registers"),
    h("dl", { class: "registers mono" }, values.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))));
}
