// @ts-check
// The appearance: light, dark, or the system's setting.

const key = "astrolabe.theme";

function stored() {
  try { return localStorage.getItem(key); } catch { return null; }
}

export function applyTheme() {
  const theme = stored();
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

export function isDark() {
  return (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
}

export function toggleTheme() {
  const next = isDark() ? "light" : "dark";
  try { localStorage.setItem(key, next); } catch { /* the choice lasts for this page only */ }
  document.documentElement.dataset.theme = next;
  dispatchEvent(new Event("themechange"));
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => dispatchEvent(new Event("themechange")));

/** The current value of a color token, for a canvas. */
export function token(name) {
  const probe = document.createElement("i");
  // A canvas shows the page's colors in forced colors too, as an SVG does.
  probe.style.cssText = `color: var(${name}); forced-color-adjust: none`;
  document.body.append(probe);
  const color = getComputedStyle(probe).color;
  probe.remove();
  return color;
}

/** The hues of services in OKLCH: 24 degrees apart, without red, which means an error. Each has two lightnesses. */
const toneHues = Array.from({ length: 13 }, (_, index) => 60 + index * 24);

/** The light and the dark color of a service. They depend on its name only, so they are the same on every page and day. */
function tones(service) {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(service)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = (hash ^ (hash >>> 13)) >>> 0;
  const hue = toneHues[hash % toneHues.length];
  const isDeep = Math.floor(hash / toneHues.length) % 2;
  return isDeep ? [`oklch(.42 .11 ${hue})`, `oklch(.84 .09 ${hue})`] : [`oklch(.53 .12 ${hue})`, `oklch(.74 .11 ${hue})`];
}

export function tone(service) {
  const [light, dark] = tones(service);
  return `light-dark(${light}, ${dark})`;
}

/** The same color for a canvas, which does not support light-dark(). */
export function flatTone(service) {
  return tones(service)[isDark() ? 1 : 0];
}

// Hues that are easy to tell apart and from red.
const hues = [228, 168, 38, 276, 196, 88, 318, 54, 142, 250];

/** The color of the line at an index, for groups that are no services. */
export function palette(index) {
  const value = hues[index % hues.length];
  const turn = Math.floor(index / hues.length) % 3;
  return `light-dark(hsl(${value} ${[58, 40, 70][turn]}% ${[44, 62, 32][turn]}%), hsl(${value} ${[60, 40, 75][turn]}% ${[66, 50, 80][turn]}%))`;
}
