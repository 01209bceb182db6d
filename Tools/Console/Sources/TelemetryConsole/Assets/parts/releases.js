// @ts-check
// Releases: their names, the links to their commits, and their marks on charts over time.

import { get, keptList } from "../lib/api.js";
import { h, svg } from "./dom.js";
import { moment } from "../shared/format.js";

/** How long the list of releases is used, in milliseconds. */
const freshness = 30_000;
/** How many marks one chart has at most. The latest are shown. */
const markLimit = 20;
/** How many letters of a version a mark shows, and about how wide one is. */
const labelLetters = 10;
const letterWidth = 7;

/** The latest releases, newest first. */
export const releaseMarkers = keptList(freshness, () => get("releases").then(({ releases }) => releases));

/** The version with the build number. */
export function releaseName(marker) {
  const build = marker["astrolabe.app.build_number"];
  return `${marker["service.version"]}${build ? ` (${build})` : ""}`;
}

/** The name of an app on a platform. */
export function appName({ service, platform }) {
  return platform ? `${service} on ${platform}` : service;
}

/** What `/compare?of=releases` calls a release. */
export function releaseKey({ service, platform, version }) {
  return [service, platform, version].filter(Boolean).join(" ");
}

/** The rows of each app on each platform, in their order. */
export function apps(rows) {
  const found = new Map();
  for (const row of rows) {
    const key = JSON.stringify([row.service, row.platform]);
    found.set(key, [...(found.get(key) ?? []), row]);
  }
  return [...found.values()];
}

/** The short hash of a release's commit, as a link if the repository is known; `null` without a commit. */
export function commitLink(marker) {
  const commit = marker?.["vcs.ref.head.revision"];
  if (!commit) return null;
  const [text, title] = [commit.slice(0, 7), `Commit ${commit}`];
  const repository = marker["vcs.repository.url.full"]?.replace(/\/+$/, "");
  if (!repository) return h("span", { class: "mono", title }, text);
  return h("a", { class: "link mono", href: `${repository}/commit/${commit}`, title, target: "_blank", rel: "noopener noreferrer" }, text);
}

/** The releases within the time of an answer, newest first. */
export function releasesWithin(all, { fromUs, toUs }) {
  return all.filter(({ timeUs }) => timeUs >= fromUs && timeUs < toUs).slice(0, markLimit);
}

/** Vertical lines with the versions. A version that would cover that of a later release is left out. */
export function releaseMarks(markers, { inner, x }) {
  const taken = [];
  const labels = markers.map((marker) => {
    const at = x(marker.timeUs);
    const version = marker["service.version"];
    const label = version.length > labelLetters ? `${version.slice(0, labelLetters - 1)}…` : version;
    const width = label.length * letterWidth + 4;
    const isLeft = at + width > inner.right;
    const [from, to] = isLeft ? [at - width, at] : [at, at + width];
    if (from < inner.left || taken.some((other) => to > other.from && from < other.to)) return null;
    taken.push({ from, to });
    return svg("text", { class: "tick", x: isLeft ? at - 4 : at + 4, y: inner.top + 9, "text-anchor": isLeft ? "end" : "start" }, label);
  });
  const lines = markers.map((marker) => {
    const at = x(marker.timeUs);
    const commit = marker["vcs.ref.head.revision"];
    const words = [`Release ${releaseName(marker)}`, marker["service.name"], commit && `commit ${commit.slice(0, 7)}`, moment(marker.timeUs)];
    return svg("g", { class: "release" }, svg("title", {}, words.filter(Boolean).join(", ")), svg("line", { x1: at, x2: at, y1: inner.top, y2: inner.bottom }));
  });
  // The texts cover the lines of other releases.
  return svg("g", { class: "releases" }, lines, labels);
}
