// @ts-check
// When a page may change by itself: not while its window is hidden, while a person reads there, or while updates are paused.

/** @typedef {{ cursor?: number, sessions?: number, traces?: number, metrics?: boolean }} Change */

const lookMilliseconds = 500;

/** What two changes are together. A number that one does not say is unknown, and so is the sum. */
function both(/** @type {Change} */ one, /** @type {Change} */ other) {
  const sum = (/** @type {number | undefined} */ a, /** @type {number | undefined} */ b) => (a === undefined || b === undefined ? undefined : a + b);
  return {
    cursor: other.cursor ?? one.cursor, sessions: sum(one.sessions, other.sessions), traces: sum(one.traces, other.traces),
    metrics: one.metrics || other.metrics,
  };
}

/** Work that is due after a change or an interval. It never runs twice at once, and what comes meanwhile leads to one run. */
export class LiveWork {
  /** @type {Change | undefined} */
  #due;
  #isRunning = false;
  #hasEnded = false;

  /**
   * @param {(change: Change) => unknown} work
   * @param {object} options
   * @param {number} [options.spacing] The milliseconds that are waited after a run.
   * @param {() => unknown} options.mustWait
   */
  constructor(work, { spacing = 0, mustWait }) {
    this.work = work;
    this.spacing = spacing;
    this.mustWait = mustWait;
  }

  get isDue() {
    return this.#due !== undefined;
  }

  /** @param {Change} change */
  want(change) {
    this.#due = this.#due ? both(this.#due, change) : change;
    return this.run();
  }

  async run() {
    while (this.#due && !this.#isRunning && !this.#hasEnded && !this.mustWait()) {
      const change = this.#due;
      this.#due = undefined;
      this.#isRunning = true;
      try {
        await this.work(change);
        if (this.spacing) await new Promise((resolve) => { setTimeout(resolve, this.spacing); });
      } finally {
        this.#isRunning = false;
      }
    }
  }

  end() {
    this.#hasEnded = true;
    this.#due = undefined;
  }
}

/** @type {Set<LiveWork>} What follows the console's changes. */
const followers = new Set();
/** @type {Set<LiveWork>} All work of this window. */
const works = new Set();
let isPaused = false;

/** Why this page does not change by itself now, as words after "updates wait", or nothing. */
export function reasonToWait() {
  if (isPaused) return "until you resume them";
  if (document.querySelector("dialog[open]")) return "while a dialog is open";
  if (document.querySelector(":popover-open")) return "while a menu is open";
  const selection = getSelection();
  if (selection && !selection.isCollapsed && document.getElementById("main")?.contains(selection.anchorNode)) return "while text is selected";
  return undefined;
}

const mustWait = () => document.hidden || reasonToWait();

/**
 * @param {(change: Change) => unknown} work
 * @param {number} [spacing]
 */
function add(work, spacing) {
  const added = new LiveWork(work, { spacing, mustWait });
  works.add(added);
  return added;
}

/**
 * Calls `work` after each change of the console, in a visible page that no one reads, and then once for all that waited.
 *
 * @param {(change: Change) => unknown} work
 * @param {{ spacing?: number }} options `spacing` is how many milliseconds to wait after a call.
 * @returns {() => void} Ends it.
 */
export function onLive(work, { spacing } = {}) {
  const added = add(work, spacing);
  followers.add(added);
  return () => { added.end(); followers.delete(added); works.delete(added); };
}

/**
 * Calls `work` at an interval, under the conditions of `onLive`. For what changes without a record.
 *
 * @param {number} milliseconds
 * @param {(change: Change) => unknown} work
 * @returns {() => void} Ends it.
 */
export function every(milliseconds, work) {
  const added = add(work);
  const timer = setInterval(() => { if (!document.hidden) added.want({}); }, milliseconds);
  return () => { clearInterval(timer); added.end(); works.delete(added); };
}

/** Tells the page of a change. */
export function tellChange(/** @type {Change} */ change) {
  for (const follower of followers) follower.want(change);
}

/** Whether something came that this page does not show yet. */
export function hasWaiting() {
  return [...followers].some((follower) => follower.isDue);
}

export const arePaused = () => isPaused;

/** Stops the updates of this window's pages, or lets them go on. The window gets a `pausechange`. */
export function pauseUpdates(/** @type {boolean} */ isStop) {
  isPaused = isStop;
  resume();
  dispatchEvent(new Event("pausechange"));
}

function resume() {
  for (const work of works) work.run();
}

/** Looks whether what had to wait may go on, and calls `onLook` after it. */
export function watchUpdates(/** @type {() => void} */ onLook) {
  const look = () => { if (!document.hidden) { resume(); onLook(); } };
  setInterval(look, lookMilliseconds);
  document.addEventListener("visibilitychange", look);
}
