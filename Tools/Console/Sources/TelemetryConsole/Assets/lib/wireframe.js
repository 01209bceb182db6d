// @ts-check
// The nodes of a replayed screen by id, updated frame by frame.
// The server validates types and bounds. This file validates that the nodes form a tree.

/** The maximum number of nodes and of levels that are drawn. */
const nodeLimit = 1_000;
const levelLimit = 64;

export class Wireframe {
  /** @type {Map<number, any>} */
  nodes = new Map();
  /** @type {number | undefined} */
  root = undefined;
  size = [393, 852];
  screen = "";
  isCut = false;
  faults = 0;

  clear() {
    Object.assign(this, new Wireframe());
  }

  /**
   * Applies a key frame, which has all nodes, or a frame with changes.
   *
   * @param {any} frame
   */
  apply(frame) {
    if (frame.key) this.clear();
    for (const id of frame.removed ?? []) this.nodes.delete(id);
    for (const node of frame.nodes ?? []) this.nodes.set(node.id, node);
    if (frame.size) this.size = frame.size;
    if (frame.root !== undefined) this.root = frame.root;
    this.screen = frame.screen ?? this.screen;
    this.isCut = frame.cut ?? false;
    this.faults = frame.faults ?? 0;
    if (this.nodes.size > 4 * nodeLimit) this.forgetOutsiders();
  }

  /** Removes nodes outside the tree, so that a recording that never removes nodes does not grow without limit. */
  forgetOutsiders() {
    const tree = this.tree();
    for (const id of this.nodes.keys()) if (!tree.has(id)) this.nodes.delete(id);
  }

  /**
   * Returns the children of every drawn node by its id, parents before children. Each node is placed once, at the first
   * place found, so there are no cycles. Unknown ids are ignored.
   */
  tree() {
    /** @type {Map<number, number[]>} */
    const placed = new Map();
    if (this.root === undefined || !this.nodes.has(this.root)) return placed;
    placed.set(this.root, []);
    const waiting = [{ id: this.root, level: 0 }];
    for (let index = 0; index < waiting.length; index += 1) {
      const { id, level } = waiting[index];
      for (const child of this.nodes.get(id).children ?? []) {
        if (placed.size >= nodeLimit || level >= levelLimit) return placed;
        if (placed.has(child) || !this.nodes.has(child)) continue;
        placed.set(child, []);
        placed.get(id)?.push(child);
        waiting.push({ id: child, level: level + 1 });
      }
    }
    return placed;
  }

  /**
   * The ids of the nodes with an accessibility identifier.
   *
   * @param {string} name
   */
  named(name) {
    return [...this.nodes.values()].filter((node) => node.name === name).map((node) => node.id);
  }
}
