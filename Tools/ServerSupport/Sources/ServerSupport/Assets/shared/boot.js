// @ts-check
// Loads a page again until all of its files are there. A browser that opens many windows at once drops some of their
// requests. The server puts this script into the document, so a page that misses another file is not empty for ever.

(() => {
  const key = "astrolabe.boot";
  let hasFailed = false;

  addEventListener("error", onError, true);

  /** @param {Event} event */
  function onError({ target }) {
    const address = target instanceof HTMLScriptElement ? target.src : target instanceof HTMLLinkElement && target.rel === "stylesheet" ? target.href : "";
    // What an extension of the browser adds is none of these files.
    if (hasFailed || !address.startsWith(new URL("/assets/", location.href).href)) return;
    hasFailed = true;
    let attempt = 1;
    try {
      attempt += Number(sessionStorage.getItem(key));
      sessionStorage.setItem(key, String(attempt));
    } catch { /* each attempt counts as the first */ }
    // Later each time, and not all windows at the same moment.
    setTimeout(() => location.reload(), 500 + Math.random() * 2_000 * Math.min(attempt, 15));
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", say); else say();
  }

  function say() {
    const note = document.createElement("p");
    note.className = "boot";
    note.setAttribute("role", "alert");
    note.textContent = "A file of this page did not load. Trying again.";
    document.body.prepend(note);
  }

  addEventListener("load", () => {
    removeEventListener("error", onError, true);
    try { if (!hasFailed) sessionStorage.removeItem(key); } catch { /* nothing is kept */ }
  });
})();
