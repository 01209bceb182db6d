// @ts-check
// Keyboard shortcuts: which keys each has, whether characters are on, and the keys that a person has chosen.

const storageKey = "astrolabe.shortcuts";

/**
 * `keys` are names of keys, such as `Enter`, or one or two characters that are typed one after the other.
 *
 * @typedef {{ keys: string[], label?: string }} Shortcut
 * @typedef {{ isOn: boolean, changed: Record<string, string> }} Settings `changed` has keys by label.
 */

/**
 * Whether a key is typed as text. Speech input types characters too, so they can be turned off and changed.
 *
 * @param {string} key
 */
export const isCharacter = (key) => key.length <= 2 && key !== " ";

/**
 * The keys of a shortcut.
 *
 * @param {Shortcut} shortcut
 * @param {Settings} settings
 */
export function keysOf({ keys, label = "" }, { isOn, changed }) {
  const named = keys.filter((key) => !isCharacter(key));
  if (!isOn) return named;
  return Object.hasOwn(changed, label) ? [changed[label], ...named] : keys;
}

/**
 * Says why a shortcut cannot have a key; "" if it can.
 *
 * @param {string} key
 * @param {Shortcut} shortcut
 * @param {Shortcut[]} all The shortcuts that hold at the same time.
 * @param {Settings} settings
 */
export function problemWith(key, shortcut, all, settings) {
  if (!/^[^\s]{1,2}$/.test(key)) return "Expected one character, or two that are typed one after the other.";
  const taken = all.find((other) => other !== shortcut
    && keysOf(other, { ...settings, isOn: true }).some((used) => isCharacter(used) && (used.startsWith(key) || key.startsWith(used))));
  return taken ? `${key} is taken by ${taken.label ? `"${taken.label}"` : "another shortcut"}.` : "";
}

/**
 * @param {Pick<Storage, "getItem">} storage
 * @returns {Settings}
 */
export function readSettings(storage) {
  try {
    const { isOn = true, changed = {} } = JSON.parse(storage.getItem(storageKey) ?? "{}");
    const texts = Object.entries(changed).filter(([, key]) => typeof key === "string" && isCharacter(key));
    return { isOn: isOn !== false, changed: Object.fromEntries(texts) };
  } catch {
    return { isOn: true, changed: {} };
  }
}

/**
 * @param {Pick<Storage, "setItem">} storage
 * @param {Settings} settings
 */
export function writeSettings(storage, settings) {
  try { storage.setItem(storageKey, JSON.stringify(settings)); } catch { /* they hold for this page only */ }
}
