// @ts-check
// Health: crashes, hangs and slow frames, and the releases in which they occur.

import { replaceAddress } from "../lib/address.js";
import { coalesce, get } from "../lib/api.js";
import { h, replace, update, updateList } from "../parts/dom.js";
import { filled } from "../parts/loading.js";
import { exportButton } from "../parts/export.js";
import { ago, count, date, decimal, decimalPercent, duration, moment, plural, time } from "../shared/format.js";
import { moveFocus } from "../parts/keys.js";
import { describeTable, emptyPage, listHead, sortedRows } from "../parts/components.js";
import { chanceText, countsByChance, largerThanChance, sharesByChance, statement } from "../lib/significance.js";
import { appName, apps, commitLink, releaseKey, releaseName } from "../parts/releases.js";

const tabs = [
  ["crashes", "Crashes", "/health"], ["hangs", "Hangs", "/health/hangs"],
  ["screens", "Slow screens", "/health/screens"], ["releases", "Releases", "/health/releases"],
];

/** How many apps have their latest release above the list. */
const stripLimit = 3;

/** What issues are sorted by. Unsorted, they come in the order of their weight. */
const groupKeys = { count: (it) => it.count, users: (it) => it.users, total: (it) => it.total ?? 0, last: (it) => it.lastUs };

export function healthPage(root, context, tab = "crashes") {
  const abort = new AbortController();
  const address = new URLSearchParams(location.search);
  const service = address.get("service") ?? "";
  let sort = address.get("sort") ?? "";
  const strip = h("div", {});
  const body = h("div", { class: "list health-list" });
  const views = { crashes: groupList("crash"), hangs: groupList("hang"), screens: slowScreens, releases: releaseTable };
  let releases = [];
  let shown = [];

  document.title = `${tabs.find(([name]) => name === tab)?.[1]} · Astrolabe`;
  replace(root,
    h("header", { class: "page-head" }, h("h1", {}, "Health"),
      h("nav", { class: "chips", "aria-label": "Kinds of issues" }, tabs.map(([name, title, path]) =>
        h("a", { class: "chip", href: ofService(path), ...(name === tab ? { "aria-current": "page" } : {}) }, title))),
      h("div", { class: "spacer" }), exportButton(tab, () => [{ rows: shown }])),
    strip, body);

  const refresh = coalesce(async () => {
    await filled(body, `Loading: ${tabs.find(([name]) => name === tab)?.[1].toLowerCase()}`, async () => {
      ({ releases } = await get("health/releases", { service }, abort.signal));
      drawVitals();
      await views[tab]();
    }, { isRefresh: true, retry: () => refresh() });
  });
  const stopListening = context.onLive(refresh);
  let isAsked = true;

  /** A page of Health for the same service. */
  function ofService(path) {
    return service ? `${path}?${new URLSearchParams({ service })}` : path;
  }

  function sortBy(next) {
    sort = next;
    isAsked = true;
    const query = new URLSearchParams(Object.entries({ service, sort }).filter(([, value]) => value));
    replaceAddress(`${location.pathname}${query.size ? `?${query}` : ""}`);
    refresh();
  }

  function drawVitals() {
    const all = apps(releases);
    const rest = all.length - stripLimit;
    const shownApps = all.slice(0, stripLimit);
    const chances = shownApps.map(([now, before]) => measures.map((it) => (before ? it.chance(now, before) : undefined)));
    const isLarger = largerThanChance(chances.flat());
    update(strip, shownApps.map((app, index) => vitals(app, chances[index].map((chance, place) => ({ chance, isLarger: isLarger[index * measures.length + place] })), all.length > 1)),
      rest > 0 ? h("p", { class: "vitals-note faint" }, h("a", { class: "link", href: ofService("/health/releases") }, `${plural(rest, "more app")}`)) : null,
      shownApps.length ? h("p", { class: "vitals-note faint" }, `Of all stored records, since ${date(Math.min(...releases.map((it) => it.firstUs)))}. ${shownApps.some((app) => app.length > 1) ? statement : ""}`) : null);
  }

  /** The latest release of one app on one platform, beside the one before. */
  function vitals([now, before], tests, isOneOfSeveral) {
    return h("div", { class: "vitals" },
      h("div", { class: "vital version" }, h("span", { class: "faint clip" }, isOneOfSeveral ? `Latest of ${appName(now)}` : "Latest release"), h("b", {}, now.version || "no version"),
        h("small", {}, before ? h("a", { class: "link", href: `/compare?${new URLSearchParams({ of: "releases", a: releaseKey(before), b: releaseKey(now), time: timeSince(Math.min(now.firstUs, before.firstUs)) })}` }, `Compare with ${before.version || "no version"}`) : `${plural(now.sessions, "session")}`)),
      measures.map(({ title, value, text, isGood, counts }, index) => {
        const here = value(now);
        const there = before ? value(before) : undefined;
        const isKnown = here !== undefined && there !== undefined && text(here) !== text(there);
        const { chance, isLarger } = tests[index];
        const mark = isKnown && isLarger ? (here < there === Boolean(isGood) ? "worse" : "better") : "";
        return h("div", { class: "vital", title: chance === undefined ? null : chanceText(chance) }, h("span", { class: "faint" }, title), h("b", {}, here === undefined ? "–" : text(here)),
          h("small", {}, here === undefined ? "" : counts(now)),
          h("small", { class: mark }, there === undefined ? "" : `${isKnown ? `was ${text(there)}` : "unchanged"}, ${counts(before)}`, mark ? h("span", { class: "visually-hidden" }, ` ${mark}`) : null));
      }));
  }

  function groupList(kind) {
    return async () => {
      const answer = await get("health/groups", { kind, service }, abort.signal);
      const groups = sortedRows(answer.groups, sort, groupKeys);
      const hasApps = new Set(groups.flatMap((group) => group.services)).size > 1;
      shown = groups;
      if (!groups.length) {
        return replace(body, kind === "crash"
          ? emptyPage("No crashes", "After a crash, the next launch of the app reports it. Crashes appear here, grouped by cause.")
          : emptyPage("No hangs", "Hangs of the main thread longer than 250 ms appear here, with the stacks sampled meanwhile."));
      }
      updateList(body, {
        head: listHead(kind === "crash"
          ? [["Crash"], ["14 days"], ["Crashes", "count", "end"], ["Users", "users", "end"], ["Versions"], ["Screens"], ["Last seen", "last"]]
          : [["Blocking function"], ["14 days"], ["Hangs", "count", "end"], ["Total", "total", "end"], ["Versions"], ["Screens"], ["Last seen", "last"]], sort, sortBy),
        rows: groups.map((group) => groupRow(group, hasApps)), isAsked,
      });
      isAsked = false;
    };
  }

  async function slowScreens() {
    const { screens } = await get("health/screens", { service }, abort.signal);
    const hasApps = apps(screens).length > 1;
    shown = screens;
    if (!screens.length) return replace(body, emptyPage("No slow screens", "Screens with slow frames (longer than 16.7 ms) or frozen frames (longer than 700 ms) appear here."));
    update(body, describeTable(body, "Slow screens", [
      h("div", { class: "list-head" }, h("span", {}, "Screen"), h("span", {}, "Frames"), h("span", { class: "end" }, "Slow"), h("span", { class: "end" }, "Frozen"),
        h("span", { class: "end" }, "Longest"), h("span", { class: "end" }, "Sessions"), h("span", {}, "Worst session")),
      ...screens.map((screen) => {
        // All columns of a row count the same frames.
        const counts = screen.all ?? screen.late;
        return h("div", { class: "entry", "data-key": `${screen.screen} ${appName(screen)}` },
          h("div", { class: "two" }, h("span", { class: "clip" }, screen.screen || "no screen"), h("span", { class: "clip" }, hasApps ? `${appName(screen)} · ` : null, `last ${ago(screen.lastUs)}`)),
          frameBar(counts, screen.all ? "frames of the screen" : "frames in periods with late frames"),
          h("span", { class: "end num" }, count(counts.slow)), h("span", { class: `end num ${counts.frozen ? "bad" : "faint"}` }, count(counts.frozen)),
          h("span", { class: "end num" }, duration(screen.longest * 1e9)), h("span", { class: "end num" }, count(screen.sessions)),
          h("span", { class: "clip" }, screen.worstSessions.slice(0, 1).map((id) => h("a", { class: "link", href: `/sessions/${encodeURIComponent(id)}`, "aria-label": `Open the worst session of ${screen.screen || "no screen"}` }, "Open"))));
      }),
    ]));
  }

  async function releaseTable() {
    shown = releases;
    if (!releases.length) return replace(body, emptyPage("No releases", "App versions appear here when a device sends records from them."));
    const hasApps = apps(releases).length > 1;
    const most = Object.fromEntries(measures.map(({ title, value }) => [title, Math.max(...releases.map((release) => value(release) ?? 0), 0)]));
    update(body, describeTable(body, "Releases", [
      h("div", { class: "list-head" }, h("span", {}, "Version"), h("span", { class: "end" }, "Sessions"), h("span", { class: "end" }, "Users"),
        measures.map(({ title }) => h("span", {}, title)), h("span", {}, "Last seen")),
      ...releases.map((release) => h("div", { class: "entry", "data-key": releaseKey(release) },
        h("div", { class: "two" }, h("span", { class: "clip" }, release.version || "no version"), h("span", { class: "clip" }, hasApps ? `${appName(release)} · ` : null, commits(release), `since ${date(release.firstUs)}`)),
        h("span", { class: "end num" }, count(release.sessions)), h("span", { class: "end num" }, count(release.users)),
        measures.map(({ title, value, text, isGood, detail }) => {
          const figure = value(release);
          const part = isGood ? figure ?? 0 : most[title] ? (figure ?? 0) / most[title] : 0;
          return h("div", { class: "measure" },
            h("span", { class: "num" }, figure === undefined ? "–" : text(figure), h("small", {}, ` ${detail(release)}`)),
            h("div", { class: "durbar", "aria-hidden": "true" }, h("i", { class: isGood ? grade(figure) : "", style: { width: `${part * 100}%` } })));
        }),
        h("span", { class: "muted" }, ago(release.lastUs)))),
    ]));
  }

  body.classList.add(tab);
  refresh();

  return {
    destroy() { abort.abort(); stopListening(); },
    keys: [
      { keys: ["j", "ArrowDown"], label: "Next", run: () => moveFocus(body, "a.entry", 1) },
      { keys: ["k", "ArrowUp"], label: "Previous", run: () => moveFocus(body, "a.entry", -1) },
      { keys: ["Enter"], label: "Open", run: () => body.querySelector("a.entry")?.click() },
      ...tabs.map(([, title, path], index) => ({ keys: [String(index + 1)], label: title, run: () => context.navigate(ofService(path)) })),
    ],
  };
}

/** The color of a crash-free rate: green from 99 %, red below 95 %. */
const grade = (rate = 0) => (rate >= 0.99 ? "good" : rate < 0.95 ? "bad" : "");

const slowShare = (it) => share(it.frames.slow, it.frames.frames) ?? 0;
const share = (part, whole) => (whole > 0 ? part / whole : undefined);
const percent = (value) => decimalPercent(value, value < 0.1 || (value > 0.9 && value < 1) ? 2 : 1);

/** A time until now, as an address has it, that begins before a moment. */
function timeSince(fromUs) {
  const hours = Math.max(1, Math.ceil((Date.now() * 1e3 - fromUs) / 3600e6));
  return hours <= 48 ? `${hours}h` : `${Math.ceil(hours / 24)}d`;
}

/**
 * The measures that compare releases. Higher is better if `isGood`, otherwise lower is better. `counts` says what a value is
 * made from, and `chance` how likely two are as far apart by chance.
 */
const measures = [
  { title: "Crash-free sessions", value: (it) => share(it.sessions - it.crashedSessions, it.sessions),
    counts: (it) => `${count(it.crashedSessions)} of ${count(it.sessions)} crashed`, chance: (it, other) => sharesByChance(it.crashedSessions, it.sessions, other.crashedSessions, other.sessions),
    text: percent, isGood: true, detail: (it) => (it.crashes ? plural(it.crashes, "crash", "crashes") : "") },
  { title: "Crash-free users", value: (it) => share(it.users - it.crashedUsers, it.users),
    counts: (it) => `${count(it.crashedUsers)} of ${count(it.users)} had one`, chance: (it, other) => sharesByChance(it.crashedUsers, it.users, other.crashedUsers, other.users),
    text: percent, isGood: true, detail: (it) => (it.crashedUsers ? `${count(it.crashedUsers)} affected` : "") },
  { title: "Hangs per 100 sessions", value: (it) => share(it.hangs * 100, it.sessions),
    counts: (it) => `${count(it.hangs)} in ${count(it.sessions)}`, chance: (it, other) => countsByChance(it.hangs, it.sessions, other.hangs, other.sessions),
    text: (value) => decimal(value, 1), detail: (it) => (it.hangTime ? `${duration(it.hangTime * 1e9)} total` : "") },
  { title: "Slow frames", value: (it) => share(it.frames.slow, it.frames.frames),
    // The frames of a session depend on each other, so a session counts as one frame.
    counts: (it) => `${count(it.frames.slow)} of ${count(it.frames.frames)}`, chance: (it, other) => sharesByChance(slowShare(it) * it.sessions, it.sessions, slowShare(other) * other.sessions, other.sessions),
    text: percent, detail: (it) => (it.frames.frozen ? `${count(it.frames.frozen)} frozen` : "") },
];

/** The commits of a version, newest build first. */
function commits({ builds }) {
  const known = builds.filter((build) => build["vcs.ref.head.revision"]);
  if (!known.length) return null;
  const rest = known.length - 1;
  return [commitLink(known[0]), rest ? h("span", { title: known.map(releaseName).join(", ") }, ` +${rest}`) : null, " · "];
}

function frameBar({ frames, slow, frozen }, what) {
  const rate = share(slow, frames);
  return h("div", { class: "measure", title: `${count(slow)} slow of ${count(frames)} ${what}` },
    h("span", { class: "num" }, rate === undefined ? "–" : `${percent(rate)} slow`, h("small", {}, ` of ${count(frames)}`)),
    h("div", { class: "durbar", "aria-hidden": "true" }, h("i", { class: frozen ? "bad" : "", style: { width: `${Math.max((rate ?? 0) * 100, rate ? 1 : 0)}%` } })));
}

/** @param hasApps Whether the list has issues of several apps, so that each names its own. */
function groupRow(group, hasApps) {
  return h("a", { class: "entry", href: `/health/groups/${group.fingerprint}`, "data-group": group.fingerprint,
    "aria-label": groupLabel(group) },
    h("div", { class: "two" },
      h("span", { class: "clip" }, group.title),
      h("span", { class: "clip mono" }, group.wantedBuilds.length ? h("span", { class: "badge warn" }, "Symbols missing") : null, group.place || "no app code on the stack")),
    dayBars(group.perDay),
    h("span", { class: "end num strong" }, count(group.count)),
    group.kind === "crash" ? h("span", { class: "end num" }, count(group.users)) : h("div", { class: "two end" }, h("span", { class: "num" }, seconds(group.total)), h("span", { class: "num" }, `max ${seconds(group.longest)}`)),
    hasApps
      ? h("div", { class: "two" }, h("span", { class: "clip muted", title: group.versions.join(", ") }, few(group.versions)), h("span", { class: "clip", title: group.services.join(", ") }, few(group.services)))
      : h("span", { class: "clip muted", title: group.versions.join(", ") }, few(group.versions)),
    h("span", { class: "clip muted", title: group.screens.join(", ") }, few(group.screens)),
    h("div", { class: "two" }, h("span", {}, ago(group.lastUs)), h("span", {}, `first ${date(group.firstUs)} ${time(group.firstUs)}`)));
}

/** Says what a row of an issue shows. */
function groupLabel(group) {
  return [
    `${group.title}${group.place ? ` in ${group.place}` : ""}`,
    group.kind === "crash" ? plural(group.count, "crash", "crashes") : plural(group.count, "hang"),
    group.kind === "crash" ? plural(group.users, "user") : `total ${seconds(group.total)}, longest ${seconds(group.longest)}`,
    group.versions.length ? `versions ${few(group.versions)}` : "", group.screens.length ? `screens ${few(group.screens)}` : "",
    `last seen ${ago(group.lastUs)}`, group.wantedBuilds.length ? "symbols missing" : "",
  ].filter(Boolean).join("; ");
}

const seconds = (value) => (value === undefined ? "–" : duration(value * 1e9));

function few(names) {
  if (!names.length) return "–";
  return names.length > 2 ? `${names.slice(0, 2).join(", ")} +${names.length - 2}` : names.join(", ");
}

function dayBars(days) {
  const most = Math.max(...days, 1);
  return h("div", { class: "day-bars", role: "img", "aria-label": `Per day, today last: ${days.join(", ")}` },
    days.map((number) => h("i", { class: number ? "" : "none", style: { height: `${number ? Math.max((number / most) * 100, 12) : 6}%` } })));
}

/** The facts of an issue, for the page of one of its occurrences. */
export function groupFacts(group) {
  const fact = (term, value) => (value ? h("div", {}, h("dt", {}, term), h("dd", {}, value)) : null);
  return h("dl", { class: "facts group-facts" },
    fact(group.kind === "crash" ? "Crashes" : "Hangs", count(group.count)), fact("Users", count(group.users)), fact("Sessions", count(group.sessions)),
    group.kind === "hang" ? [fact("Total", seconds(group.total)), fact("Longest", seconds(group.longest))] : null,
    group.services.length > 1 ? fact("Apps", few(group.services)) : null, fact("Versions", few(group.versions)), fact("Screens", few(group.screens)),
    fact("First seen", moment(group.firstUs)), fact("Last seen", ago(group.lastUs)));
}
