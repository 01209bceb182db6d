import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeWire

@Suite("Attributes read back")
struct AttributesReadingTests {
    private let attributes = Attributes(
        [
            "session.id": .string("a5c0"), "count": .int(-7), "isOn": .bool(true), "ratio": .double(0.25),
            "none": .empty, "bytes": .bytes([0, 255]),
            "list": .array([.string("a"), .int(1), .array([.bool(false)])]),
            "map": .map(["inner": AttributeValue.map(["deep": "é"])]),
        ] as [String: AttributeValue])

    @Test("every kind of value is what was written")
    func roundTrip() {
        #expect(read(written(attributes)) == attributes)
        #expect(read([]) == [:])
    }

    @Test("every cut is refused or holds the first of the attributes")
    func cuts() {
        let bytes = written(attributes)
        for length in bytes.indices {
            guard let part = read(Array(bytes.prefix(length))) else { continue }
            #expect(written(part) == Array(bytes.prefix(length)))
        }
    }

    @Test("what is not an attribute is refused")
    func faults() {
        #expect(read([0xFF]) == nil)
        #expect(read([0x08, 1]) == nil)
        #expect(read([0x32, 5, 0x0A, 1]) == nil)
        #expect(read([0x33]) == nil)
    }

    @Test("values that nest 33 deep are refused")
    func nesting() {
        #expect(read(written(["key": nested(32)])) == ["key": nested(32)])
        #expect(read(written(["key": nested(33)])) == nil)
    }

    private func nested(_ depth: Int) -> AttributeValue {
        (0..<depth).reduce(.int(1)) { value, _ in .array([value]) }
    }

    private func written(_ attributes: Attributes) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendWire(attributes.wireSize) { attributes.write(as: SpanField.attributes, to: &$0) }
        return bytes
    }

    private func read(_ bytes: [UInt8]) -> Attributes? {
        bytes.withUnsafeBytes { Attributes(wire: $0) }
    }
}
