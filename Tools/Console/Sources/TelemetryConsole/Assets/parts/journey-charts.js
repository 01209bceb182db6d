// @ts-check
// Charts of answers about journeys: the funnel of /api/v1/journeys/funnel and the flow of /api/v1/journeys/flow.

import { h, replace, svg } from "./dom.js";
import { attribute, count, duration, percent, plural } from "../shared/format.js";
import { palette } from "./theme.js";

/**
 * Draws a funnel: columns, or rows where it is narrow.
 *
 * - `onStep(index, kind)`: the user asks for the journeys that `reached` a step, or `dropped` off after it.
 * - `chosen`: `{ index, kind }` of the journeys that the page shows.
 *
 * @param {any} answer
 * @param {{ onStep?: (index: number, kind: string) => void, chosen?: { index: number, kind: string } }} options
 */
export function funnelChart(answer, { onStep, chosen } = {}) {
  const { steps } = answer;
  const isChosen = (index, kind) => chosen?.index === index && chosen?.kind === kind;
  const button = (index, kind, properties, ...content) => (onStep
    ? h("button", { type: "button", "aria-pressed": String(isChosen(index, kind)), onclick: () => onStep(index, kind), ...properties }, content)
    : h("span", properties, content));
  return h("figure", { class: "funnel-frame" }, h("ol", { class: "funnel", style: { "--steps": steps.length } }, steps.map((step, index) => {
    const next = steps[index + 1];
    const share = step.ofFirst ?? 0;
    const before = index ? steps[index - 1].ofFirst ?? 0 : share;
    return h("li", { class: "funnel-step", style: { "--share": share, "--before": before, "--next": next?.ofFirst ?? 0 } },
      h("div", { class: "funnel-head" },
        h("h3", { class: "clip", title: step.name }, h("span", { class: "funnel-number" }, index + 1), step.name),
        h("p", { class: "funnel-count num" }, count(step.count), h("small", {}, index ? ` ${percent(step.ofFirst)}` : ""))),
      h("div", { class: "funnel-bars", "aria-hidden": "true" }, h("i", { class: "funnel-lost" }), h("i", { class: "funnel-bar" }),
        next ? svg("svg", { class: "funnel-slope", viewBox: "0 0 100 100", preserveAspectRatio: "none" },
          svg("polygon", { points: `0,${100 - share * 100} 100,${100 - (next.ofFirst ?? 0) * 100} 100,100 0,100` })) : null),
      h("div", { class: "funnel-facts" },
        button(index, "reached", { class: "funnel-action", title: `Show journeys that reach ${step.name}` }, plural(step.count, "journey")),
        next ? button(index, "dropped", { class: "funnel-action lost", title: `Show journeys that end at ${step.name}` },
          next.lost ? `${count(next.lost)} leave here (${percent(1 - (next.ofPrevious ?? 1))})` : "none leaves here") : null,
        h("p", { class: "faint" }, index ? `${percent(step.ofPrevious)} of the step before` : "all journeys"),
        step.p50Ns === undefined ? null : h("p", { class: "faint", title: `Half of them within ${duration(step.p50Ns)}, 90 % within ${duration(step.p90Ns)}` }, `after ${duration(step.p50Ns)}, p90 ${duration(step.p90Ns)}`)));
  })));
}

const columnWidth = 12;
const gap = 10;
const plotHeight = 330;
/** The links of a stop that a list shows at once. */
const listLength = 5;

/** The name of a value of a flow. */
export function stopName(value) {
  return value === null ? "other" : attribute(value).text || "(empty)";
}

/**
 * Draws a flow as a Sankey diagram, or as lists where it is narrow.
 *
 * - `onLink(link)`: the user asks for the paths of a link.
 * - `chosen`: the link whose paths the page shows.
 *
 * @param {any} answer
 * @param {{ onLink?: (link: any) => void, chosen?: any }} options
 */
export function flowChart(answer, { onLink, chosen } = {}) {
  const frame = h("figure", { class: "flow-frame" });
  const colors = colorsOf(answer);
  let shape = "";
  new ResizeObserver(([entry]) => {
    const width = Math.floor(entry.contentRect.width);
    const wanted = width < 620 ? "list" : `sankey ${width}`;
    if (!width || wanted === shape) return;
    shape = wanted;
    replace(frame, wanted === "list" ? flowList(answer, colors, { onLink, chosen }) : sankey(answer, colors, width, { onLink, chosen }));
  }).observe(frame);
  return frame;
}

/** One color for each value, the most visited first. */
function colorsOf(answer) {
  const visits = new Map();
  for (const node of answer.nodes) visits.set(stopName(node.value), (visits.get(stopName(node.value)) ?? 0) + node.count);
  const names = [...visits].filter(([name]) => name !== "other").sort((a, b) => b[1] - a[1]).map(([name]) => name);
  return (value) => (value === null ? "var(--text-3)" : palette(names.indexOf(stopName(value))));
}

function linkTitle(answer, link) {
  const from = answer.nodes.find((node) => node.depth === link.depth && stopName(node.value) === stopName(link.from));
  return `${stopName(link.from)} → ${stopName(link.to)}: ${plural(link.count, "path")}, ${percent(link.count / from.count)} of those at stop ${link.depth + 1}`;
}

function activation(link, onLink) {
  if (!onLink) return {};
  return { role: "button", tabindex: "0", onclick: () => onLink(link),
    onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); onLink(link); } } };
}

const isSame = (one, other) => one && other && one.depth === other.depth && stopName(one.from) === stopName(other.from) && stopName(one.to) === stopName(other.to);

function sankey(answer, colors, width, { onLink, chosen }) {
  const depths = Math.max(...answer.nodes.map((node) => node.depth), 0) + 1;
  const columns = Array.from({ length: depths }, (_, depth) => answer.nodes.filter((node) => node.depth === depth)
    .sort((a, b) => Number(a.value === null) - Number(b.value === null) || b.count - a.count));
  const most = Math.max(...columns.map((nodes) => nodes.length));
  const scale = (plotHeight - (most - 1) * gap) / Math.max(answer.paths, 1);
  const step = (width - columnWidth) / Math.max(depths, 1);
  const places = new Map();
  for (const [depth, nodes] of columns.entries()) {
    let y = 22;
    for (const node of nodes) {
      const tall = Math.max(node.count * scale, 2);
      places.set(`${depth} ${stopName(node.value)}`, { x: depth * step, y, tall, out: y, into: y, node });
      y += tall + gap;
    }
  }
  const height = Math.max(...[...places.values()].map(({ y, tall }) => y + tall), 60) + 10;
  const order = (link) => places.get(`${link.depth + 1} ${stopName(link.to)}`).y;
  const links = answer.links.toSorted((a, b) => a.depth - b.depth || order(a) - order(b)).map((link) => {
    const from = places.get(`${link.depth} ${stopName(link.from)}`);
    const to = places.get(`${link.depth + 1} ${stopName(link.to)}`);
    const thick = Math.max(link.count * scale, 1);
    const [y, x] = [from.out + thick / 2, from.x + columnWidth];
    from.out += thick;
    return { link, from, to, thick, x, y };
  });
  // Links arrive in the order of their origins, so that they do not cross at the end.
  for (const part of links.toSorted((a, b) => a.from.x - b.from.x || a.from.y - b.from.y)) {
    part.end = part.to.into + part.thick / 2;
    part.to.into += part.thick;
  }
  const curve = ({ x, y, to, end }) => {
    const middle = (x + to.x) / 2;
    return `M${x} ${y.toFixed(1)}C${middle} ${y.toFixed(1)} ${middle} ${end.toFixed(1)} ${to.x} ${end.toFixed(1)}`;
  };
  return svg("svg", { class: "sankey", width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "Flow from stop to stop" },
    svg("defs", {}, svg("linearGradient", { id: "flow-end" }, svg("stop", { offset: "0", "stop-color": "currentColor", "stop-opacity": ".4" }), svg("stop", { offset: "1", "stop-color": "currentColor", "stop-opacity": "0" }))),
    columns.map((_, depth) => svg("text", { class: "flow-depth", x: depth * step, y: 11 }, depth === 0 ? "Start" : `Stop ${depth + 1}`)),
    links.map((part) => svg("path", { class: "flow-link", d: curve(part), "stroke-width": part.thick, style: { stroke: colors(part.link.from) },
      "aria-label": linkTitle(answer, part.link), "aria-pressed": onLink ? String(isSame(part.link, chosen)) : null, ...activation(part.link, onLink) }, svg("title", {}, linkTitle(answer, part.link)))),
    [...places.values()].map(({ x, y, tall, out, node }) => {
      const ended = node.ended * scale;
      const name = stopName(node.value);
      const room = step - columnWidth - 8;
      const label = `${name} ${count(node.count)}`;
      return svg("g", { class: "flow-node" },
        ended >= 1 ? svg("rect", { class: "flow-end", x: x + columnWidth, y: out, width: Math.min(26, room), height: ended, fill: "url(#flow-end)" }, svg("title", {}, `${plural(node.ended, "path")} end at ${name}`)) : null,
        svg("rect", { x, y, width: columnWidth, height: tall, rx: 2, style: { fill: colors(node.value) } }, svg("title", {}, `${name}: ${plural(node.count, "path")}, ${count(node.ended)} end here`)),
        svg("text", { class: "flow-label", x: x + columnWidth + 6, y: y + Math.min(tall / 2, 14) + 4 }, label.length * 6.3 > room ? `${name.slice(0, Math.max(Math.floor(room / 6.6) - String(count(node.count)).length - 2, 3))}… ` : `${name} `, svg("tspan", {}, count(node.count))));
    }));
}

function flowList(answer, colors, { onLink, chosen }) {
  const depths = [...new Set(answer.links.map((link) => link.depth))];
  return depths.map((depth) => {
    const links = answer.links.filter((link) => link.depth === depth);
    const most = Math.max(...links.map((link) => link.count));
    const ended = answer.nodes.filter((node) => node.depth === depth).reduce((sum, node) => sum + node.ended, 0);
    const row = (link) => h("li", {}, h(onLink ? "button" : "div", { class: "flow-row", type: onLink ? "button" : null, "aria-pressed": onLink ? String(isSame(link, chosen)) : null, onclick: onLink ? () => onLink(link) : null },
      h("span", { class: "clip" }, stopName(link.from), h("span", { class: "faint" }, " → "), stopName(link.to)), h("b", { class: "num" }, count(link.count)),
      h("i", { style: { width: `${(link.count / most) * 100}%`, background: colors(link.from) } })));
    const rare = links.slice(listLength);
    return h("section", { class: "flow-list" }, h("h3", {}, depth === 0 ? "From the start" : `From stop ${depth + 1}`),
      h("ul", {}, links.slice(0, listLength).map(row),
        ended ? h("li", { class: "flow-row faint" }, h("span", {}, "end here"), h("b", { class: "num" }, count(ended))) : null),
      rare.length ? h("details", {}, h("summary", {}, `${count(rare.length)} more`), h("ul", {}, rare.map(row))) : null);
  });
}
