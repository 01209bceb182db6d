// @ts-check
// The color scheme of this page (not of the phone): light, dark or the system's. The console shares the choice.

const key = "astrolabe.theme";

export function applyTheme() {
  let theme;
  try { theme = localStorage.getItem(key); } catch { /* no choice is kept */ }
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
}

export function toggleTheme() {
  const now = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const next = now === "dark" ? "light" : "dark";
  try { localStorage.setItem(key, next); } catch { /* the choice lasts for this page only */ }
  document.documentElement.dataset.theme = next;
}
