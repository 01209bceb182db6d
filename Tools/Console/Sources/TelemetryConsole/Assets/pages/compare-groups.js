// @ts-check
// Two releases, two times or two sessions side by side: the same questions asked of both, and what changed.

import { replaceAddress } from "../lib/address.js";
import { get } from "../lib/api.js";
import { comparisonText } from "../lib/completeness.js";
import { calculations, keyText } from "../parts/charts.js";
import { emptyPage, tableFrame } from "../parts/components.js";
import { h, replace } from "../parts/dom.js";
import { filled } from "../parts/loading.js";
import { exportButton } from "../parts/export.js";
import { moment, percent, quantity } from "../shared/format.js";
import { chanceText, largerThanChance, recordsOfEach, sharesByChance, statement } from "../lib/significance.js";
import { goBack } from "../parts/navigation.js";
import { equals, items, join, split } from "../lib/query-text.js";
import { appName, releaseKey } from "../parts/releases.js";
import { readAddress, timeClauses, timePicker, timeTitle } from "../parts/time-range.js";

/** The kinds of comparison and what they are called. */
const kinds = { releases: "Releases", windows: "Times", sessions: "Sessions" };

/**
 * What one value says about an app, and of how many records. More is better if `isGood`, worse if it is false; otherwise it
 * is neither.
 */
const measures = [
  { title: "Sessions", q: "count of sessions" },
  { title: "Sessions that crashed", q: "ratio(where crashed = true), count of sessions", isGood: false },
  { title: "Sessions with a hang", q: "ratio(where hung = true), count of sessions", isGood: false },
  { title: "Sessions that converted", q: "ratio(where converted = true), count of sessions", isGood: true },
  { title: "App start, p95", q: "p95(duration), count of spans where name = \"app.start\"", isGood: false },
  { title: "Requests that failed", q: "ratio(where status = error), count of spans where kind = client and http.request.method exists", isGood: false },
  { title: "Requests, p95", q: "p95(duration), count of spans where kind = client and http.request.method exists", isGood: false },
  { title: "Sessions with an error", q: "ratio(where errors > 0), count of sessions", isGood: false },
];

/** What is asked for each value of an attribute. */
const tables = [
  { title: "Screens", value: "p95 of one evaluation of the content", q: "p95(duration), count of spans where view.lifecycle = body and app.screen.name exists by app.screen.name limit 30", isGood: false },
  { title: "Routes", value: "share of requests that failed", q: "ratio(where status = error), count of spans where kind = client and url.template exists by url.template limit 30", isGood: false },
];

/** The two times: a length, and how long before it the other one is. */
const lengths = [["1h", "The last hour"], ["24h", "The last 24 hours"], ["7d", "The last 7 days"]];
const earlier = [["previous", "the time before"], ["24h", "a day earlier"], ["7d", "a week earlier"]];

export function compareGroupsPage(root, kind) {
  readAddress();
  const address = new URLSearchParams(location.search);
  const abort = new AbortController();
  const picker = kind === "releases" ? timePicker(load) : undefined;
  const [head, body] = [h("div", { class: "compare-head" }), h("div", {})];
  let exported = [];
  let [a, b] = [address.get("a") ?? "", address.get("b") ?? ""];

  document.title = `Compare ${kinds[kind].toLowerCase()} · Astrolabe`;
  replace(root,
    h("header", { class: "page-head" }, h("h1", {}, "Compare"), compareTabs(kind), h("div", { class: "spacer" }), exportButton("compare", () => [{ rows: exported }]), picker?.element),
    h("div", { class: "explore-body compare" }, head, body));

  /** The choices as `{ value, title, condition }`. A window has a `time` in place of a condition. */
  async function choices() {
    if (kind === "windows") return [];
    if (kind === "releases") {
      const answer = await get("query", { q: `count of sessions by service.name, service.version, os.name, telemetry.sdk.language limit 100 ${timeClauses({ isPlain: true })} every total` }, abort.signal);
      // The latest version comes first.
      const rows = answer.rows.filter((row) => !row.other && row.key[1] !== null)
        .toSorted((one, other) => String(other.key[1]).localeCompare(String(one.key[1]), "en", { numeric: true }));
      // The systems of browsers are one platform, so several rows may be one release.
      return [...new Map(rows.map(releaseChoice).map((choice) => [choice.value, choice])).values()];
    }
    const { sessions } = await get("sessions", { limit: 100 }, abort.signal);
    const found = sessions.map((it) => ({ value: it.id, title: `${moment(it.startUs)} · ${it.device.modelName || it.device.modelIdentifier || "unknown device"} · ${it.id.slice(0, 8)}` }));
    for (const id of [a, b]) if (id && !found.some(({ value }) => value === id)) found.push({ value: id, title: id });
    return found.map((choice) => ({ ...choice, condition: equals("session.id", choice.value) }));
  }

  async function load() {
    await filled(body, "Comparing", async () => {
      const all = await choices();
      if (kind !== "windows" && all.length < 2) {
        replace(head);
        replace(body, emptyPage(`There is ${all.length ? "one" : "none"} of what is compared`, kind === "releases" ? "Two releases of an app must have sent sessions in this time." : "Two sessions are needed."));
        return;
      }
      choose(all);
      await ask(sides(all));
    }, { retry: load });
  }

  /** Chooses the two newest unless the address has others. The newer one is B. */
  function choose(all) {
    if (kind === "windows") {
      if (!lengths.some(([value]) => value === b)) b = "24h";
      if (!earlier.some(([value]) => value === a)) a = "previous";
    } else {
      const has = (value) => all.some((choice) => choice.value === value);
      if (!has(b)) b = all.find(({ value }) => value !== a).value;
      if (!has(a)) a = all.find(({ value, app }) => value !== b && (kind !== "releases" || isOfAppOfB(app, all)))?.value ?? all.find(({ value }) => value !== b).value;
    }
    const select = (label, options, chosen, onChange) => h("label", { class: `compare-card ${label === "A" ? "first" : "second"}` }, h("b", {}, label),
      h("select", { "aria-label": label, onchange: (event) => onChange(event.target.value) }, options.map(([value, title]) => h("option", { value, selected: value === chosen }, title))));
    const options = all.map(({ value, title }) => [value, title]);
    replace(head,
      select("A", kind === "windows" ? earlier.map(([value, title]) => [value, title[0].toUpperCase() + title.slice(1)]) : options, a, (value) => show(value, b)),
      select("B", kind === "windows" ? lengths : options, b, (value) => show(a, value)),
      kind === "windows" ? null : h("div", { class: "chips" }, h("button", { type: "button", onclick: () => show(b, a) }, "Swap")));
  }

  function isOfAppOfB(app, all) {
    return all.find(({ value }) => value === b).app === app;
  }

  function show(first, second) {
    [a, b] = [first, second];
    replaceAddress(`/compare?${new URLSearchParams({ of: kind, a, b })}`);
    load();
  }

  /** Returns what makes a query one of A or B. For times, one query answers both. */
  function sides(all) {
    const narrowed = (query, condition) => {
      const parts = split(query);
      return join({ ...parts, where: [parts.where, condition].filter(Boolean).join(" and "), ...(kind === "sessions" ? { last: "3650d" } : {}) })
        + (kind === "sessions" ? "" : ` ${timeClauses({ isPlain: true })}`);
    };
    if (kind === "windows") return { both: (query) => `${query} last ${b} compare ${a}` };
    const [first, second] = [a, b].map((value) => all.find((choice) => choice.value === value).condition);
    return { a: (query) => narrowed(query, first), b: (query) => narrowed(query, second) };
  }

  /** Asks one question of both sides. Returns pairs of values by key. */
  async function pair(question, { a: first, b: second, both }) {
    const asked = (query) => get("query", { q: `${query} every total`, kept: true }, abort.signal);
    const pairs = new Map();
    /** Of re-weighted records, how many arrived for each that counts. */
    const arrived = { a: 1, b: 1 };
    const take = (side, { matchedRecords }, rows, values = (row) => row.values) => {
      const counted = rows.reduce((sum, row) => sum + (values(row)[1] ?? 0), 0);
      arrived[side] = recordsOfEach(matchedRecords, counted);
      for (const row of rows) {
        if (row.other) continue;
        const title = row.key.map(keyText).join(", ");
        pairs.set(title, { title, key: row.key, ...pairs.get(title), [side]: values(row) });
      }
    };
    let answer;
    if (both) {
      answer = await asked(both(question.q));
      take("b", answer, answer.rows);
      take("a", answer.comparison ?? answer, answer.rows.filter((row) => row.comparison), (row) => row.comparison.values);
    } else {
      const answers = await Promise.all([asked(first(question.q)), asked(second(question.q))]);
      [answer] = answers;
      take("a", answers[0], answers[0].rows);
      take("b", answers[1], answers[1].rows);
    }
    return { rows: [...pairs.values()], arrived, columns: calculations(answer), note: both ? comparisonText(answer) : "", links: both ? { b: both(question.q) } : { a: first(question.q), b: second(question.q) } };
  }

  /** Asks a question of both sides, and how likely chance alone sets the values of each row as far apart. */
  async function tested(question, query) {
    const found = await pair(question, query);
    const shares = question.isGood === undefined ? undefined : await sharesOf(question, found, query);
    for (const row of found.rows) row.chance = shares && byChance(shares.get(row.title), found.arrived);
    return { ...found, question };
  }

  /** The rows with shares in place of percentiles: those of A and B that lie above the percentile of A. */
  async function sharesOf({ q }, { rows }, query) {
    if (!q.startsWith("p95(duration)")) return new Map(rows.map((row) => [row.title, row]));
    const parts = split(q);
    const [by] = items(parts.by, ",");
    const limits = rows.filter((row) => typeof row.a?.[0] === "number" && row.b).map((row) =>
      [...(by ? [equals(by, row.key[0])] : []), `duration > ${Math.round(row.a[0])}`].join(" and "));
    if (!limits.length) return new Map();
    const condition = limits.length > 1 ? limits.map((each) => `(${each})`).join(" or ") : limits[0];
    const above = await pair({ q: join({ ...parts, calculate: `ratio(where ${condition}), count` }) }, query);
    return new Map(above.rows.map((row) => [row.title, row]));
  }

  async function ask(query) {
    const all = await Promise.all([...measures, ...tables].map((question) => tested(question, query)));
    const isLarger = largerThanChance(all.flatMap(({ rows }) => rows.map(({ chance }) => chance)));
    let index = 0;
    for (const { rows } of all) for (const row of rows) row.isLarger = isLarger[index++];
    const [values, grouped] = [all.slice(0, measures.length), all.slice(measures.length)];
    const exportedRow = (table, name, row, columns) => ({ table, name, unit: columns[0].unit, a: row.a?.[0], b: row.b?.[0], chance: row.chance });
    exported = [
      ...values.map(({ rows: [row], columns, question }) => exportedRow("Measures", question.title, row ?? {}, columns)),
      ...grouped.flatMap(({ rows, columns, question }) => rows.map((row) => exportedRow(question.title, row.title, row, columns))),
    ];
    const rows = values.map(({ rows: [row], columns, links, question }) => line(question.title, row ?? {}, columns, question.isGood, links));
    const notes = [...new Set(all.map(({ note }) => note).filter(Boolean))];
    const titles = (note) => all.filter((each) => each.note === note).map(({ question }) => question.title).join(", ");
    replace(body, notes.map((note) => h("p", { class: "notice" }, `${titles(note)}: ${note}`)), frame("Measure", rows), grouped.map(({ rows: found, columns, links, question }) => {
      const ranked = found.toSorted((one, other) => gap(other) - gap(one));
      return ranked.length ? [h("h2", { class: "tab-note" }, question.title), frame(question.value, ranked.map((row) => line(row.title, row, columns, question.isGood, links)))] : null;
    }), h("p", { class: "tab-note faint" }, `${scope()} ${statement}`));
  }

  /** The time that the numbers are about. */
  function scope() {
    return kind === "releases" ? `Time: ${timeTitle().toLowerCase()}.` : kind === "sessions" ? "Of all records of both sessions." : "";
  }

  load();
  return {
    destroy() { abort.abort(); picker?.destroy(); },
    keys: [
      { keys: ["x"], label: "Swap A and B", run: () => { if (kind !== "windows") show(b, a); } },
      { keys: ["Escape"], label: "Back", run: () => goBack(kind === "releases" ? "/health/releases" : "/sessions") },
    ],
  };
}

/** A release of an app on a platform as a choice. `app` is the condition without the version. */
function releaseChoice({ key: [service, version, system, language] }) {
  const isBrowser = language === "webjs";
  const platform = isBrowser ? "web" : system;
  const app = `${equals("service.name", service)} and ${isBrowser ? equals("telemetry.sdk.language", language) : equals("os.name", system)}`;
  return { value: releaseKey({ service, platform, version }), title: `${appName({ service, platform })} ${version}`, app, condition: `${app} and ${equals("service.version", version)}` };
}

/** The probability that the shares of A and B differ as much by chance; `undefined` if one side has none. */
function byChance(row, arrived) {
  if (typeof row?.a?.[0] !== "number" || typeof row.b?.[0] !== "number") return undefined;
  const [wholeA, wholeB] = [row.a[1] * arrived.a, row.b[1] * arrived.b];
  return sharesByChance(row.a[0] * wholeA, wholeA, row.b[0] * wholeB, wholeB);
}

/** How far A and B are apart, more for what happened more often. */
function gap({ a, b }) {
  const [before, after] = [a?.[0] ?? 0, b?.[0] ?? 0];
  return Math.abs(after - before) * Math.min(a?.[1] ?? 0, b?.[1] ?? 0);
}

function frame(title, rows) {
  return tableFrame(`${title} of A and B`, h("table", { class: "results plain compare-groups" },
    h("thead", {}, h("tr", {}, [title, "A", "B", "Change"].map((name, index) => h("th", { scope: "col", class: index ? "end" : "" }, name)))), h("tbody", {}, rows)));
}

function line(title, { a, b, chance, isLarger }, columns, isGood, links) {
  const [before, after] = [a?.[0], b?.[0]];
  const cell = (side, values) => h("td", { class: "end num" }, links[side]
    ? h("a", { class: "link-quiet", href: `/explore?${new URLSearchParams({ q: links[side] })}` }, quantity(values?.[0], columns[0])) : quantity(values?.[0], columns[0]),
    columns[1] && values ? h("small", { class: "faint" }, ` of ${quantity(values[1], columns[1])}`) : null);
  const isKnown = typeof before === "number" && typeof after === "number";
  const share = isKnown && before !== 0 ? (after - before) / Math.abs(before) : undefined;
  const mark = !isLarger || before === after ? "" : (after > before) === isGood ? "faster" : "slower";
  const text = !isKnown ? "" : after === before ? "=" : `${after > before ? "▲" : "▼"} ${share === undefined ? "" : percent(Math.abs(share), 2)}`;
  const word = mark ? (mark === "slower" ? " worse" : " better") : chance === undefined || after === before ? "" : " may be chance";
  return h("tr", {}, h("th", { scope: "row" }, title || "(none)"), cell("a", a), cell("b", b),
    h("td", { class: `end num ${mark || "faint"}`, title: chance === undefined ? null : chanceText(chance) }, text, word ? h("span", { class: "visually-hidden" }, word) : null));
}

/** Links to the kinds of comparison. */
export function compareTabs(current) {
  return h("nav", { class: "tabs", "aria-label": "What is compared" }, [["traces", "Traces"], ...Object.entries(kinds)].map(([kind, title]) =>
    h("a", { class: "tab", href: kind === "traces" ? "/compare" : `/compare?of=${kind}`, "aria-current": kind === current ? "page" : null }, title)));
}

export const isGroupComparison = (kind) => kind in kinds;
