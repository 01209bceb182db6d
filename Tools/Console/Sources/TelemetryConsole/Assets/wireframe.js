// What a replay knows of one screen: nodes by their ids, changed frame by frame.
// Nothing here believes what it was sent: types and bounds are the server's work, that the nodes make up a tree is ours.

/** Nodes that are drawn, and levels of them, at most. */
const nodeLimit = 1_000;
const levelLimit = 64;

export class Wireframe {
  constructor() {
    this.clear();
  }

  clear() {
    this.nodes = new Map();
    this.root = undefined;
    this.size = [393, 852];
    this.screen = "";
    this.isCut = false;
    this.faults = 0;
  }

  /** Takes a frame: all that there is, or what is different. */
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

  /** A recording that removes nothing must not grow for ever. */
  forgetOutsiders() {
    const tree = this.tree();
    for (const id of this.nodes.keys()) if (!tree.has(id)) this.nodes.delete(id);
  }

  /**
   * The children of every node that is drawn, by its id, parents before their children. Each node has one place, the
   * first that is found for it, so there is no circle; what names a node that is not there is passed over.
   */
  tree() {
    const placed = new Map();
    if (!this.nodes.has(this.root)) return placed;
    placed.set(this.root, []);
    const waiting = [{ id: this.root, level: 0 }];
    for (let index = 0; index < waiting.length; index += 1) {
      const { id, level } = waiting[index];
      for (const child of this.nodes.get(id).children ?? []) {
        if (placed.size >= nodeLimit || level >= levelLimit) return placed;
        if (placed.has(child) || !this.nodes.has(child)) continue;
        placed.set(child, []);
        placed.get(id).push(child);
        waiting.push({ id: child, level: level + 1 });
      }
    }
    return placed;
  }

  /** Ids of the nodes with that accessibility identifier. */
  named(name) {
    return [...this.nodes.values()].filter((node) => node.name === name).map((node) => node.id);
  }
}
