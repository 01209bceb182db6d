import Astrolabe
import Testing

@testable import AstrolabeSessionReplay

@Suite struct `The mask` {
    private func masked(_ root: Wireframe.Node, _ change: (inout ReplayConfiguration) -> Void = { _ in })
        -> [Int: MaskedWireframe.Node]
    {
        var configuration = ReplayConfiguration()
        change(&configuration)
        let wireframe = ReplayMask(configuration: configuration).masked(Wireframe(width: 1, height: 1, root: root))
        return Dictionary(uniqueKeysWithValues: wireframe.nodes.map { ($0.id, $0) })
    }

    @Test func `replaces a text by the lengths of its words`() {
        let nodes = masked(.init(id: 1, role: .text, text: "  The Comet\nBook — 2nd "))
        #expect(nodes[1]?.words == [3, 5, 4, 1, 3])
        #expect(nodes[1]?.text == nil)
    }

    @Test func `bounds words and their lengths`() {
        let long = String(repeating: "a", count: 50)
        let nodes = masked(.init(id: 1, role: .text, text: long + String(repeating: " b", count: 200)))
        #expect(nodes[1]?.words == [20] + Array(repeating: 1, count: 59))
    }

    @Test func `records only whether a field has content, whatever the configuration`() {
        for masking in ReplayConfiguration.Masking.allCases {
            var field = Wireframe.Node(id: 2, role: .field, text: "4432-8015-6152-0454", name: "card")
            field.children = [.init(id: 3, role: .text, text: "4432-8015-6152-0454")]
            var empty = Wireframe.Node(id: 4, role: .field, text: "Card number", name: "card")
            empty.hasContent = false
            field.hasContent = true
            let nodes = masked(.init(id: 1, role: .screen, children: [field, empty])) {
                $0.masking = masking
                $0.unmasked = ["card"]
            }
            #expect(nodes[2]?.words == ReplayMask.fixedWords)
            #expect(nodes[2]?.text == nil)
            #expect(nodes[2]?.children == [] && nodes[3] == nil, "what is inside a field is what it holds")
            #expect(nodes[4]?.words == [] && nodes[4]?.text == nil)
        }
    }

    @Test func `keeps the app's texts if only inputs are masked`() {
        let nodes = masked(.init(id: 1, role: .text, text: "The Comet Book")) { $0.masking = .inputs }
        #expect(nodes[1]?.text == "The Comet Book")
        #expect(nodes[1]?.words == [])
    }

    @Test func `unmasks listed elements and their children, and nothing else`() {
        let inside = Wireframe.Node(id: 3, role: .text, text: "inside")
        let unmasked = Wireframe.Node(id: 2, role: .list, text: "itself", name: "catalogue", children: [inside])
        let beside = Wireframe.Node(id: 4, role: .text, text: "beside")
        let nodes = masked(.init(id: 1, role: .screen, children: [unmasked, beside])) { $0.unmasked = ["catalogue"] }
        #expect(nodes[2]?.text == "itself")
        #expect(nodes[3]?.text == "inside")
        #expect(nodes[4]?.text == nil && nodes[4]?.words == [6])
    }

    @Test func `hides private elements and their children, whatever the configuration`() {
        var secret = Wireframe.Node(id: 2, role: .row, text: "a secret of five words", name: "catalogue")
        secret.isPrivate = true
        var toggle = Wireframe.Node(id: 3, role: .toggle, text: "HIV positive")
        (toggle.isOn, toggle.fraction) = (true, 0.3)
        secret.children = [toggle]
        let nodes = masked(.init(id: 1, role: .screen, children: [secret])) {
            $0.masking = .inputs
            $0.unmasked = ["catalogue"]
        }
        #expect(nodes[2]?.words == ReplayMask.fixedWords && nodes[2]?.text == nil)
        #expect(nodes[3]?.words == ReplayMask.fixedWords && nodes[3]?.text == nil)
        #expect(nodes[3]?.isOn == nil && nodes[3]?.fraction == nil)
    }

    @Test func `truncates an unmasked text`() {
        let nodes = masked(.init(id: 1, role: .text, text: String(repeating: "é", count: 500))) {
            $0.masking = .inputs
        }
        #expect(nodes[1]?.text == String(repeating: "é", count: 400))
    }

    @Test func `accepts only names and numbers as colors`() {
        for text in ["accent", "#a0B1c2", "red/40", "#000000/0"] { #expect(Wireframe.Color(text)?.text == text) }
        for text in ["asset:Secret", "#12345", "red/", "red/140", "Rosa Klebb", "", "#gggggg", "red/4/4"] {
            #expect(Wireframe.Color(text) == nil, "\(text)")
        }
    }
}

@Suite struct `The limits of a wireframe` {
    private let mask = ReplayMask(configuration: ReplayConfiguration())

    @Test func `cut off nodes beyond 1,000 and mark the frame`() throws {
        let children = (2...2_000).map { Wireframe.Node(id: $0, role: .cell) }
        let wireframe = mask.masked(
            Wireframe(width: 1, height: 1, root: .init(id: 1, role: .list, children: children)))
        try #require(wireframe.nodes.count == 1_000)
        #expect(wireframe.isCut)
        #expect(wireframe.nodes[0].children == Array(2...1_000))
    }

    @Test func `cut off nodes deeper than 40 levels and mark the frame`() {
        var node = Wireframe.Node(id: 60, role: .text, text: "deep")
        for id in (1..<60).reversed() { node = .init(id: id, role: .group, children: [node]) }
        let wireframe = mask.masked(Wireframe(width: 1, height: 1, root: node))
        #expect(wireframe.nodes.map(\.id) == Array(1...40))
        #expect(wireframe.isCut)
    }

    @Test func `are not reached by a screen of exactly that size`() {
        let children = (2...1_000).map { Wireframe.Node(id: $0, role: .cell) }
        let wireframe = mask.masked(
            Wireframe(width: 1, height: 1, root: .init(id: 1, role: .list, children: children)))
        #expect(wireframe.nodes.count == 1_000 && !wireframe.isCut)
    }

    @Test func `keep a repeated id where it comes first`() throws {
        let twice = [Wireframe.Node(id: 2, role: .text, text: "a"), .init(id: 2, role: .text, text: "bb")]
        let wireframe = mask.masked(Wireframe(width: 1, height: 1, root: .init(id: 1, role: .row, children: twice)))
        try #require(wireframe.nodes.map(\.id) == [1, 2])
        #expect(wireframe.nodes[1].words == [1] && wireframe.nodes[0].children == [2])
    }
}
