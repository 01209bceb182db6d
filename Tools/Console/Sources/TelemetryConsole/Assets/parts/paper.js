// @ts-check
// Paper: a printed page is light, and the stacks of a crash are unfolded. A list draws all its rows by itself.

/** @type {string | undefined} */
let theme;
/** @type {Element[]} */
let unfolded = [];

/** Changes the page while it is printed. */
export function followPaper() {
  addEventListener("beforeprint", () => {
    theme = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = "light";
    dispatchEvent(new Event("themechange"));
    unfolded = [...document.querySelectorAll(".problem-page details:not([open])")];
    for (const details of unfolded) details.setAttribute("open", "");
  });
  addEventListener("afterprint", () => {
    if (theme === undefined) delete document.documentElement.dataset.theme; else document.documentElement.dataset.theme = theme;
    dispatchEvent(new Event("themechange"));
    for (const details of unfolded) details.removeAttribute("open");
    unfolded = [];
  });
}
