/// The changes from one wireframe to the next: new or changed nodes, and removed ones.
struct WireframeDifference: Hashable, Sendable {
    let root: Int
    let nodes: [MaskedWireframe.Node]
    /// In ascending order.
    let removed: [Int]

    /// `nil` if there is no difference.
    init?(from old: MaskedWireframe, to new: MaskedWireframe) {
        var before = Dictionary(uniqueKeysWithValues: old.nodes.map { ($0.id, $0) })
        var changed: [MaskedWireframe.Node] = []
        for node in new.nodes where before.removeValue(forKey: node.id) != node { changed.append(node) }
        guard !changed.isEmpty || !before.isEmpty || old.root != new.root else { return nil }
        root = new.root
        nodes = changed
        removed = before.keys.sorted()
    }

    /// Returns true if the difference is about as large as the whole wireframe.
    func isNearlyAll(of wireframe: MaskedWireframe) -> Bool {
        nodes.count * 10 >= wireframe.nodes.count * 9
    }
}
