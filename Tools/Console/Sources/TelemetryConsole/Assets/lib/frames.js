// @ts-check
// The frames of a session's replay. The list of frames is loaded first, their content on demand.

import { get } from "./api.js";
import { countUpTo } from "./sorted.js";

/** The number of frames whose content is kept. Beyond it, the oldest content is released. */
const contentLimit = 2_000;
/** The number of frames that one request loads. */
const partSize = 200;

/**
 * A frame of a recording. `at` is its moment on the timeline, `key` the index of the key frame before it, and `content` its
 * nodes once they are loaded.
 *
 * @typedef {{ recording: string, sequence: number, timeUs: number, isKey: boolean, at: number, key: number, content: any }} Frame
 */

export class ReplayFrames {
  /**
   * @param {string} session
   * @param {AbortSignal} [signal]
   */
  constructor(session, signal) {
    this.session = encodeURIComponent(session);
    this.signal = signal;
    /** @type {Map<string, Map<number, Frame>>} The frames by their number, by recording. */
    this.known = new Map();
    this.cursor = 0;
    /** @type {Frame[]} */
    this.frames = [];
    /** @type {{ from: number, to: number, missing: number }[]} */
    this.gaps = [];
    /** @type {Set<Frame>} */
    this.contents = new Set();
  }

  /** Loads the list of new frames. Returns true if there were any. */
  async update() {
    /** @type {string | undefined} */
    let next;
    let hasNews = false;
    const since = this.cursor;
    do {
      /** @type {any} */
      const course = await get(`sessions/${this.session}/replay`, { since: since || undefined, cursor: next }, this.signal);
      for (const { id, frames } of course.recordings) {
        let recording = this.known.get(id);
        if (!recording) this.known.set(id, recording = new Map());
        for (const [sequence, timeUs, isKey] of frames) {
          if (recording.has(sequence)) continue;
          recording.set(sequence, { recording: id, sequence, timeUs, isKey: isKey === 1, at: timeUs, key: -1, content: undefined });
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
      /** @type {{ from: number, to: number, missing: number } | undefined} */
      let gap;
      /** @type {Frame | undefined} */
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

  /**
   * The index of the frame visible at a moment, or -1 before the first frame.
   *
   * @param {number} moment
   */
  indexAt(moment) {
    return countUpTo(this.frames, moment, (frame) => frame.at) - 1;
  }

  /** @param {number} moment */
  gapAt(moment) {
    return this.gaps.find((gap) => gap.from < moment && moment < gap.to);
  }

  /**
   * Whether a frame can be drawn: its content and that of all frames since its key frame are loaded.
   *
   * @param {number} index
   */
  isReady(index) {
    for (let at = this.frames[index].key; at <= index; at += 1) if (!this.frames[at].content) return false;
    return true;
  }

  /**
   * Loads the content needed to draw a frame.
   *
   * @param {number} index
   */
  async fetch(index) {
    const { recording, key } = this.frames[index];
    const recordings = this.known.get(recording);
    // The frames and not their places, which a recording that arrives meanwhile changes.
    for (const wanted of this.frames.slice(key, index + 1)) {
      if (wanted.content) continue;
      const { sequence: from, timeUs } = wanted;
      const { frames } = await get(`sessions/${this.session}/replay/${encodeURIComponent(recording)}`, { from, limit: partSize }, this.signal);
      for (const content of frames) {
        const frame = recordings?.get(content.sequence);
        if (!frame || frame.content) continue;
        frame.content = content;
        this.contents.add(frame);
      }
      // Retention may have removed the frame. Show an empty one instead.
      wanted.content ??= { sequence: from, timeUs, nodes: [] };
    }
    this.forget(key, index);
  }

  /**
   * Releases the oldest content, except for the frames just requested.
   *
   * @param {number} first
   * @param {number} last
   */
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
