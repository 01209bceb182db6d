import AstrolabeSeededRandomness
import AstrolabeTelemetryModel
import Foundation
import Testing

@testable import ConsoleModel
@testable import ConsoleStore

/// Tests of valid and invalid replay frames.
@Suite
struct ReplayFrameTests {
    private static func frame(_ event: LogRecordData) throws -> ReplayFrame {
        try ReplayFrame(event.attributes, timeUnixNano: event.timeUnixNano)
    }

    private static func node(_ more: Attributes, role: String = "text") throws -> (ReplayNode, faults: Int) {
        let frame = try frame(ReplayFixture.event(1, nodes: [ReplayFixture.node(2, role, more)]))
        return (try #require(frame.nodes.first), frame.faults)
    }

    @Test
    func `a valid frame is read completely and without faults`() throws {
        let (node, faults) = try Self.node([
            "children": [3, 4], "words": [9, 4], "name": "addToCart", "box": [0, 12.5, 100, 44],
            "padding": [12, 16, 12, 16], "spacing": 8, "align": "top leading", "width": 200, "height": 50.5,
            "grow": true,
            "columns": 2, "size": 34, "bold": true, "fill": "accent/40", "ink": "#ffffff", "radius": 10, "on": false,
            "fraction": 0.5, "dim": true, "later": "ignored",
        ])
        #expect(faults == 0)
        var text = JSONText()
        text.append(node)
        #expect(
            text.string == """
                {"id":2,"role":"text","children":[3,4],"words":[9,4],"name":"addToCart","box":[0,12.5,100,44],\
                "padding":[12,16,12,16],"spacing":8,"align":"top leading","width":200,"height":50.5,"grow":true,\
                "columns":2,"size":34,"bold":true,"fill":"accent/40","ink":"#ffffff","radius":10,"on":false,\
                "fraction":0.5,"dim":true}
                """)
    }

    @Test(
        arguments: [
            ("astrolabe.replay.id", .empty, ReplayFrame.ValidationError.noRecording),
            ("astrolabe.replay.id", 7, .noRecording),
            ("astrolabe.replay.id", .string(String(repeating: "x", count: 65)), .noRecording),
            ("astrolabe.replay.sequence", -1, .noSequence),
            ("astrolabe.replay.sequence", "1", .noSequence),
            ("astrolabe.replay.nodes", "[]", .nodesNotAList),
            ("astrolabe.replay.root", 99, .noRoot),
        ] as [(String, AttributeValue, ReplayFrame.ValidationError)])
    func `an invalid frame is rejected with a reason`(
        key: String, value: AttributeValue, refusal: ReplayFrame.ValidationError,
    ) throws {
        #expect(throws: refusal) { try Self.frame(ReplayFixture.event(0, [key: value])) }
    }

    @Test(arguments: [
        "{}", #"{"id":"2","role":"text"}"#, #"{"id":2}"#, #"{"id":2,"role":7}"#, #"{"id":2.5,"role":"text"}"#,
        #"{"id":{"$int":"9223372036854775807"},"role":"text"}"#, "7", "null", "[]",
    ])
    func `invalid nodes are left out and counted`(text: String) throws {
        let value = try #require(JSONText.value(in: text))
        let frame = try Self.frame(ReplayFixture.event(1, nodes: [value, ReplayFixture.node(3, "image")]))
        #expect(frame.nodes.map(\.id) == [3])
        #expect(frame.faults == 1)
    }

    @Test(
        arguments: [
            (["size": "34"], #"{"id":2,"role":"text"}"#),
            (["size": 1e300], #"{"id":2,"role":"text","size":200}"#),
            (["width": Double.nan], #"{"id":2,"role":"text"}"#),
            (["height": Double.infinity], #"{"id":2,"role":"text"}"#),
            (["box": [1, 2, 3]], #"{"id":2,"role":"text"}"#),
            (["box": [1, 2, 3, 4, 5]], #"{"id":2,"role":"text"}"#),
            (["box": [-1e9, 0, 5, 5]], #"{"id":2,"role":"text","box":[-100000,0,5,5]}"#),
            (["words": [3, 900, 0, -4]], #"{"id":2,"role":"text","words":[3,20]}"#),
            (["words": "words"], #"{"id":2,"role":"text"}"#),
            (["children": 3], #"{"id":2,"role":"text"}"#),
            (["children": AttributeValue.array([3, "4"])], #"{"id":2,"role":"text","children":[3]}"#),
            (["fill": "url(https://example.org)"], #"{"id":2,"role":"text"}"#),
            (["fill": "#12345g"], #"{"id":2,"role":"text"}"#),
            (["ink": "red/101"], #"{"id":2,"role":"text"}"#),
            (["ink": "red;background:url(x)"], #"{"id":2,"role":"text"}"#),
            (["align": "middle"], #"{"id":2,"role":"text"}"#),
            (["columns": 10_000], #"{"id":2,"role":"text","columns":24}"#),
            (["fraction": -3], #"{"id":2,"role":"text","fraction":0.0}"#),
            (["words": [4], "text": "seen"], #"{"id":2,"role":"text","words":[4]}"#),
        ] as [(Attributes, String)])
    func `invalid values are left out or clamped, and counted`(
        more: Attributes, expected: String,
    ) throws {
        let (node, faults) = try Self.node(more)
        var text = JSONText()
        text.append(node)
        #expect(text.string == expected)
        #expect(faults == 1)
    }

    @Test
    func `the text of a field is always left out, and an unknown role becomes a group`() throws {
        #expect(try Self.node(["text": "4111111111111111"], role: "field").0.text == nil)
        #expect(try Self.node([:], role: "<script>").0.role == "group")
        #expect(try Self.node(["fill": "ultraviolet/40"]).0.fill == nil)
        #expect(try Self.node(["fill": "ultraviolet/40"]).faults == 0)
        #expect(try Self.node(["text": String(repeating: "é", count: 500)]).0.text?.count == 400)
    }

    @Test
    func `nodes and children beyond the limits are left out`() throws {
        let many = (10..<3_000).map {
            ReplayFixture.node($0, "row", ["children": AttributeValue.array(Array(repeating: 1, count: 100))])
        }
        let frame = try Self.frame(ReplayFixture.event(0, nodes: many))
        #expect(frame.nodes.count == ReplayFrame.nodeLimit)
        #expect(frame.nodes.reduce(0) { $0 + $1.children.count } <= 2 * ReplayFrame.nodeLimit)
        #expect(frame.faults > 1_990)
        let twice = try Self.frame(
            ReplayFixture.event(1, nodes: [ReplayFixture.node(2, "text"), ReplayFixture.node(2, "image")]))
        #expect(twice.nodes.map(\.role) == ["text"])
        #expect(twice.faults == 1)
    }

    @Test
    func `a frame larger than 1 MiB is rejected, and the rest of its request is stored`() async throws {
        let scratch = try Scratch()
        try await scratch.withStore { store in
            let heavy = String(repeating: "\u{1}", count: 400)
            let nodes = (10..<1_000).map { ReplayFixture.node($0, "text", ["text": heavy]) }
            let result = try await store.ingest(
                logs: ReplayFixture.group([
                    ReplayFixture.event(0), ReplayFixture.event(1, nodes: nodes), ReplayFixture.event(2),
                    ReplayFixture.event(3, session: nil),
                ]))
            #expect(result.rejected == 2)
            #expect(result.reason?.contains("the limit is 1048576") == true)
            let course = try await store.replay(ReplayQuery(session: "s-1"))
            #expect(course?.recordings.first?.frames.map(\.sequence) == [0, 2])
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `random input is rejected or becomes a frame within all limits`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<250 {
            var attributes = ReplayFixture.event(Int64.random(in: 0...3, using: &random)).attributes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let element = attributes.randomElement(using: &random)
                guard let key = element?.key else { continue }
                attributes[key] = Self.mutated(attributes[key] ?? .empty, &random, depth: 0)
            }
            guard let frame = try? ReplayFrame(attributes, timeUnixNano: 1) else { continue }
            #expect(frame.nodes.count <= ReplayFrame.nodeLimit)
            #expect(Set(frame.nodes.map(\.id)).count == frame.nodes.count)
            for node in frame.nodes {
                #expect(ReplayNode.roles.contains(node.role))
                #expect(node.words.allSatisfy { (1...20).contains($0) } && node.words.count <= 60)
                #expect((node.box ?? []).allSatisfy { abs($0) <= 100_000 })
                #expect((node.text ?? "").unicodeScalars.count <= 400)
                #expect(node.size.map { (1...200).contains($0) } ?? true)
            }
            var text = JSONText()
            text.append(frame)
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(text.bytes)) }
        }
    }

    private static let keys = [
        "id", "role", "children", "words", "text", "name", "box", "padding", "spacing", "align", "width", "grow",
        "columns", "size", "fill", "ink", "radius", "on", "fraction", "dim", "$int", "",
    ]

    private static func mutated(_ value: AttributeValue, _ random: inout SeededGenerator, depth: Int) -> AttributeValue
    {
        if depth < 5, Int.random(in: 0..<3, using: &random) > 0 {
            switch value {
            case .array(var elements) where !elements.isEmpty:
                let index = Int.random(in: elements.indices, using: &random)
                elements[index] = mutated(elements[index], &random, depth: depth + 1)
                return .array(elements)
            case .map(var members):
                let key = keys.randomElement(using: &random) ?? ""
                members[key] = mutated(members[key] ?? .empty, &random, depth: depth + 1)
                return .map(members)
            default: break
            }
        }
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return .empty
        case 1: return .int(Int64.random(in: Int64.min...Int64.max, using: &random))
        case 2: return .int(Int64.random(in: -3...70, using: &random))
        case 3:
            return .double(
                [.nan, .infinity, -.infinity, -0.0, 1e308, .leastNonzeroMagnitude].randomElement(using: &random) ?? 0)
        case 4: return .double(Double.random(in: -1e6...1e6, using: &random))
        case 5: return .bool(Bool.random(using: &random))
        case 6: return .string(String(repeating: "\u{0}\"\\é𝄞", count: Int.random(in: 0...200, using: &random)))
        case 7:
            return .string(["text", "field", "#ff0000/4", "red/", "leading top"].randomElement(using: &random) ?? "")
        case 8: return .bytes([0, 255])
        case 9:
            return .array(
                Array(repeating: mutated(.empty, &random, depth: 6), count: Int.random(in: 0...90, using: &random)))
        case 10: return .array([value, value])
        default: return .map([(keys.randomElement(using: &random) ?? ""): value])
        }
    }
}
