// @ts-check
// What differs between two traces: their spans in pairs, and what each took without its children.

/**
 * A trace as the API gives it. Spans come in the order of the tree, each with its depth.
 *
 * @typedef {{ name: string, origin: number, depth: number, offsetNs: number, durationNs: number, [more: string]: any }} Span
 * @typedef {{ spans: Span[], origins: { id: number, service: string }[] }} Trace
 * @typedef {{ span: Span, service: string, children: Node[] }} Node
 * @typedef {{ a?: Node, b?: Node, depth: number }} Pair One of the two at least.
 */

/**
 * The node of a pair that is there, the first if both are.
 *
 * @param {Pair} pair
 */
export const nodeOf = ({ a, b }) => /** @type {Node} */ (a ?? b);

/**
 * The pairs of spans of two traces, in the order of the tree. `own` is how much longer the second span took itself, in
 * nanoseconds.
 *
 * @param {Trace} one
 * @param {Trace} other
 */
export function compared(one, other) {
  return pairs(tree(one), tree(other)).map((row) => (
    { ...row, own: (row.b ? ownTime(row.b) : 0) - (row.a ? ownTime(row.a) : 0) }));
}

/**
 * @param {Trace} trace
 * @returns {Node[]} The spans without a parent.
 */
function tree(trace) {
  const services = new Map(trace.origins.map((origin) => [origin.id, origin.service]));
  /** @type {Node[]} */
  const roots = [];
  /** @type {Node[]} */
  const path = [];
  for (const span of trace.spans) {
    const node = { span, service: services.get(span.origin) ?? "", children: [] };
    path.length = span.depth;
    (path.at(-1)?.children ?? roots).push(node);
    path.push(node);
  }
  return roots;
}

/**
 * The time that a span has for itself, without that of its children.
 *
 * @param {Node} node
 */
function ownTime(node) {
  const from = node.span.offsetNs;
  let covered = 0;
  let end = from;
  for (const { span } of [...node.children].sort((one, other) => one.span.offsetNs - other.span.offsetNs)) {
    const start = Math.max(span.offsetNs, end);
    const stop = Math.min(span.offsetNs + span.durationNs, from + node.span.durationNs);
    if (stop > start) { covered += stop - start; end = stop; }
  }
  return node.span.durationNs - covered;
}

/**
 * Pairs spans of equal name and service below paired parents, in the order in which they start.
 *
 * @param {Node[]} first
 * @param {Node[]} second
 * @returns {Pair[]}
 */
function pairs(first, second, depth = 0) {
  /** @type {Map<string, Node[]>} */
  const waiting = new Map();
  for (const node of second) waiting.set(key(node), [...(waiting.get(key(node)) ?? []), node]);
  /** @type {Pair[]} */
  const both = first.map((node) => ({ a: node, b: waiting.get(key(node))?.shift(), depth }));
  /** @type {Pair[]} */
  const rest = [...waiting.values()].flat().map((node) => ({ b: node, depth }));
  return [...both, ...rest].sort((one, other) => start(one) - start(other))
    .flatMap((pair) => [pair, ...pairs(pair.a?.children ?? [], pair.b?.children ?? [], depth + 1)]);
}

/** @param {Node} node */
const key = (node) => `${node.service}\n${node.span.name}`;

/** @param {Pair} pair */
const start = (pair) => nodeOf(pair).span.offsetNs;
