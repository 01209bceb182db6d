// The frames of a session's replay. The list of frames is loaded first, their content on demand.

import { get } from "/assets/api.js";

/** The number of frames whose content is kept. Beyond it, the oldest content is released. */
const contentLimit = 2_000;
/** The number of frames that one request loads. */
const partSize = 200;

export class ReplayFrames {
  constructor(session, signal) {
    this.session = encodeURIComponent(session);
    this.signal = signal;
    this.known = new Map();
    this.cursor = 0;
    this.frames = [];
    this.gaps = [];
    this.contents = new Set();
  }

  /** Loads the list of new frames. Returns true if there were any. */
  async update() {
    let next;
    let hasNews = false;
    const since = this.cursor;
    do {
      const course = await get(`sessions/${this.session}/replay`, { since: since || undefined, cursor: next }, this.signal);
      for (const { id, frames } of course.recordings) {
        let recording = this.known.get(id);
        if (!recording) this.known.set(id, recording = new Map());
        for (const [sequence, timeUs, isKey] of frames) {
          if (recording.has(sequence)) continue;
          recording.set(sequence, { recording: id, sequence, timeUs, isKey: isKey === 1 });
          hasNews = true;
        }
      }
      this.cursor = Math.max(this.cursor, course.cursor);
      next = course.next;
    } while (next);
    if (hasNews) this.arrange();
    return hasNews;
  }

  /**
   * Arranges all recordings one after the other. If a frame is missing, the frames up to the next key frame cannot be
   * drawn. They are left out, and their time is a gap.
   */
  arrange() {
    this.frames = [];
    this.gaps = [];
    const recordings = [...this.known.values()].map((frames) => [...frames.values()].sort((a, b) => a.sequence - b.sequence));
    recordings.sort((a, b) => a[0].timeUs - b[0].timeUs);
    let at = 0;
    for (const recording of recordings) {
      let gap;
      let before;
      let key = -1;
      for (const frame of recording) {
        at = Math.max(at, frame.timeUs);
        const missing = before === undefined ? 0 : frame.sequence - before.sequence - 1;
        if (missing > 0 || (before === undefined && !frame.isKey)) gap ??= { from: before?.at ?? at, to: at, missing: 0 };
        if (gap) gap.missing += missing;
        before = Object.assign(frame, { at });
        if (gap) gap.to = at;
        if (frame.isKey) {
          if (gap) this.gaps.push(gap);
          gap = undefined;
          key = this.frames.length;
        }
        if (gap) continue;
        frame.key = key;
        this.frames.push(frame);
      }
      if (gap) this.gaps.push(gap);
    }
  }

  get isEmpty() {
    return this.known.size === 0;
  }

  get start() {
    return Math.min(this.frames[0]?.at ?? Infinity, this.gaps[0]?.from ?? Infinity);
  }

  get end() {
    return Math.max(this.frames.at(-1)?.at ?? 0, this.gaps.at(-1)?.to ?? 0);
  }

  /** The index of the frame visible at a moment, or -1 before the first frame. */
  indexAt(moment) {
    let low = 0;
    let high = this.frames.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.frames[middle].at <= moment) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  gapAt(moment) {
    return this.gaps.find((gap) => gap.from < moment && moment < gap.to);
  }

  /** Whether a frame can be drawn: its content and that of all frames since its key frame are loaded. */
  isReady(index) {
    for (let at = this.frames[index].key; at <= index; at += 1) if (!this.frames[at].content) return false;
    return true;
  }

  /** Loads the content needed to draw a frame. */
  async fetch(index) {
    const { recording, key } = this.frames[index];
    const recordings = this.known.get(recording);
    for (let at = key; at <= index;) {
      if (this.frames[at].content) { at += 1; continue; }
      const from = this.frames[at].sequence;
      const { frames } = await get(`sessions/${this.session}/replay/${encodeURIComponent(recording)}`, { from, limit: partSize }, this.signal);
      for (const content of frames) {
        const frame = recordings.get(content.sequence);
        if (!frame || frame.content) continue;
        frame.content = content;
        this.contents.add(frame);
      }
      // Retention may have removed the frame. Show an empty one instead.
      const frame = recordings.get(from);
      frame.content ??= { sequence: from, timeUs: frame.timeUs, nodes: [] };
      if (frames.length === 0) at += 1;
    }
    this.forget(key, index);
  }

  /** Releases the oldest content, except for the frames just requested. */
  forget(first, last) {
    if (this.contents.size <= contentLimit) return;
    const kept = new Set(this.frames.slice(first, last + partSize));
    for (const frame of this.contents) {
      if (this.contents.size <= contentLimit * 0.8) break;
      if (kept.has(frame)) continue;
      frame.content = undefined;
      this.contents.delete(frame);
    }
  }
}
