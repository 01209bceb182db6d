// @ts-check
// Movements of symbols, and the ways from one symbol or text to the next.

/** @type {Record<string, { frames: Keyframe[], duration: number, staysAtEnd?: boolean }>} */
const effects = {
  "bounce up": { frames: [{ scale: 1 }, { scale: 1.2, offset: 0.35 }, { scale: 0.96, offset: 0.7 }, { scale: 1 }], duration: 500 },
  "bounce down": { frames: [{ scale: 1 }, { scale: 0.8, offset: 0.35 }, { scale: 1.04, offset: 0.7 }, { scale: 1 }], duration: 500 },
  pulse: { frames: [{ opacity: 1 }, { opacity: 0.35 }, { opacity: 1 }], duration: 1400 },
  "scale up": { frames: [{ scale: 1 }, { scale: 1.15 }], duration: 250, staysAtEnd: true },
  "scale down": { frames: [{ scale: 1 }, { scale: 0.85 }], duration: 250, staysAtEnd: true },
  disappear: { frames: [{ scale: 1, opacity: 1 }, { scale: 0.6, opacity: 0 }], duration: 250, staysAtEnd: true },
  wiggle: { frames: [{ rotate: "0deg" }, { rotate: "10deg" }, { rotate: "-8deg" }, { rotate: "6deg" }, { rotate: "0deg" }], duration: 800 },
  rotate: { frames: [{ rotate: "0deg" }, { rotate: "360deg" }], duration: 1500 },
  "rotate back": { frames: [{ rotate: "0deg" }, { rotate: "-360deg" }], duration: 1500 },
  breathe: { frames: [{ scale: 1, opacity: 1 }, { scale: 1.12, opacity: 0.75 }, { scale: 1, opacity: 1 }], duration: 2400 },
};

/**
 * Keeps the movements of one symbol. Each is `[name, runs, speed]`, and has the number of changes of its value at the
 * end if a value starts it.
 */
export class SymbolEffects {
  /** By position, name, runs and speed: the number of changes that were seen, and what moves. */
  #known = new Map();

  /**
   * @param {Element} drawing
   * @param {any[]} list
   * @param {boolean} isNew Whether the drawing is another one than before.
   */
  update(drawing, list, isNew) {
    const wanted = new Map(list.map((effect, index) => [[index, ...effect.slice(0, 3)].join(" "), effect]));
    for (const [key, { running }] of this.#known) {
      if (wanted.has(key)) continue;
      running?.forEach((animation) => animation.cancel());
      this.#known.delete(key);
    }
    for (const [key, [name, runs, speed, changes]] of wanted) {
      const before = this.#known.get(key);
      const isDue = changes === undefined ? !before || isNew : before !== undefined && before.changes !== changes;
      const running = isDue ? move(drawing, name, runs, speed) : before?.running;
      this.#known.set(key, { changes, running });
    }
  }
}

/** Moves a drawing, or its parts one after another. */
function move(drawing, name, runs, speed) {
  const iterations = runs || Infinity;
  if (name.startsWith("variableColor")) return shimmer(drawing, name, iterations, speed);
  const effect = effects[name];
  if (!effect) return [];
  const options = { duration: effect.duration / speed, easing: "ease-in-out" };
  return [drawing.animate(effect.frames, effect.staysAtEnd ? { ...options, fill: "forwards" } : { ...options, iterations })];
}

function shimmer(drawing, name, iterations, speed) {
  const layers = [...drawing.children];
  const low = name.includes("hiding") ? 0 : 0.3;
  const step = 400;
  const duration = (layers.length + 1) * step;
  return layers.map((layer, index) => {
    const start = index / (layers.length + 1);
    const end = name.includes("iterative") ? (index + 1) / (layers.length + 1) : 1;
    const frames = [{ opacity: low }, { opacity: low, offset: start }, { opacity: 1, offset: Math.min(start + 0.1, end) }, { opacity: 1, offset: end }, { opacity: low }];
    return layer.animate(frames, { duration: duration / speed, iterations, direction: name.includes("reversing") ? "alternate" : "normal" });
  });
}

/** Shows how a symbol takes the place of another. */
export function replaceSymbol(drawing) {
  drawing.animate([{ scale: 0.4, opacity: 0 }, {}], { duration: 300, easing: "cubic-bezier(.2, 1.4, .4, 1)" });
}

const ways = {
  opacity: { opacity: 0 },
  numericUp: { opacity: 0, translate: "0 45%", filter: "blur(2px)" },
  numericDown: { opacity: 0, translate: "0 -45%", filter: "blur(2px)" },
};

/**
 * The name of the way from one text to the next. Some depend on the values of the two.
 *
 * @param {{ contentTransition: string, contentValue?: number }} properties
 * @param {number | undefined} before The value of the text before.
 */
export function wayOfText({ contentTransition, contentValue = 0 }, before) {
  if (contentTransition !== "numericValue") return contentTransition;
  return contentValue < (before ?? contentValue) ? "numericDown" : "numericUp";
}

/** Shows how a text takes the place of another in an animated change. */
export function replaceText(element, transition, { delay, duration, curve }) {
  const way = ways[transition];
  if (way) element.animate([way, {}], { delay: delay * 1000, duration: duration * 1000, easing: `linear(${curve.join(", ")})`, fill: "backwards" });
}
