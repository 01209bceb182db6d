// @ts-check
// Remote policy of an app: what its documents say, who gets them, and which devices have which.

import { get } from "../lib/api.js";
import { changeRollout, withdrawPolicy } from "../lib/policy-api.js";
import { appOf, listOf, policyWords, promoteCommand, rolloutWords, shareOf, shareText } from "../lib/policy-text.js";
import { every } from "../lib/updates.js";
import { emptyPage, menuButton, menuList, tableFrame } from "../parts/components.js";
import { copyButton, h, replace, toast, update } from "../parts/dom.js";
import { filled } from "../parts/loading.js";
import { exportButton } from "../parts/export.js";
import { formDialog } from "../parts/form-dialog.js";
import { ago, bytes, count, moment, plural } from "../shared/format.js";

const pollMilliseconds = 5_000;
const states = { active: ["Active", "good"], expired: ["Expired", "warn"], withdrawn: ["Withdrawn", ""] };
const targets = [
  ["appVersions", "App versions", "Such as 2.*, one on each line. Empty for all."], ["systems", "Systems", "Such as iOS 18*"],
  ["models", "Models", "Such as iPhone17,*"], ["installations", "Installations", "Installation ids"],
];

export function policyPage(root, context) {
  const abort = new AbortController();
  const address = new URLSearchParams(location.search);
  const body = h("div", { class: "policy-page" });
  const picker = h("div", { class: "policy-apps" });
  let app = address.get("app") ?? "";
  let installation = address.get("installation") ?? "";
  /** The version that is described; the newest active one unless another is chosen. */
  let chosen;
  let shown;

  document.title = "Policy · Astrolabe";
  replace(root, h("header", { class: "page-head" }, h("h1", {}, "Policy"), picker, h("div", { class: "spacer" }),
    exportButton("policy", () => [{ rows: shown?.policies ?? [] }])), body);

  async function load() {
    await filled(body, "Loading the policies", async () => {
      const { apps } = await get("policies", {}, abort.signal, { fresh: pollMilliseconds - 1_000 });
      app = appOf(apps, app);
      drawPicker(apps);
      if (!apps.length) { update(body, nothing()); return; }
      shown = await get(`policies/${encodeURIComponent(app)}`, {}, abort.signal);
      draw();
    }, { isRefresh: true, retry: load });
  }

  function drawPicker(apps) {
    update(picker, apps.length < 2 ? null : h("label", {}, h("span", { class: "visually-hidden" }, "App"),
      h("select", { onchange: (event) => context.navigate(`/policy?${new URLSearchParams({ app: event.currentTarget.value })}`, { replaceEntry: true }) },
        apps.map((entry) => h("option", { value: entry.app, selected: entry.app === app }, entry.app)))));
  }

  function draw() {
    const { policies, use } = shown;
    const newest = policies.find((policy) => policy.state === "active") ?? policies[0];
    const described = policies.find((policy) => policy.version === chosen) ?? newest;
    update(body,
      h("p", { class: "muted policy-note", "data-key": "note" }, h("b", {}, app), `: ${plural(use.agents, "device")} asked for a policy`,
        use.polledUs ? h("span", { title: moment(use.polledUs) }, `, the last one ${ago(use.polledUs)}`) : null, "."),
      described ? documentPanel(described) : h("section", { class: "panel", "data-key": "none" }, h("p", {}, "No policy of this app was pushed."), pushRecipe()),
      policies.length > 1 ? versions(policies, described) : null,
      use.agents ? owners(use) : null,
      use.refusals.length ? refusals(use.refusals) : null,
      policies.length ? request() : null);
  }

  function documentPanel(policy) {
    const [title, tone] = states[policy.state];
    const words = policyWords(policy.document);
    return h("section", { class: "panel policy-document", "data-key": "document", "aria-label": `Version ${policy.version}` },
      h("header", { class: "panel-head" }, h("h2", {}, `Version ${policy.version}`), h("span", { class: `badge ${tone}` }, title), h("div", { class: "spacer" }),
        policy.state === "withdrawn" ? null : [
          h("button", { type: "button", onclick: () => change(policy) }, "Change the roll-out"),
          menuButton("More", "more", (close) => menuList([[`Withdraw version ${policy.version}`, () => withdraw(policy)]], close))]),
      h("p", { class: "policy-rollout" }, h("b", {}, shareText(policy.percentage)), h("span", { class: "durbar" }, h("i", { style: { width: `${policy.percentage}%` } })), h("span", {}, `For ${rolloutWords(policy)}.`)),
      words.length ? h("dl", { class: "policy-words" }, words.map(([term, text]) => h("div", {}, h("dt", {}, term), h("dd", {}, text))))
        : h("p", {}, "It changes nothing: all is as the app has configured it."),
      h("p", { class: "faint small" }, `Pushed ${moment(policy.pushedUs)}, ${policy.state === "expired" ? "expired" : "expires"} ${moment(policy.expiresUs)}, ${bytes(policy.bytes)}. Its hash is `, h("code", {}, policy.hash), "."),
      h("details", { class: "as-sent", "data-key": "source" }, h("summary", {}, "The document"), h("pre", { tabindex: "0" }, JSON.stringify(policy.document, null, 2))));
  }

  function change(policy) {
    formDialog({
      title: `Roll out version ${policy.version}`, action: "Roll out",
      fields: [{ name: "percentage", label: "Share of the installations, in percent", value: String(policy.percentage), inputmode: "decimal", required: true,
        hint: "The same installations stay when the share grows. A device keeps what it has when the share shrinks." },
      ...targets.map(([name, label, hint]) => ({ name, label, hint, lines: 2, value: policy.target[name].join("\n") }))],
      submit: async (values) => {
        const percentage = shareOf(values.percentage);
        await changeRollout(app, policy.version, {
          percentage,
          target: { appVersions: listOf(values.appVersions), systems: listOf(values.systems), models: listOf(values.models), installations: listOf(values.installations) },
        });
        toast(`Version ${policy.version} is rolled out to ${shareText(percentage)}`);
        await load();
      },
    });
  }

  async function withdraw(policy) {
    try {
      await withdrawPolicy(app, policy.version);
      toast(`Version ${policy.version} is withdrawn. Devices that have it keep it until a newer version.`);
      await load();
    } catch (error) {
      toast(error.message);
    }
  }

  function versions(policies, described) {
    return h("section", { class: "panel", "data-key": "versions" }, h("header", { class: "panel-head" }, h("h2", {}, "Versions")),
      tableFrame("Versions", h("table", { class: "results policy-versions" },
        h("thead", {}, h("tr", {}, ["Version", "State", "For", "Pushed", "Expires"].map((title) => h("th", { scope: "col" }, title)))),
        h("tbody", {}, policies.map((policy) => h("tr", { "data-key": String(policy.version) },
          h("th", { scope: "row" }, h("button", { type: "button", "aria-pressed": String(policy === described), class: "chip", onclick: () => { chosen = policy.version; draw(); } }, `Version ${policy.version}`)),
          h("td", {}, h("span", { class: `badge ${states[policy.state][1]}` }, states[policy.state][0])),
          h("td", { class: "wrap" }, rolloutWords(policy)), h("td", {}, moment(policy.pushedUs)), h("td", {}, moment(policy.expiresUs))))))));
  }

  function owners(use) {
    return h("section", { class: "panel", "data-key": "owners" }, h("header", { class: "panel-head" }, h("h2", {}, "Who has which")),
      h("ol", { class: "group-bars" }, use.versions.map((version) => h("li", { "data-key": version.hash || "none" },
        h("span", { class: "clip", title: version.hash }, version.version ? `Version ${version.version}` : version.hash ? `Unknown, ${version.hash.slice(0, 8)}` : "No policy"),
        h("span", { class: "bar" }, h("i", { class: version.hash ? "some" : "none", style: { width: `${(version.agents / use.agents) * 100}%` } })),
        h("b", {}, count(version.agents))))));
  }

  function refusals(list) {
    return h("section", { class: "panel", "data-key": "refusals" }, h("header", { class: "panel-head" }, h("h2", {}, "Refused by devices")),
      tableFrame("Refused by devices", h("table", { class: "results" },
        h("thead", {}, h("tr", {}, ["Version", "Reason", "Devices"].map((title) => h("th", { scope: "col" }, title)))),
        h("tbody", {}, list.map((refusal) => h("tr", { "data-key": `${refusal.version} ${refusal.message}` },
          h("td", {}, refusal.version ?? "–"), h("td", { class: "wrap bad" }, refusal.message || "no reason"), h("td", { class: "num" }, count(refusal.agents))))))));
  }

  function request() {
    const command = promoteCommand({ app, installation, origin: location.origin });
    return h("section", { class: "panel", "data-key": "request" }, h("header", { class: "panel-head" }, h("h2", {}, "Ask one installation for its flight recorder")),
      h("label", { class: "field" }, h("span", {}, "Installation id, from the page of the device"),
        h("input", { type: "text", value: installation, spellcheck: "false", autocomplete: "off", oninput: (event) => { installation = event.currentTarget.value.trim(); draw(); } })),
      h("p", { class: "faint small" }, "A request must be signed. Run this where the private key is. The device answers within its poll time."),
      recipe([["command", command]]));
  }

  function pushRecipe() {
    return recipe([["key", "astrolabe policy keygen policy.key"], ["command", `astrolabe policy push policy.json --key policy.key --percentage 10 --console ${location.origin}`]]);
  }

  function recipe(lines) {
    return h("div", { class: "recipe" }, lines.map(([what, text]) => h("div", {}, h("code", { tabindex: "0" }, text), copyButton(text, what))));
  }

  function nothing() {
    return emptyPage("No policy yet", "A policy changes what the devices of an app collect and send, without a release. No device has asked for one, and none was pushed.", pushRecipe());
  }

  const stopPolling = every(pollMilliseconds, load);
  load();
  return { destroy() { abort.abort(); stopPolling(); } };
}
