import AstrolabeSeededRandomness
import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeRecording

@Suite struct SpanAttributeTests {
    static let everyType: [(String, AttributeValue)] = [
        ("string", "text"), ("string.empty", ""), ("string.unicode", "Größe 🔭 \u{0}"),
        ("string.long", .string(String(repeating: "x", count: 5_000))),
        ("bool.true", true), ("bool.false", false),
        ("int.zero", 0), ("int.max", .int(.max)), ("int.min", .int(.min)), ("int.negative", -1),
        ("double", 0.1), ("double.nan", .double(.nan)), ("double.infinite", .double(-.infinity)),
        ("double.zero", -0.0),
        ("bytes", .bytes([0, 127, 128, 255])), ("bytes.empty", .bytes([])),
        ("array", ["a", 1, true, 2.5]), ("array.empty", .array([])),
        ("array.nested", .array([.array(["deep"]), .empty])),
        ("map", .map(["inner": "value", "number": 7])), ("map.empty", .map([:])), ("empty", .empty),
    ]

    let recorder = Recorder()

    @Test(arguments: everyType.indices)
    func `every type of value comes back as it was set`(index: Int) throws {
        let (key, value) = Self.everyType[index]
        let span = recorder.tracer.spanBuilder("any").startSpan()
        span.setAttribute(key, value)
        span.end()

        let recorded = try recorder.span.attributes
        #expect(recorded.count == 1)
        if case .double(let number) = value, number.isNaN {
            #expect(try #require(recorded[key]?.doubleValue).isNaN)
        } else {
            #expect(recorded[key] == value)
        }
    }

    @Test func `all types together keep the order in which they were set`() throws {
        let span = recorder.tracer.spanBuilder("any").startSpan()
        for (key, value) in Self.everyType { span.setAttribute(key, value) }
        span.end()
        #expect(try recorder.span.attributes.map(\.key) == Self.everyType.map(\.0))
    }

    @Test func `Swift's own types are taken without a conversion`() throws {
        let span = recorder.tracer.spanBuilder("any").startSpan()
        span.setAttribute("int", Int.max)
        span.setAttribute("double", Double.pi)
        span.setAttribute("bool", true)
        span.setAttribute("string", "text")
        span.setAttribute("list", ["a", "b"])
        span.end()
        #expect(
            try recorder.span.attributes
                == ["int": Int.max, "double": Double.pi, "bool": true, "string": "text", "list": ["a", "b"]])
    }

    @Test func `a key that is set again takes the new value, of whatever type and size`() throws {
        let span = recorder.tracer.spanBuilder("any").startSpan()
        span.setAttribute("before", "stays")
        span.setAttribute("again", 1)
        span.setAttribute("after", "stays too")
        span.setAttribute("again", "a longer text than the number was")
        span.setAttribute("again", ["now", "a", "list"])
        span.end()

        let attributes = try recorder.span.attributes
        #expect(attributes == ["before": "stays", "after": "stays too", "again": ["now", "a", "list"]])
        #expect(try recorder.span.droppedAttributesCount == 0)
    }

    @Test func `a key that is removed is gone, counts no more, and can be set again`() throws {
        var limits = RecordLimits()
        limits.attributeCount = 2
        let recorder = Recorder(limits: limits, ambient: ["session.id": "s-1"])
        let span = recorder.tracer.spanBuilder("any").startSpan()
        span.setAttribute("a", 1)
        span.setAttribute("b", 2)
        for key in ["a", "unknown", "", "session.id"] { span.removeAttribute(key) }
        span.setAttribute("c", 3)
        span.removeAttribute("b")
        span.setAttribute("b", 4)
        span.end()
        span.removeAttribute("c")

        #expect(try recorder.span.attributes == ["session.id": "s-1", "c": 3, "b": 4])
        #expect(try recorder.span.droppedAttributesCount == 0)
    }

    @Test func `a record never holds a key twice, whatever is set in whatever order`() throws {
        var random = SeededGenerator(seed: 20_261_121)
        for _ in 0..<60 {
            let recorder = Recorder(ambient: ["session.id": "ambient", "key.3": "ambient"])
            let span = recorder.tracer.spanBuilder("any").startSpan()
            var expected: [String: AttributeValue] = ["session.id": "ambient", "key.3": "ambient"]
            for _ in 0..<Int.random(in: 1...200, using: &random) {
                let key = Bool.random(using: &random) ? "key.\(Int.random(in: 0..<40, using: &random))" : "session.id"
                let length = Int.random(in: 0...300, using: &random)
                let value: AttributeValue =
                    length % 3 == 0 ? .int(Int64(length)) : .string(String(repeating: "v", count: length))
                span.setAttribute(key, value)
                if length % 7 == 0 { span.addEvent(key, attributes: [key: "event"]) }
                expected[key] = value
            }
            span.end()
            let keys = try ProtobufFields(recorder.rawRecords.only).count(9)
            #expect(keys == expected.count)
            let attributes = try recorder.span.attributes
            #expect(Dictionary(uniqueKeysWithValues: attributes.map { ($0.key, $0.value) }) == expected)
        }
    }

    @Test func `keys that differ in their middle alone stay apart`() throws {
        let span = recorder.tracer.spanBuilder("any").startSpan()
        let keys = (0..<100).map { "prefix.same.\($0 % 10)\($0 / 10).suffix.same" }
        for key in keys { span.setAttribute(key, key) }
        span.end()
        #expect(try recorder.span.attributes.map(\.key) == keys)
    }

    @Test func `an empty key is ignored`() throws {
        let span = recorder.tracer.spanBuilder("any").startSpan()
        span.setAttribute("", "text")
        span.setAttribute("", 1)
        span.setAttributes(["": true, "kept": true])
        span.addEvent("event", attributes: ["": 1, "kept": 2])
        span.end()
        #expect(try recorder.span.attributes == ["kept": true])
        #expect(try recorder.span.events.only.attributes == ["kept": 2])
        #expect(try recorder.span.droppedAttributesCount == 0)
    }

    @Test func `ambient attributes are on every span that starts while they hold`() throws {
        recorder.core.ambient.set("session.id", to: "first")
        let span = recorder.tracer.spanBuilder("during").startSpan()
        recorder.core.ambient.set("session.id", to: "second")
        span.end()
        recorder.tracer.spanBuilder("after").startSpan().end()
        recorder.core.ambient.set("session.id", to: nil)
        recorder.tracer.spanBuilder("none").startSpan().end()
        #expect(try recorder.spans.map { $0.attributes["session.id"] } == ["first", "second", nil])
    }

    @Test func `what a span sets wins over what is ambient, and holds once`() throws {
        let recorder = Recorder(ambient: ["app.screen.name": "Cart", "network.connection.type": "wifi"])
        let span = recorder.tracer.spanBuilder("any").startSpan()
        span.setAttribute("app.screen.name", "Checkout")
        span.end()
        #expect(try ProtobufFields(recorder.rawRecords.only).count(9) == 2)
        #expect(try recorder.span.attributes["app.screen.name"] == "Checkout")
        #expect(try recorder.span.attributes["network.connection.type"] == "wifi")
    }

    @Test func `attributes may grow far beyond the first block of memory`() throws {
        let span = recorder.tracer.spanBuilder("any").startSpan()
        let texts = (0..<100).map { String(repeating: "\($0 % 10)x", count: $0 * 10) }
        for (index, text) in texts.enumerated() { span.setAttribute("key.\(index)", text) }
        span.setAttribute("key.0", "changed")
        span.end()
        let attributes = try recorder.span.attributes
        #expect(attributes["key.0"] == "changed")
        #expect((1..<100).allSatisfy { attributes["key.\($0)"] == .string(texts[$0]) })
    }
}
