import AstrolabeSeededRandomness

@testable import AstrolabeSessionReplay

/// Random wireframes and their changes from frame to frame, determined by a seed.
struct RandomWireframes {
    private var generator: SeededGenerator
    private var lastID = 0

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    mutating func next() -> Wireframe {
        Wireframe(width: 393, height: 852, root: node(levels: Int.random(in: 1...5, using: &generator)))
    }

    /// Returns the wireframe with some nodes changed, removed, added and moved.
    mutating func changed(_ wireframe: Wireframe) -> Wireframe {
        var wireframe = wireframe
        change(&wireframe.root)
        if chance(0.1) { wireframe.root = node(levels: 2) }
        return wireframe
    }

    private mutating func change(_ node: inout Wireframe.Node) {
        if chance(0.15) { node.text = word() }
        if chance(0.1) { node.style.isBold.toggle() }
        if chance(0.1), !node.children.isEmpty {
            node.children.remove(at: Int.random(in: node.children.indices, using: &generator))
        }
        if chance(0.1) { node.children.append(self.node(levels: 2)) }
        if chance(0.1) { node.children.shuffle(using: &generator) }
        if chance(0.1), node.children.count > 1 {
            let moved = node.children.removeLast()
            node.children[0].children.append(moved)
        }
        for index in node.children.indices { change(&node.children[index]) }
    }

    private mutating func node(levels: Int) -> Wireframe.Node {
        lastID += 1
        let roles = Wireframe.Role.allCases.filter { $0 != .field }
        var node = Wireframe.Node(
            id: lastID, role: roles.randomElement(using: &generator) ?? .group, text: chance(0.5) ? word() : nil)
        if levels > 1 {
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                node.children.append(self.node(levels: levels - 1))
            }
        }
        return node
    }

    private mutating func word() -> String {
        String(repeating: "w", count: Int.random(in: 1...30, using: &generator))
    }

    private mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &generator) < probability
    }
}
