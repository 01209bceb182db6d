/// What changed from one wireframe to the next: nodes that are new, say something else of themselves or have other
/// children, and those that are gone.
struct WireframeDifference: Hashable, Sendable {
    let root: Int
    let nodes: [MaskedWireframe.Node]
    /// In rising order.
    let removed: [Int]

    /// `nil` where both show the same.
    init?(from old: MaskedWireframe, to new: MaskedWireframe) {
        var before = Dictionary(uniqueKeysWithValues: old.nodes.map { ($0.id, $0) })
        var changed: [MaskedWireframe.Node] = []
        for node in new.nodes where before.removeValue(forKey: node.id) != node { changed.append(node) }
        guard !changed.isEmpty || !before.isEmpty || old.root != new.root else { return nil }
        root = new.root
        nodes = changed
        removed = before.keys.sorted()
    }

    /// Whether so much is new that the whole wireframe is as short.
    func isNearlyAll(of wireframe: MaskedWireframe) -> Bool {
        nodes.count * 10 >= wireframe.nodes.count * 9
    }
}
