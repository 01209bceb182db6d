/// Counts the nodes of a screen by id, and follows its changes without visiting what stays.
package struct NodeCensus {
    private var counts: [Int: Int] = [:]
    private var root: RenderedNode?
    /// The ids of nodes that came with the last change.
    private var new: [Int] = []

    package init() {}

    /// Takes the next screen, and returns the ids that several of its nodes have. A screen has none: a page keeps one
    /// element for each id.
    package mutating func repeatedIDs(in next: RenderedNode) -> [Int] {
        new = []
        if let root, root.id == next.id {
            follow(root, next)
        } else {
            if let root { count(root, by: -1) }
            count(next, by: 1)
        }
        root = next
        return new.filter { counts[$0, default: 0] > 1 }
    }

    private mutating func follow(_ old: RenderedNode, _ next: RenderedNode) {
        guard old !== next else { return }
        if old.children.count == next.children.count, zip(old.children, next.children).allSatisfy({ $0.id == $1.id }) {
            for (old, next) in zip(old.children, next.children) { follow(old, next) }
            return
        }
        var left = Dictionary(old.children.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for child in next.children {
            if let before = left.removeValue(forKey: child.id) {
                follow(before, child)
            } else {
                count(child, by: 1)
            }
        }
        for child in left.values { count(child, by: -1) }
    }

    private mutating func count(_ node: RenderedNode, by step: Int) {
        counts[node.id, default: 0] += step
        if step > 0 { new.append(node.id) } else if counts[node.id] == 0 { counts[node.id] = nil }
        for child in node.children { count(child, by: step) }
    }
}
