// @ts-check
// The details of the selected span, shown next to the waterfall.

import { copyButton, h, icon, replace } from "./dom.js";
import { opened } from "./opened.js";
import { attribute, decimalPercent, duration, moment, plural } from "../shared/format.js";
import { attributeTable } from "./components.js";
import { arrivalTag, arrivalText, flagsText, observedTag, scopeText, severityTag, timeFault, timeTag } from "./provenance.js";
import { tone } from "./theme.js";

export class SpanInspector {
  constructor({ onClose, onSpan }) {
    this.onClose = onClose;
    this.onSpan = onSpan;
    /** Arrow keys scroll it while it has the focus. */
    this.element = h("aside", { class: "inspector", "aria-label": "Selected span", tabindex: "0", "data-own-keys": "" });
    this.forget = () => {};
  }

  show() {
    if (!this.element.hidden) return;
    this.element.hidden = false;
    if (SpanInspector.startsHidden()) {
      this.forget = opened.add({ close: () => this.hide(), isOpen: () => this.element.isConnected });
      this.element.scrollIntoView({ block: "nearest" });
    }
  }

  /** On a narrow page the details take room from the waterfall: they are shown when a person asks for them. */
  static startsHidden() {
    return matchMedia("(max-width: 860px)").matches;
  }

  get hasFocus() {
    return this.element.contains(document.activeElement);
  }

  hide() {
    this.forget();
    this.element.hidden = true;
    this.onClose();
  }

  toggle() {
    if (this.element.hidden) this.show();
    else this.hide();
  }

  setSpan(span, trace) {
    const { details = {} } = span;
    const share = trace.durationNs ? span.durationNs / trace.durationNs : 1;
    const fact = (term, value) => h("div", {}, h("dt", {}, term), h("dd", {}, value));
    replace(
      this.element,
      h("header", {}, h("h2", {}, span.name || "(no name)"),
        h("button", { class: "quiet", type: "button", "aria-label": "Close details", onclick: () => this.hide() }, icon("close"))),
      h("p", { class: "by" }, h("i", { class: "dot", style: { "--tone": tone(span.service) } }), span.service,
        h("span", { class: "badge" }, span.kind), span.error ? h("span", { class: "badge bad" }, "Error") : null,
        span.critical ? h("span", { class: "badge warn" }, "Critical path") : null),
      h("dl", { class: "facts-grid" },
        fact("Duration", duration(span.durationNs)), fact("Share of trace", decimalPercent(share, 0)),
        fact("Start", duration(span.offsetNs)), fact("Descendants", String(span.descendants)),
        span.criticalParts ? fact("On the critical path", duration(span.criticalParts.reduce((sum, [, length]) => sum + length, 0))) : null),
      details.message ? h("p", { class: span.error ? "failure" : "" }, details.message) : null,
      timeFault(span) ? h("p", { class: "notice" }, timeFault(span)) : null,
      arrivalText(span) ? h("p", { class: "faint" }, `This span ${arrivalText(span)}, at ${moment(span.arrivedUs)}.`) : null,
      span.shiftNs ? h("p", { class: "faint" }, `Shown ${duration(Math.abs(span.shiftNs))} ${span.shiftNs > 0 ? "later" : "earlier"} to correct for clock skew.`) : null,
      span.shared ? h("p", { class: "faint" }, "Another span of this trace has the same id: the other side of the call.") : null,
      span.orphan ? h("p", { class: "faint" }, "The parent span has not arrived.") : null,
      this.section("Attributes", attributeTable(span.attributes, "spans")),
      this.events(span),
      details.links?.length ? this.section(plural(details.links.length, "link"), details.links.map((link) => h("div", {},
        h("a", { class: "link mono", href: `/traces/${link.traceId}?span=${link.spanId}` }, `${link.traceId.slice(0, 16)}…`), attributeTable(link.attributes, "traces")))) : null,
      this.scope(span.scopeFacts),
      this.section("Resource", attributeTable(span.originFacts?.attributes, "spans"), this.schema(span.originFacts)),
      this.section("IDs",
        this.line("span", span.spanId), span.parentId ? this.line("parent", span.parentId, () => this.onSpan(span.parentId)) : null,
        this.line("trace", trace.traceId), details.state ? this.line("state", details.state) : null,
        span.flags ? this.line("flags", flagsText(span.flags)) : null),
    );
    this.element.scrollTop = 0;
  }

  section(title, ...content) {
    return h("section", {}, h("h3", {}, title), content);
  }

  scope(scope) {
    if (!scope) return null;
    return this.section("Scope", h("p", { class: "mono" }, scopeText(scope)),
      Object.keys(scope.attributes).length ? attributeTable(scope.attributes, "traces") : null, this.schema(scope));
  }

  schema(facts) {
    return facts?.schemaUrl ? this.line("schema", facts.schemaUrl) : null;
  }

  events(span) {
    const own = (span.details?.events ?? []).map((event) => ({ name: event.name, at: event.offset, attributes: event.attributes, isBad: event.name === "exception" }));
    const logs = span.logs.map((log) => ({ name: log.name || (log.body === undefined ? "log" : attribute(log.body).text), attributes: log.attributes, isBad: log.error, log }));
    const all = [...own, ...logs];
    if (!all.length) return null;
    return this.section(plural(all.length, "event"), all.map((event) => h("div", { class: `span-event ${event.isBad ? "failed" : ""}` },
      h("header", {}, h("h4", {}, event.name), event.at === undefined ? null : h("span", { class: "faint num" }, `+${duration(event.at)}`)),
      event.log ? h("p", { class: "unfold-tools" }, severityTag(event.log), arrivalTag(event.log), observedTag(event.log), timeTag(event.log)) : null,
      Object.keys(event.attributes ?? {}).length ? attributeTable(event.attributes, event.log ? "events" : "traces") : null)));
  }

  line(name, value, onGo) {
    return h("div", { class: "copy-line" }, h("span", { class: "faint" }, name),
      onGo ? h("button", { class: "quiet mono", type: "button", onclick: onGo }, value) : h("code", { class: "clip" }, value), copyButton(value, ["span", "parent", "trace"].includes(name) ? `${name} id` : name));
  }
}
