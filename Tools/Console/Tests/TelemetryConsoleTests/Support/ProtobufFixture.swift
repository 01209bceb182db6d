/// OTLP requests in protobuf, written field by field by a small encoder that shares no code with the SDK.
enum ProtobufFixture {
    /// The span "checkout" of session "s-pb" in trace 1-2.
    static let trace = request(
        spans: field(1, [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2]) + field(2, [0, 0, 0, 0, 0, 0, 0, 3])
            + field(5, Array("checkout".utf8)) + fixed(7, 1_790_000_000_000_000_000)
            + fixed(8, 1_790_000_000_250_000_000) + field(9, attribute("session.id", "s-pb"))
    )

    /// A span without the required ids.
    static let traceWithoutIDs = request(spans: field(5, Array("nameless".utf8)))

    /// A summary with one data point, a legacy kind of metric.
    static let summary = field(
        1, field(2, field(2, field(1, Array("old".utf8)) + field(11, field(1, fixed(3, 5) + [0x20, 1])))),
    )

    private static func request(spans: [UInt8]) -> [UInt8] {
        let resource = field(1, attribute("service.name", "fixture"))
        return field(1, field(1, resource) + field(2, field(2, spans)))
    }

    private static func attribute(_ key: String, _ value: String) -> [UInt8] {
        field(1, Array(key.utf8)) + field(2, field(1, Array(value.utf8)))
    }

    private static func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
        var length = content.count
        var head: [UInt8] = [number << 3 | 2]
        while length >= 0x80 {
            head.append(UInt8(length & 0x7F) | 0x80)
            length >>= 7
        }
        return head + [UInt8(length)] + content
    }

    private static func fixed(_ number: UInt8, _ value: UInt64) -> [UInt8] {
        [number << 3 | 1] + (0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
