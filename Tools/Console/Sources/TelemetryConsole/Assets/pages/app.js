// @ts-check
// The frame around the pages: routing, the sidebar, and the global keyboard shortcuts.

import { dropDraft, followAccess, keepDraft } from "../lib/access.js";
import { coalesce, get } from "../lib/api.js";
import { follow } from "../lib/stream.js";
import { arePaused, every, hasWaiting, onLive, pauseUpdates, reasonToWait, tellChange, watchUpdates } from "../lib/updates.js";
import { alertsPage } from "./alerts.js";
import { boardPage } from "./board.js";
import { boardsPage } from "./boards.js";
import { comparePage } from "./compare.js";
import { compareGroupsPage, isGroupComparison } from "./compare-groups.js";
import { devicePage } from "./device.js";
import { devicesPage } from "./devices.js";
import { announce, h, icon, replace, update } from "../parts/dom.js";
import { explorePage } from "./explore.js";
import { focusHeading } from "../parts/focus.js";
import { bytes, compact, duration, moment } from "../shared/format.js";
import { healthPage } from "./health.js";
import { journeysPage } from "./journeys.js";
import { setGlobalKeys, setPageKeys, showKeys } from "../parts/keys.js";
import { followPaper } from "../parts/paper.js";
import { logsPage } from "./logs.js";
import { mapPage } from "./map.js";
import { metricPage } from "./metric.js";
import { metricsPage } from "./metrics.js";
import { issuePage } from "./issue.js";
import { filled } from "../parts/loading.js";
import { followNavigation, goBack, leaveWithoutQuestion, navigate, noteShown, pathLeft } from "../parts/navigation.js";
import { opened } from "../parts/opened.js";
import { policyPage } from "./policy.js";
import { sessionPage } from "./session.js";
import { sessionsPage } from "./sessions.js";
import { access, closeSignIn, openSignIn, signInPage, signOut, target } from "./sign-in.js";
import { applyTheme, toggleTheme, tone } from "../parts/theme.js";
import { tracePage } from "./trace.js";
import { tracesPage } from "./traces.js";
import { readZone, zonePicker } from "../parts/zone-picker.js";

applyTheme();
followPaper();

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const sidebar = /** @type {HTMLElement} */ (document.getElementById("sidebar"));

const context = { navigate, goBack, onLive, otherSections, offerZone: (name) => zones.offer(name) };
let current;
let status;
let services = [];

/** The lists that have records, the most useful first. */
function listsWithRecords() {
  const sum = (name) => services.reduce((total, service) => total + service[name], 0);
  const counts = { sessions: status?.sessions, traces: status?.traces, logs: sum("logs"), metrics: sum("metricPoints") };
  return Object.keys(counts).filter((section) => counts[section] > 0);
}

/** The list that `/` shows. */
const home = () => listsWithRecords()[0] ?? "sessions";

/** Links to the lists that have records, for the empty list of sessions. */
function otherSections() {
  const links = sections.filter(([section]) => section !== "sessions" && listsWithRecords().includes(section))
    .map(([section, title]) => h("a", { class: "link", href: `/${section}` }, title));
  return links.length ? h("p", {}, "Records without a session are in ", links.flatMap((link, index) => (index ? [", ", link] : [link])), ".") : null;
}

function pageFor(path) {
  if (path === "/") return pageFor(`/${home()}`);
  if (path === "/sign-in") return { section: "sign-in", open: (root) => signInPage(root) };
  const parts = path.split("/").filter(Boolean).map(decodeURIComponent);
  if (parts[0] === "sessions" && parts[1]) return { section: "sessions", open: (root) => sessionPage(root, context, parts[1]) };
  if (parts[0] === "traces" && parts[1]) return { section: "traces", open: (root) => tracePage(root, context, parts[1]) };
  if (parts[0] === "traces") return { section: "traces", open: (root) => tracesPage(root, context) };
  if (parts[0] === "devices" && parts[1]) return { section: "devices", open: (root) => devicePage(root, context, parts[1]) };
  if (parts[0] === "devices") return { section: "devices", open: (root) => devicesPage(root, context) };
  if (parts[0] === "boards" && parts[1]) return { section: "boards", open: (root) => boardPage(root, context, parts[1]) };
  if (parts[0] === "boards") return { section: "boards", open: (root) => boardsPage(root, context) };
  if (parts[0] === "alerts") return { section: "alerts", open: (root) => alertsPage(root) };
  if (parts[0] === "policy") return { section: "policy", open: (root) => policyPage(root, context) };
  if (parts[0] === "explore") return { section: "explore", open: (root) => explorePage(root, context) };
  if (parts[0] === "compare") return { section: "traces", open: (root) => compareSection(root) };
  if (parts[0] === "journeys") return { section: "journeys", open: (root) => journeysPage(root, context) };
  if (parts[0] === "map") return { section: "map", open: (root) => mapPage(root, context) };
  if (parts[0] === "health") return { section: "health", open: (root) => healthSection(root, parts) };
  if (parts[0] === "logs") return { section: "logs", open: (root) => logsPage(root, context) };
  if (parts[0] === "metrics" && parts[1]) return { section: "metrics", open: (root) => metricPage(root, context, parts[1]) };
  if (parts[0] === "metrics") return { section: "metrics", open: (root) => metricsPage(root, context) };
  return { section: "sessions", open: (root) => sessionsPage(root, context) };
}

function compareSection(root) {
  const kind = new URLSearchParams(location.search).get("of");
  return isGroupComparison(kind) ? compareGroupsPage(root, kind) : comparePage(root, context);
}

function healthSection(root, [, part, id]) {
  if (part === "groups" && id) return issuePage(root, context, { fingerprint: id });
  if (part === "problems" && id) return issuePage(root, context, { seq: id });
  return healthPage(root, context, ["hangs", "screens", "releases"].includes(part) ? part : "crashes");
}

let section;

/** @returns {NodeListOf<HTMLElement>} */
const sectionLinks = () => sidebar.querySelectorAll(".nav-link[data-section]");

function show() {
  const page = pageFor(location.pathname);
  section = page.section;
  document.body.classList.toggle("signed-out", section === "sign-in");
  const isFirst = !current;
  const left = pathLeft();
  opened.clear();
  current?.destroy?.();
  noteShown();
  readZone();
  answerAge = 0;
  if (live.dataset.state === "open") drawLive();
  openMenu(false);
  const root = h("div", { class: "page" });
  replace(main, root);
  for (const link of sectionLinks()) {
    if (link.dataset.section === page.section) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  setPageKeys([]);
  current = page.open(root);
  setPageKeys(current.keys ?? []);
  drawServices();
  zones.draw();
  if (!isFirst && !root.contains(document.activeElement)) focusHeading(root, left);
}

followNavigation(show);
followAccess();
addEventListener("keywanted", () => {
  if (location.pathname === "/sign-in") return;
  // The page goes on behind the sign-in. Its draft is kept for a reload.
  keepDraft(current?.draft?.());
  openSignIn();
});
addEventListener("signedin", () => {
  if (location.pathname === "/sign-in") { location.replace(target()); return; }
  if (current) dropDraft();
  closeSignIn();
  refreshAccess();
});
let hasSignedOut = false;
addEventListener("signedout", () => {
  if (location.pathname === "/sign-in") return;
  keepDraft(current?.draft?.());
  // A dialog stays, hidden, because what is typed in it has no other place.
  if (document.querySelector("dialog.form-dialog[open]")) { openSignIn(); return; }
  hasSignedOut = true;
  leaveWithoutQuestion();
  location.replace(`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`);
});
// The browser may keep this page for its back button, with what it shows.
addEventListener("pageshow", ({ persisted }) => { if (persisted && hasSignedOut) location.reload(); });
addEventListener("filterchange", () => drawServices());

// Sidebar

const sections = [["explore", "Explore"], ["boards", "Boards"], ["journeys", "Journeys"], ["map", "Map"], ["alerts", "Alerts"],
  ["sessions", "Sessions"], ["health", "Health"], ["traces", "Traces"], ["logs", "Logs"], ["devices", "Devices"], ["policy", "Policy"], ["metrics", "Metrics"]];
/** Shows the links where the window is too narrow for the sidebar. */
const menu = h("button", { class: "nav-menu", type: "button", "aria-expanded": "false", "aria-controls": "sidebar", onclick: () => openMenu(menu.getAttribute("aria-expanded") === "false") }, icon("menu"), "Menu");

let forgetMenu = () => {};

function openMenu(isOpen) {
  forgetMenu();
  if (isOpen) forgetMenu = opened.add({ close: () => { openMenu(false); menu.focus(); }, element: sidebar });
  menu.setAttribute("aria-expanded", String(isOpen));
  sidebar.classList.toggle("open", isOpen);
}

const siteList = h("div", { class: "sites" });
const serviceList = h("div", { class: "services" });
const storage = h("div", { class: "storage" });
const synthetic = h("p", { class: "synthetic", hidden: true }, "Synthetic data");
const lockOuts = h("p", { class: "lock-outs", role: "status", hidden: true });
const live = h("div", { class: "live", "data-state": "wait" }, "Connecting");
const pause = h("button", { class: "quiet", type: "button", "aria-pressed": "false", title: "Pause updates", "aria-label": "Pause updates", onclick: togglePause }, icon("pause"));
const zones = zonePicker(() => navigate(location.pathname + location.search, { replaceEntry: true }));
const leave = h("button", { class: "quiet", type: "button", hidden: true, onclick: signOut }, icon("leave"));

replace(
  sidebar,
  h("a", { class: "brand", href: "/sessions", "aria-label": "Astrolabe console" },
    h("img", { src: "/assets/shared/icon.svg", alt: "" }), h("span", {}, "Astrolabe")),
  menu,
  sections.map(([name, title]) => h("a", { class: "nav-link", href: `/${name}`, "data-section": name },
    icon(name), h("span", {}, title), h("span", { class: "count" }))),
  siteList, serviceList,
  h("div", { class: "side-foot" },
    synthetic, lockOuts, storage, zones.element, live,
    h("div", { class: "side-tools" },
      pause,
      h("button", { class: "quiet", type: "button", title: "Toggle appearance", "aria-label": "Toggle appearance", onclick: toggleTheme }, icon("sun")),
      h("button", { class: "quiet", type: "button", title: "Keyboard shortcuts", "aria-label": "Keyboard shortcuts", onclick: showKeys }, icon("keyboard")), leave)),
);

/** Links to the other sites at this address. They leave the console. */
function drawSites(sites) {
  if (siteList.childElementCount === sites.length) return;
  replace(siteList, sites.map(({ title, path }) =>
    h("a", { class: "nav-link", href: path, "data-site": "true" }, icon("phone"), h("span", {}, title))));
}

/** The page that shows a service's records: the current one, if it can show them. */
function pageOf(service) {
  if (section === "health" && !/^\/health\/(groups|problems)\//.test(location.pathname)) return location.pathname;
  if (!service.spans && service.logs) return "/logs";
  if (section === "traces" || section === "logs") return `/${section}`;
  return status?.sessions ? "/sessions" : "/traces";
}

/** The services, each a filter for the current page. */
function drawServices() {
  const chosen = new URLSearchParams(location.search).get("service");
  update(serviceList, services.length ? h("div", { class: "side-title" }, "Services") : null, services.map((service) =>
    h("button", { class: "service-link", type: "button", "data-key": service.name, "aria-pressed": String(service.name === chosen),
      title: `${service.spans} spans, ${service.logs} events`,
      onclick: () => {
        const query = service.name === chosen ? "" : `?service=${encodeURIComponent(service.name)}`;
        navigate(`${pageOf(service)}${query}`);
      } },
    h("i", { class: "dot", style: { "--tone": tone(service.name) } }), h("span", { class: "clip" }, service.name),
    h("span", { class: "count" }, compact(service.spans + service.logs)))));
}

const refreshFrame = coalesce(async () => {
  const [fresh, list] = await Promise.all([get("status", {}, undefined, {}), get("services", {}, undefined, {})]).catch(() => []);
  if (!fresh) return;
  status = fresh;
  services = list.services;
  if (location.pathname === "/" && current && home() !== section) show(); else drawServices();
  drawSites(status.sites);
  const counts = { alerts: firing, sessions: status.sessions, traces: status.traces, devices: status.devices };
  for (const link of sectionLinks()) {
    const count = counts[link.dataset.section];
    const label = /** @type {HTMLElement} */ (link.querySelector(".count"));
    label.textContent = count ? compact(count) : "";
  }
  const madeUp = services.filter((service) => service.synthetic).map((service) => service.name);
  synthetic.hidden = !madeUp.length;
  synthetic.title = `Records of ${madeUp.join(", ")} were made up, not measured. Their resources have astrolabe.synthetic.`;
  const share = Math.min(status.bytes / status.bytesLimit, 1);
  update(storage, h("span", {}, `${bytes(status.bytes)} of ${bytes(status.bytesLimit)} used`),
    h("div", { class: "gauge" }, h("i", { style: { width: `${Math.max(share * 100, 1)}%` } })),
    clockNotice(status.clockDoubtSeconds));
});

/** A line that says why no record is removed by age, or null. */
function clockNotice(seconds) {
  if (seconds === undefined) return null;
  const time = duration(Math.abs(seconds) * 1e9);
  const reason = seconds < 0
    ? `this console's clock is ${time} behind its last run`
    : `this console was off for ${time}, or its clock is ahead`;
  return h("p", {
    class: "clock-doubt",
    title: "Retention goes on when the clock has gone steadily and devices agree with it, or after a day without records.",
  }, `Nothing is removed by age yet: ${reason}.`);
}

let firing = 0;

/** Shows the number of firing alerts at the link to them. An alert may fire without a new record. */
const refreshAlerts = coalesce(async () => {
  firing = (await get("alerts", {}, undefined, { fresh: 4_000 }).catch(() => ({}))).firing ?? 0;
  const badge = /** @type {HTMLElement} */ (sidebar.querySelector("[data-section=alerts] .count"));
  badge.textContent = firing ? String(firing) : "";
  badge.classList.toggle("firing", firing > 0);
  badge.title = firing === 1 ? "1 alert fires" : `${firing} alerts fire`;
});

every(5_000, refreshAlerts);
refreshAlerts();

/** The age in seconds of the oldest answer on the page. */
let answerAge = 0;

function drawLive() {
  const { state = "wait" } = live.dataset;
  const reason = arePaused() ? undefined : reasonToWait();
  const words = arePaused() ? `Paused${hasWaiting() ? ", new records wait" : ""}`
    : reason ? `Live, updates wait ${reason}`
      : answerAge ? `Live, some figures ${answerAge} s old` : "Live";
  const text = state === "open" ? words : `${arePaused() ? "Paused, " : ""}${state === "wait" ? "Connecting" : "Connection lost"}`;
  if (live.textContent !== text) live.textContent = text;
}

/** Stops all updates of this window, or lets them go on. */
function togglePause() {
  pauseUpdates(!arePaused());
  const title = arePaused() ? "Resume updates" : "Pause updates";
  pause.setAttribute("aria-pressed", String(arePaused()));
  pause.setAttribute("aria-label", title);
  pause.title = title;
  replace(pause, icon(arePaused() ? "play" : "pause"));
  live.toggleAttribute("data-paused", arePaused());
  announce(arePaused() ? "Updates are paused" : "Updates go on");
  if (!arePaused()) refreshFrame();
  drawLive();
}

addEventListener("answerage", (event) => { answerAge = Math.max(answerAge, event.detail); drawLive(); });
watchUpdates(drawLive);

onLive(() => {
  live.removeAttribute("data-pulse");
  requestAnimationFrame(() => live.setAttribute("data-pulse", ""));
});
// The counts follow a second later, when all records of a request have arrived.
onLive(async () => {
  await new Promise((resolve) => { setTimeout(resolve, 1_000); });
  if (!arePaused()) await refreshFrame();
});
follow({
  onChange: tellChange,
  onState: (state) => {
    live.dataset.state = state;
    drawLive();
    if (state === "open" && !arePaused()) refreshFrame();
    // A refusal ends the connection, and this request asks for a key.
    if (state === "lost") refreshAlerts();
  },
});

setGlobalKeys([
  { keys: ["/"], label: "Search", run: () => /** @type {HTMLInputElement | null} */ (document.querySelector(".search input"))?.select() },
  { keys: ["ge"], label: "Explore", run: () => navigate("/explore") },
  { keys: ["gb"], label: "Boards", run: () => navigate("/boards") },
  { keys: ["ga"], label: "Alerts", run: () => navigate("/alerts") },
  { keys: ["gj"], label: "Journeys", run: () => navigate("/journeys") },
  { keys: ["gp"], label: "Map", run: () => navigate("/map") },
  { keys: ["gs"], label: "Sessions", run: () => navigate("/sessions") },
  { keys: ["gh"], label: "Health", run: () => navigate("/health") },
  { keys: ["gt"], label: "Traces", run: () => navigate("/traces") },
  { keys: ["gl"], label: "Logs", run: () => navigate("/logs") },
  { keys: ["gd"], label: "Devices", run: () => navigate("/devices") },
  { keys: ["go"], label: "Policy", run: () => navigate("/policy") },
  { keys: ["gm"], label: "Metrics", run: () => navigate("/metrics") },
  { keys: ["t"], label: "Toggle appearance", run: toggleTheme },
  { keys: ["u"], label: "Pause or resume updates", run: togglePause },
  { keys: ["?"], label: "Keyboard shortcuts", run: showKeys },
]);

/** Shows who has signed in, and from where unknown keys are refused. */
async function refreshAccess() {
  const state = await access().catch(() => undefined);
  if (!state) return;
  const { signedIn, key, lockOuts: refused = [] } = state;
  leave.hidden = !signedIn;
  const end = key?.expires ? `, which expires ${moment(1000 * Date.parse(key.expires))}` : "";
  leave.title = signedIn ? `Signed in with the key "${key.name}"${end}. Sign out` : "";
  leave.setAttribute("aria-label", "Sign out");
  lockOuts.hidden = !refused.length;
  lockOuts.textContent = refused.length ? `Unknown keys refused: ${[...new Set(refused.map(({ network }) => network))].join(", ")}` : "";
  lockOuts.title = refused.map((lockOut) =>
    `${lockOut.network}: ${lockOut.refused} requests ${lockOut.keys ? `with keys that begin with ${lockOut.keys}` : "with other texts"} were refused; wait ${lockOut.secondsLeft} s`).join("\n");
}

every(15_000, refreshAccess);
refreshAccess();

// The page to sign in needs no data. Without a key there is none, and the others wait for it.
if (location.pathname === "/sign-in") {
  show();
} else {
  const waiting = h("div", { class: "page" });
  replace(main, waiting);
  filled(waiting, "Loading the console", refreshFrame).finally(show);
}
