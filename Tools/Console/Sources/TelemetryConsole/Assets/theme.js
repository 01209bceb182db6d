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
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const color = getComputedStyle(probe).color;
  probe.remove();
  return color;
}

// Hues that are easy to tell apart and from red, which means an error.
const hues = [228, 168, 38, 276, 196, 88, 318, 54, 142, 250];
const assigned = new Map();

/** The hue of a service. Each service has its own hue until all hues are used. */
function hue(service) {
  if (!assigned.has(service)) assigned.set(service, hues[assigned.size % hues.length]);
  return assigned.get(service);
}

/** Assigns hues in the order of `services`, so that all pages use the same ones. */
export function assignTones(services) {
  for (const service of services) hue(service);
}

export function tone(service) {
  const value = hue(service);
  return `light-dark(hsl(${value} 48% 46%), hsl(${value} 56% 68%))`;
}

/** The same color for a canvas, which does not support light-dark(). */
export function flatTone(service) {
  const value = hue(service);
  return isDark() ? `hsl(${value} 56% 68%)` : `hsl(${value} 48% 46%)`;
}

/** The color of the line at an index, for groups that are no services. */
export function palette(index) {
  const value = hues[index % hues.length];
  const turn = Math.floor(index / hues.length) % 3;
  return `light-dark(hsl(${value} ${[58, 40, 70][turn]}% ${[44, 62, 32][turn]}%), hsl(${value} ${[60, 40, 75][turn]}% ${[66, 50, 80][turn]}%))`;
}
