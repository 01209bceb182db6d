// @ts-check
// Loads a page again if one of its scripts did not load. A browser that opens sixty windows at once drops some of their
// thousands of requests, and a page without one of its modules would stay empty. It is no module, so that it runs before them.

(() => {
  const key = "astrolabe.boot", mostAttempts = 6;
  let hasFailed = false;

  addEventListener("error", ({ target }) => {
    if (hasFailed || !(target instanceof HTMLScriptElement)) return;
    hasFailed = true;
    const attempt = Number(sessionStorage.getItem(key)) + 1;
    const isLast = attempt >= mostAttempts;
    const note = document.createElement("p");
    note.className = "boot";
    note.setAttribute("role", "alert");
    note.textContent = `A script of this page did not load. ${isLast ? "Load the page again." : "Trying again."}`;
    (document.querySelector("main") ?? document.body).append(note);
    if (isLast) { sessionStorage.removeItem(key); return; }
    sessionStorage.setItem(key, String(attempt));
    // Not all windows at the same moment.
    setTimeout(() => location.reload(), 500 + Math.random() * 2_000 * attempt);
  }, true);

  addEventListener("load", () => { if (!hasFailed) sessionStorage.removeItem(key); });
})();
