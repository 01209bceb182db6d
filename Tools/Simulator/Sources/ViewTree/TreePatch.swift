/// The view tree at one time.
package struct RenderedTree: Codable, Sendable {
    /// The number of the tree, which starts at 1 and increases with each change.
    package let revision: Int
    package let root: RenderedNode
    /// The animation of views of the last change; `nil` if it was not animated.
    package let animation: TreeAnimation?

    package init(revision: Int, root: RenderedNode, animation: TreeAnimation? = nil) {
        self.revision = revision
        self.root = root
        self.animation = animation
    }
}

/// The difference from one tree to a later one: the nodes with changed content or changed children.
///
/// A node in the patch lists the ids of its children only.
///
///     let patch = TreePatch(from: old, to: new)
///     let page = patch.applied(to: old)    // shows what `new` shows
package struct TreePatch: Codable, Sendable {
    package struct Node: Codable, Hashable, Sendable {
        package let id: Int
        package let kind: NodeKind
        package let properties: [String: NodeValue]
        package let actions: [ViewAction]
        /// The ids of the children in order. Each child is in this patch or was in the earlier tree.
        package let children: [Int]

        init(_ node: RenderedNode) {
            id = node.id
            kind = node.kind
            properties = node.properties
            actions = node.actions
            children = node.children.map(\.id)
        }
    }

    package let base: Int
    package let revision: Int
    package let root: Int
    package private(set) var nodes: [Node] = []
    package private(set) var removed: [Int] = []
    /// The animation of the nodes that the patch adds and removes; `nil` if they come and go at once.
    package let animation: TreeAnimation?

    /// - Parameter animation: That of a skipped tree between both. Default: that of the later tree.
    package init(from old: RenderedTree, to new: RenderedTree, animation: TreeAnimation? = nil) {
        base = old.revision
        self.animation = animation ?? new.animation
        revision = new.revision
        root = new.root.id
        var gone: [Int: RenderedNode] = [:]
        var come: [Int: RenderedNode] = [:]
        compare(old.root, new.root, gone: &gone, come: &come)
        settle(&gone, &come)
        removed = gone.keys.sorted()
    }

    /// Compares nodes that have the same id and place in both trees, and collects the others for `settle`.
    private mutating func compare(
        _ old: RenderedNode, _ new: RenderedNode, gone: inout [Int: RenderedNode], come: inout [Int: RenderedNode],
    ) {
        guard old !== new else { return }
        guard old.id == new.id else {
            gone[old.id] = old
            come[new.id] = new
            return
        }
        let sameOrder =
            old.children.count == new.children.count && zip(old.children, new.children).allSatisfy { $0.id == $1.id }
        if !sameOrder || !old.hasSameContent(as: new) { nodes.append(Node(new)) }
        if sameOrder {
            for (old, new) in zip(old.children, new.children) { compare(old, new, gone: &gone, come: &come) }
            return
        }
        let before = Dictionary(old.children.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let after = Set(new.children.map(\.id))
        for child in new.children {
            if let match = before[child.id] {
                compare(match, child, gone: &gone, come: &come)
            } else {
                come[child.id] = child
            }
        }
        for child in old.children where !after.contains(child.id) { gone[child.id] = child }
    }

    /// Finds nodes that only moved to another parent, and adds the rest to the patch.
    private mutating func settle(_ gone: inout [Int: RenderedNode], _ come: inout [Int: RenderedNode]) {
        var before: [Int: RenderedNode] = [:]
        func index(_ node: RenderedNode) {
            before[node.id] = node
            for child in node.children { index(child) }
        }
        for node in gone.values { index(node) }
        var listed: [Node] = []
        var after: Set<Int> = []
        func list(_ node: RenderedNode) {
            after.insert(node.id)
            if let old = before[node.id], old.hasSameContent(as: node),
                old.children.map(\.id) == node.children.map(\.id)
            {
            } else {
                listed.append(Node(node))
            }
            for child in node.children { list(child) }
        }
        for node in come.values.sorted(by: { $0.id < $1.id }) { list(node) }
        nodes += listed
        gone = before.filter { !after.contains($0.key) }
    }

    /// True if both trees show the same.
    package var isEmpty: Bool { nodes.isEmpty && removed.isEmpty }

    /// Applies the patch to the earlier tree. Nodes without changes inside are the same objects in both trees.
    ///
    /// - Returns: `nil` if the patch is for another tree.
    package func applied(to old: RenderedTree) -> RenderedTree? {
        guard old.revision == base else { return nil }
        let changed = Dictionary(nodes.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
        let known = Index(old.root)
        func make(_ id: Int, _ before: RenderedNode?) -> RenderedNode? {
            guard let before = before ?? known[id] else { return changed[id].map { make($0, []) } }
            return remade(before)
        }
        func make(_ node: Node, _ old: [RenderedNode]) -> RenderedNode {
            let children = node.children.enumerated().compactMap { place, child in
                make(child, place < old.count && old[place].id == child ? old[place] : nil)
            }
            return RenderedNode(
                id: node.id, kind: node.kind, properties: node.properties, actions: node.actions, children: children)
        }
        func remade(_ node: RenderedNode) -> RenderedNode {
            if let change = changed[node.id] { return make(change, node.children) }
            var children = node.children
            var isSame = true
            for place in children.indices {
                let child = remade(node.children[place])
                guard child !== node.children[place] else { continue }
                children[place] = child
                isSame = false
            }
            return isSame ? node : node.replacingChildren(with: children)
        }
        return make(root, old.root.id == root ? old.root : nil).map { RenderedTree(revision: revision, root: $0) }
    }
}

/// The nodes of a tree by id, for those that a patch moves. It is made when the first is looked up.
private final class Index {
    private let root: RenderedNode
    private lazy var nodes: [Int: RenderedNode] = {
        var nodes: [Int: RenderedNode] = [:]
        func add(_ node: RenderedNode) {
            nodes[node.id] = node
            for child in node.children { add(child) }
        }
        add(root)
        return nodes
    }()

    init(_ root: RenderedNode) {
        self.root = root
    }

    subscript(id: Int) -> RenderedNode? { nodes[id] }
}
