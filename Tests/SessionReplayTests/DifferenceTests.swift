import Astrolabe
import AstrolabeTestSupport
import Testing

@testable import AstrolabeSessionReplay

@Suite struct `The difference of two wireframes` {
    private let mask = ReplayMask(configuration: ReplayConfiguration())

    @Test(arguments: 0..<UInt64(Thoroughness.count(40, thorough: 200)))
    func `applied in order, each to the previous frame, gives what the screen shows`(seed: UInt64) throws {
        var random = RandomWireframes(seed: seed)
        var raw = random.next()
        var shown = mask.masked(raw)
        var player = Player(shown)
        for _ in 0..<20 {
            raw = random.changed(raw)
            let next = mask.masked(raw)
            let difference = WireframeDifference(from: shown, to: next)
            #expect((difference == nil) == (Player(shown) == Player(next)))
            if let difference {
                #expect(difference.nodes.count <= next.nodes.count)
                player.apply(difference)
            }
            #expect(player == Player(next))
            shown = next
        }
    }

    @Test func `is nil if nothing changed`() {
        var random = RandomWireframes(seed: 7)
        let wireframe = mask.masked(random.next())
        #expect(WireframeDifference(from: wireframe, to: wireframe) == nil)
    }

    @Test func `is the one node that changed`() throws {
        var cells = (2...101).map { Wireframe.Node(id: $0, role: .cell, text: "one two") }
        let before = Wireframe(width: 1, height: 1, root: .init(id: 1, role: .screen, children: cells))
        cells[50].text = "one three"
        let after = Wireframe(width: 1, height: 1, root: .init(id: 1, role: .screen, children: cells))
        let difference = try #require(WireframeDifference(from: mask.masked(before), to: mask.masked(after)))
        #expect(difference.nodes.map(\.id) == [52])
        #expect(difference.nodes.first?.words == [3, 5])
        #expect(difference.removed.isEmpty)
    }

    @Test func `is nil if another text has the same word lengths`() {
        let before = Wireframe(width: 1, height: 1, root: .init(id: 1, role: .text, text: "two words"))
        let after = Wireframe(width: 1, height: 1, root: .init(id: 1, role: .text, text: "six birds"))
        #expect(WireframeDifference(from: mask.masked(before), to: mask.masked(after)) == nil)
    }
}

/// The state of a reader of the records.
private struct Player: Hashable {
    var root: Int
    var nodes: [Int: MaskedWireframe.Node]

    init(_ wireframe: MaskedWireframe) {
        root = wireframe.root
        nodes = Dictionary(uniqueKeysWithValues: wireframe.nodes.map { ($0.id, $0) })
    }

    mutating func apply(_ difference: WireframeDifference) {
        root = difference.root
        for node in difference.nodes { nodes[node.id] = node }
        for id in difference.removed { nodes[id] = nil }
    }
}
