// @ts-check
// What is open above a page: menus, dialogs, completions, drawers and edit modes, the innermost last.

/**
 * @typedef {object} Opened
 * @property {() => void} close Closes it, without a question.
 * @property {() => boolean} [isOpen] Whether it is still open, if it may be taken from the page without closing.
 * @property {{ contains(node: any): boolean }} [element] A press outside of it and of its opener closes it.
 * @property {{ contains(node: any): boolean }} [opener] What opened it.
 * @property {boolean} [holdsKeys] Whether the shortcuts of the page rest while it is open.
 * @property {boolean} [isKept] Whether nothing closes it but what has opened it, and it stays when another page is shown.
 * @property {() => string} [unsaved] What would be lost, as a question; "" if nothing would.
 */

/** Escape and presses outside go through it, so that each of them closes one thing, and what is unsaved is asked for first. */
export class OpenStack {
  /** @type {Opened[]} */
  #open = [];
  #ask;

  /** @param {(question: string) => Promise<boolean>} ask Asks whether unsaved work may be dropped. */
  constructor(ask) {
    this.#ask = ask;
  }

  /**
   * Puts what has just opened on top. Returns what takes it away after it was closed.
   *
   * @param {Opened} entry
   */
  add(entry) {
    this.#open.push(entry);
    return () => { this.#open = this.#open.filter((other) => other !== entry); };
  }

  /** What is still open. */
  get #shown() {
    this.#open = this.#open.filter(({ isOpen }) => isOpen?.() ?? true);
    return this.#open;
  }

  get holdsKeys() {
    return Boolean(this.#shown[this.#shown.length - 1]?.holdsKeys);
  }

  /** The question for the innermost unsaved work; "" if there is none. */
  get question() {
    return this.#shown.findLast((entry) => entry.unsaved?.())?.unsaved?.() ?? "";
  }

  /**
   * Closes an entry and all above it. Asks first if work in it would be lost.
   *
   * @param {Opened} entry
   * @returns {Promise<boolean>} Whether it is closed.
   */
  async request(entry) {
    if (entry.isKept) return false;
    const question = entry.unsaved?.();
    if (question && !(await this.#ask(question))) return false;
    const from = this.#open.indexOf(entry);
    if (from >= 0) this.#close(this.#open.slice(from));
    return true;
  }

  /** Closes the innermost entry. Returns whether there was one, also if a question keeps it open. */
  closeInnermost() {
    const entry = this.#shown[this.#shown.length - 1];
    if (entry) this.request(entry);
    return entry !== undefined;
  }

  /**
   * Closes what a press on `target` is outside of, down to the first entry that it is inside of or that no press closes.
   *
   * @param {any} target
   */
  closeOutside(target) {
    const entries = this.#shown;
    const from = entries.findLastIndex(({ element, opener }) => !element || element.contains(target) || opener?.contains(target));
    this.#close(entries.slice(from + 1));
  }

  /**
   * Closes everything for another page. Asks first if work would be lost.
   *
   * @returns {Promise<boolean>} Whether the page may be left.
   */
  async leave() {
    const { question } = this;
    if (question && !(await this.#ask(question))) return false;
    this.clear();
    return true;
  }

  /** Closes everything that belongs to the page, without a question. */
  clear() {
    this.#close(this.#shown.filter(({ isKept }) => !isKept));
  }

  /** @param {Opened[]} entries */
  #close(entries) {
    this.#open = this.#open.filter((entry) => !entries.includes(entry));
    for (const entry of [...entries].reverse()) entry.close();
  }
}
