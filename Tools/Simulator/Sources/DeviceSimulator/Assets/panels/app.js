// @ts-check
// The page of a simulated device: the phone with the app's screen, the device controls, and the SDK status.

import { DevicePanel } from "./device.js";
import { announce, h, icon, replace, setText, toast } from "../lib/dom.js";
import { EventQueue, follow, getScreen, perform, recording, resourceURL } from "../lib/link.js";
import { OutputPanel } from "./output.js";
import { Phone } from "../phone/phone.js";
import { RecordingPanel } from "./recording.js";
import { RecordList } from "./records.js";
import { SDKPanel } from "./sdk.js";
import { applyTheme, toggleTheme } from "../lib/theme.js";
import { VoiceOverPanel } from "./voiceover.js";

applyTheme();

async function tryToPerform(action) {
  try {
    await perform(action);
  } catch (error) {
    toast(error.message);
  }
}

const queue = new EventQueue({ onFailure: (error) => toast(error.message) });
const device = { queue, resourceURL, send: (node, action, value) => queue.send(node, action, value) };
/** @type {(id: string) => HTMLElement} */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const phone = new Phone(part("phone"), { device, perform: tryToPerform, onHang: (isHanging) => panel.noteHang(isHanging) });
const panel = new DevicePanel(part("device"), tryToPerform);
const scenario = new RecordingPanel(part("device"), recording);
const output = new OutputPanel(part("device"));
const voiceOver = new VoiceOverPanel(part("device"), phone);
phone.onScreen = () => voiceOver.screenChanged();
const sdk = new SDKPanel(part("sdk"), tryToPerform);
const records = new RecordList(sdk.records);

const name = h("span", { class: "device-name" });
const link = h("span", { class: "live", "data-state": "wait" }, "Connecting");
const consoleLink = h("a", { class: "text-link" }, "Console", icon("external"));
replace(part("top"),
  h("img", { src: new URL("../shared/icon.svg", import.meta.url), alt: "" }), h("h1", {}, "Astrolabe"), name, h("span", { class: "spring" }), link, consoleLink,
  h("button", { class: "quiet", type: "button", title: "Switch this page between light and dark", "aria-label": "Switch this page between light and dark", onclick: toggleTheme }, icon("sun")));

let state;
let status;
let knownProcess;

function stateChanged(now) {
  const hasEnded = state && state.app.phase !== "ended" && now.app.phase === "ended";
  if (state && (state.app.pid !== now.app.pid || hasEnded)) {
    queue.clear();
    sdk.clearFrames();
  }
  if (hasEnded) {
    announce(now.app.end?.text ?? "The app has ended");
    // The report has the time of the crash, which was just before.
    if (now.app.end?.kind === "signal") records.noteCrash((Date.now() - 10_000) * 1000);
  }
  // A new process starts its node ids at 1 again.
  const process = now.app.pid ?? knownProcess;
  const isAnother = knownProcess !== undefined && knownProcess !== process;
  if (isAnother) {
    phone.clear();
    output.show([]);
  }
  knownProcess = process;
  state = now;
  setText(name, `${now.device.name}, ${now.device.system}`);
  document.title = `${now.device.name} · Astrolabe`;
  consoleLink.hidden = !now.links.console;
  linkConsole();
  phone.update(now);
  panel.update(now);
  scenario.update(now);
  sdk.recorder.follow(now);
  records.follow(now.links.console, status?.session);
  if (isAnother && now.app.phase === "active") fetchScreen();
}

/** Links to the session of the phone, or to all sessions if it has none. */
function linkConsole() {
  if (!state?.links.console) return;
  const base = new URL(state.links.console, location.href);
  consoleLink.href = (status?.session ? new URL(`sessions/${encodeURIComponent(status.session)}`, base) : base).href;
}

function statusChanged(now) {
  status = now;
  linkConsole();
  sdk.update(now);
  phone.noteQueue(now ? Object.values(now.queue).reduce((sum, value) => sum + value, 0) : 0);
  phone.noteScreen(now?.screen);
  records.follow(state?.links.console, now?.session);
}

let isFetching = false;
let newest = 0;

/** Fetches the whole screen after a missed patch, again if it changed meanwhile. */
async function fetchScreen() {
  if (isFetching) return;
  isFetching = true;
  try {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const tree = await getScreen();
      if (tree.revision > phone.screen.revision) phone.show(tree);
      if (phone.screen.revision >= newest) break;
    }
  } catch {
    // There is no screen yet; a later message contains it.
  } finally {
    isFetching = false;
  }
}

function patchReceived(patch) {
  newest = patch.revision;
  if (!phone.apply(patch)) fetchScreen();
}

sdk.clearFrames();
follow({
  onLink(now) {
    link.dataset.state = now;
    setText(link, now === "open" ? "Live" : "Connection lost. Reconnecting…");
    document.body.classList.toggle("lost", now !== "open");
    if (now !== "open") queue.clear();
  },
  hello(hello) {
    stateChanged(hello.state);
    output.show(hello.output);
    if (hello.tree) phone.show(hello.tree);
    statusChanged(hello.status);
  },
  state: stateChanged,
  status: statusChanged,
  output: (lines) => output.add(lines),
  screen: (tree) => phone.show(tree),
  patch: patchReceived,
  outcome: ({ number }) => queue.settled(number),
  frames: (summary) => sdk.noteFrames(summary),
});
document.addEventListener("visibilitychange", () => records.setVisible(!document.hidden));
