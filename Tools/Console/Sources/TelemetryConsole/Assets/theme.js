// Light, dark, or whatever the system has.

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

/** A colour token as it stands now, for a canvas. */
export function token(name) {
  const probe = document.createElement("i");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const color = getComputedStyle(probe).color;
  probe.remove();
  return color;
}

// Hues far enough from each other and from red, which means an error.
const hues = [228, 168, 38, 276, 196, 88, 318, 54, 142, 250];
const assigned = new Map();

/** The hue of a service: the same within a page, different from its neighbours' as long as hues last. */
function hue(service) {
  if (!assigned.has(service)) assigned.set(service, hues[assigned.size % hues.length]);
  return assigned.get(service);
}

/** Gives hues in the order of `services`, so that every page agrees. */
export function assignTones(services) {
  for (const service of services) hue(service);
}

export function tone(service) {
  const value = hue(service);
  return `light-dark(hsl(${value} 48% 46%), hsl(${value} 56% 68%))`;
}

/** The same colour for a canvas, which does not know light-dark(). */
export function flatTone(service) {
  const value = hue(service);
  return isDark() ? `hsl(${value} 56% 68%)` : `hsl(${value} 48% 46%)`;
}
