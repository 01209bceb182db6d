// What every browser has and the library of Debian's TypeScript does not know yet. Delete a line when it does.

interface ReadonlyArray<T> {
  findLast<S extends T>(predicate: (value: T, index: number) => value is S): S | undefined;
  findLast(predicate: (value: T, index: number) => unknown): T | undefined;
  findLastIndex(predicate: (value: T, index: number) => unknown): number;
  toSorted(compare?: (one: T, other: T) => number): T[];
  toSpliced(start: number, removed?: number, ...added: T[]): T[];
  with(index: number, value: T): T[];
}

interface Array<T> {
  findLast<S extends T>(predicate: (value: T, index: number) => value is S): S | undefined;
  findLast(predicate: (value: T, index: number) => unknown): T | undefined;
  findLastIndex(predicate: (value: T, index: number) => unknown): number;
  toSorted(compare?: (one: T, other: T) => number): T[];
  toSpliced(start: number, removed?: number, ...added: T[]): T[];
  with(index: number, value: T): T[];
}

interface URLSearchParams {
  readonly size: number;
}

interface HTMLElement {
  popover: string | null;
  hidePopover(): void;
  showPopover(): void;
}

interface HTMLButtonElement {
  popoverTargetElement: Element | null;
}

/** Of a `toggle`: whether a popover opens or closes. */
interface Event {
  readonly newState?: "open" | "closed";
}

declare namespace Intl {
  function supportedValuesOf(key: "timeZone"): string[];
}

// The events with which the modules of a page tell one another what has changed.

interface WindowEventMap {
  answerage: CustomEvent<number>;
  filterchange: Event;
  keywanted: CustomEvent<void>;
  navigate: CustomEvent<string>;
  timechange: Event;
}

// What the library is stricter about than a page is: selectors find elements of HTML, and the DOM writes numbers as text.

interface ParentNode {
  querySelector<Tag extends keyof HTMLElementTagNameMap>(selectors: Tag): HTMLElementTagNameMap[Tag] | null;
  querySelector(selectors: string): HTMLElement | null;
  querySelectorAll<Tag extends keyof HTMLElementTagNameMap>(selectors: Tag): NodeListOf<HTMLElementTagNameMap[Tag]>;
  querySelectorAll(selectors: string): NodeListOf<HTMLElement>;
}

interface Element {
  setAttribute(name: string, value: string | number): void;
}

interface CSSStyleDeclaration {
  setProperty(name: string, value: string | number | null, priority?: string): void;
}
