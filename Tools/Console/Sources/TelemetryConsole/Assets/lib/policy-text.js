// @ts-check
// What a remote policy says, in words: Docs/remote-policy.schema.json.

import { bytes, count, decimalPercent, duration, percent, plural } from "../shared/format.js";

/**
 * @typedef {{ appVersions: string[], systems: string[], models: string[], installations: string[] }} Target
 * @typedef {Record<string, number>} Modes By the names of the modes; those that are absent stay as the app has them.
 * @typedef {{ id: string, kind: string, installation: string, seconds?: number }} Request
 * @typedef {{ rates?: Modes, flushIntervals?: Modes, admission?: string, off?: string[], offScopes?: string[],
 *   triggers?: Record<string, any>, requests?: Request[] }} Document
 */

const modes = ["full", "normal", "reduced", "minimal"];

/** @type {Record<string, string>} */
const instruments = {
  all: "everything", spans: "spans", events: "events and log records", metrics: "metrics", replay: "the session replay",
  recorder: "the flight recorder", views: "views, screens and taps", http: "requests", health: "crashes, hangs, frames and starts",
  conditions: "device conditions", navigation: "navigation", errors: "handled errors",
};

/** @type {Record<string, string>} */
const triggers = {
  crashes: "crashes", hangs: "hangs", runEnds: "ends of a run in the foreground", errors: "errors", failedRequests: "failed requests",
};

/** @param {number} seconds */
const time = (seconds) => duration(seconds * 1e9);

/**
 * @param {Modes} values
 * @param {(value: number) => string} write
 */
function byMode(values, write) {
  return modes.filter((mode) => values[mode] !== undefined).map((mode) => `${write(values[mode])} in ${mode} mode`).join(", ");
}

/**
 * Returns what a document changes, as terms and sentences.
 *
 * @param {Document} document
 * @returns {[string, string][]}
 */
export function policyWords({ rates = {}, flushIntervals = {}, admission, off = [], offScopes = [], triggers: set = {}, requests = [] }) {
  const on = Object.keys(triggers).filter((name) => set[name] === true).map((name) => triggers[name]);
  const quiet = Object.keys(triggers).filter((name) => set[name] === false).map((name) => triggers[name]);
  const budget = [
    set.limitPerHour === undefined ? "" : `${count(set.limitPerHour)} of each trigger in an hour`,
    set.dailyBytes === undefined ? "" : `${bytes(set.dailyBytes)} in a day`,
  ];
  const slow = [
    set.slowSpans === undefined ? "" : `any span longer than ${time(set.slowSpans)}`,
    ...(set.rules ?? []).map((/** @type {any} */ rule) => `${rule.span} longer than ${time(rule.longerThan)}`),
  ];
  /** @type {[string, string][]} */
  const words = [
    ["Turned off", off.map((name) => instruments[name] ?? name).join(", ")],
    ["Dropped scopes", offScopes.join(", ")],
    ["Sessions sent", byMode(rates, (rate) => percent(rate))],
    ["Flushes", byMode(flushIntervals, (seconds) => `every ${time(seconds)}`)],
    ["Admission", admission === "strict" ? "strict: reduced and minimal mode keep errors, crashes and sampled traces" : admission ?? ""],
    ["Recorder sends after", on.join(", ")],
    ["Recorder ignores", quiet.join(", ")],
    ["Slow spans", slow.filter(Boolean).join(", ")],
    ["Abandoned flows", set.flows?.length === 0 ? "none" : (set.flows ?? []).map((/** @type {any} */ flow) => `${flow.from} without ${flow.to}`).join(", ")],
    ["Recorder's budget", budget.filter(Boolean).join(", ")],
    ["Requests", requests.map(requestWords).join(", ")],
  ];
  return words.filter(([, text]) => text);
}

/** @param {Request} request */
function requestWords({ kind, installation, seconds = 0 }) {
  return kind === "promote" ? `${installation} sends its flight recorder` : `${installation} records in full for ${time(seconds)}`;
}

/**
 * A share in percent, with the two decimals by which installations differ.
 *
 * @param {number} percentage
 */
export const shareText = (percentage) => decimalPercent(percentage / 100, 2);

/**
 * The app to show: the wanted one if it is listed, or else the first with a policy. Any device may name an app.
 *
 * @param {{ app: string, version?: number }[]} apps
 * @param {string} wanted
 */
export function appOf(apps, wanted) {
  if (apps.some((entry) => entry.app === wanted)) return wanted;
  return (apps.find((entry) => entry.version !== undefined) ?? apps[0])?.app ?? "";
}

/**
 * Says which installations a document is for.
 *
 * @param {{ percentage: number, target: Target }} rollout
 */
export function rolloutWords({ percentage, target }) {
  const parts = [
    ["app version", target.appVersions], ["system", target.systems], ["model", target.models],
  ].filter(([, patterns]) => patterns.length).map(([name, patterns]) => `${name} ${/** @type {string[]} */ (patterns).join(" or ")}`);
  const only = target.installations.length ? plural(target.installations.length, "named installation") : "all installations";
  const share = percentage === 100 ? "" : `${shareText(percentage)} of `;
  return `${share}${only}${parts.length ? ` with ${parts.join(", ")}` : ""}`;
}

/**
 * Reads a list that a person typed, one on each line: models of Apple have commas.
 *
 * @param {string} text
 */
export function listOf(text) {
  return text.split("\n").map((part) => part.trim()).filter(Boolean);
}

/**
 * Reads a share in percent that a person typed.
 *
 * @param {string} text
 */
export function shareOf(text) {
  const share = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (!(share >= 0 && share <= 100)) throw new Error(`Expected a number from 0 to 100, found ${JSON.stringify(text.slice(0, 40))}.`);
  return share;
}

/**
 * The command that asks one installation for its flight recorder. It signs, so it runs where the private key is.
 *
 * @param {{ app: string, installation: string, origin: string }} facts
 */
export function promoteCommand({ app, installation, origin }) {
  return `astrolabe policy promote ${quoted(installation || "INSTALLATION")} --app ${quoted(app)} --key policy.key --console ${quoted(origin)}`;
}

/**
 * A text as one word of a shell.
 *
 * @param {string} text
 */
function quoted(text) {
  return /^[\w.:/@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
