// @ts-check
// Stack traces: the app's own frames are highlighted, others are dimmed and collapsed.

import { h } from "./dom.js";
import { plural } from "../shared/format.js";

/** The number of consecutive frames outside the app from which they are collapsed. */
const foldedRun = 4;

export function stackList(frames, label) {
  if (!frames.length) return h("p", { class: "faint" }, "No stack: the thread did not respond in time, or has no frames.");
  const rows = frames.flatMap((frame, number) => frameRows(frame, number));
  const parts = [];
  for (let index = 0; index < rows.length;) {
    let end = index;
    while (end < rows.length && !rows[end].isOwn) end += 1;
    // The innermost frame is always shown: it is where the thread stopped.
    const start = index === 0 ? 1 : index;
    if (end - start >= foldedRun) {
      parts.push(...rows.slice(index, start).map(draw), h("details", { class: "frames-of-others" },
        h("summary", {}, `${plural(end - start, "frame")} of ${imagesOf(rows.slice(start, end))}`), rows.slice(start, end).map(draw)));
      index = end;
    } else {
      end = Math.max(end, index + 1);
      parts.push(...rows.slice(index, end).map(draw));
      index = end;
    }
  }
  return h("div", { class: "stack", role: "list", "aria-label": label }, parts);
}

function frameRows(frame, number) {
  if (!frame.sources) return [{ frame, number, isOwn: Boolean(frame.app) }];
  return frame.sources.map((source, index) => ({ frame, source, number: index === frame.sources.length - 1 ? number : undefined, isOwn: Boolean(source.own) }));
}

function imagesOf(rows) {
  const names = [...new Set(rows.map(({ frame }) => frame.image ?? "unknown code"))];
  return names.length > 3 ? `${names.slice(0, 3).join(", ")} and others` : names.join(", ");
}

function draw({ frame, source, number, isOwn }) {
  const place = source?.file ? `${fileName(source.file)}${source.line ? `:${source.line}` : ""}` : source ? frame.image : "";
  return h("div", { class: `frame ${isOwn ? "own" : ""} ${frame.guess ? "guess" : ""}`, role: "listitem" },
    h("span", { class: "number" }, number ?? ""),
    h("span", { class: "function", title: frame.address }, source?.function || frame.address || "unknown",
      source?.inlined ? h("i", { class: "tag" }, "inlined") : null,
      frame.guess ? h("i", { class: "tag", title: "Found by scanning the stack instead of following frame pointers. It may be stale." }, "uncertain") : null),
    h("span", { class: "place clip", title: source?.file ? `${source.file}${source.line ? `:${source.line}` : ""}` : frame.address }, place));
}

export function fileName(path) {
  return path.split("/").at(-1);
}

/** The name of a thread and its topmost app function, for a collapsed stack. */
export function threadTitle(thread) {
  const name = [thread.main ? "Main thread" : `Thread ${thread.id}`, thread.main ? null : thread.name].filter(Boolean).join(" · ");
  const first = thread.frames[0];
  const own = thread.frames.flatMap((frame) => frame.sources ?? []).find((source) => source.own);
  return [name, own?.function ?? first?.sources?.at(-1)?.function ?? first?.image ?? ""];
}
