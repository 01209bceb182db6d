// @ts-check
// The layers of the map: who calls whom, from left to right.

/**
 * A node and a connection of the map, as the API gives them.
 *
 * @typedef {{ name: string, kind: string, [more: string]: any }} Node
 * @typedef {{ from: string, to: string, toKind: string, [more: string]: any }} Edge
 */

/**
 * The node that a connection leads to.
 *
 * @param {Edge} edge
 * @param {Node[]} nodes
 */
export function targetOf(edge, nodes) {
  return nodes.find((node) => node.name === edge.to && (edge.toKind === "service" ? isCaller(node) : node.kind === edge.toKind));
}

/**
 * The node that a connection comes from.
 *
 * @param {Edge} edge
 * @param {Node[]} nodes
 */
export function sourceOf(edge, nodes) {
  return nodes.find((node) => node.name === edge.from && isCaller(node));
}

/** @param {Node} node */
const isCaller = (node) => node.kind === "service" || node.kind === "device";

/**
 * The layer of each node: one behind its farthest caller. Calls in a circle do not count twice.
 *
 * @param {Node[]} nodes
 * @param {Edge[]} edges
 */
export function layers(nodes, edges) {
  /** @type {Map<Node, number>} */
  const depth = new Map();
  /** @type {(node: Node | undefined, path: Node[]) => void} */
  const visit = (node, path) => {
    if (!node || path.includes(node)) return;
    if ((depth.get(node) ?? -1) >= path.length) return;
    depth.set(node, path.length);
    for (const edge of edges) if (sourceOf(edge, nodes) === node) visit(targetOf(edge, nodes), [...path, node]);
  };
  const called = new Set(edges.map((edge) => targetOf(edge, nodes)));
  for (const node of nodes) if (!called.has(node)) visit(node, []);
  for (const node of nodes) if (!depth.has(node)) visit(node, []);
  return depth;
}
