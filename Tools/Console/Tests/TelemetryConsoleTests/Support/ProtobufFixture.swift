import AstrolabeSemantics
import AstrolabeWire

/// OTLP requests in protobuf, field by field. The numbers are literal.
enum ProtobufFixture {
    /// The span "checkout" of session "s-pb" in trace 1-2.
    static let trace = request(
        field(1, [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2]) + field(2, [0, 0, 0, 0, 0, 0, 0, 3])
            + field(5, Array("checkout".utf8)) + fixed(7, 1_790_000_000_000_000_000)
            + fixed(8, 1_790_000_000_250_000_000) + field(9, attribute("session.id", "s-pb"))
    )

    /// A span without the required ids.
    static let traceWithoutIDs = request(field(5, Array("nameless".utf8)))

    /// The event "hello" of session "s-pb".
    static let log = log(time: 1_790_000_000_000_000_000)

    static func log(time: UInt64) -> [UInt8] {
        request(fixed(1, time) + field(12, Array("hello".utf8)) + field(6, attribute("session.id", "s-pb")))
    }

    /// The gauge "battery" with the value 0.5.
    static let gauge = request(
        field(1, Array("battery".utf8))
            + field(5, field(1, fixed(3, 1_790_000_000_000_000_000) + fixed(4, (0.5).bitPattern)))
    )

    /// A replay frame without its contents and its session.
    static let replayFrame = field(1, field(2, field(2, field(12, Array(EventName.replay.utf8)))))

    /// - Parameter record: A span, a log record or a metric.
    private static func request(_ record: [UInt8]) -> [UInt8] {
        let resource = field(1, attribute("service.name", "fixture"))
        return field(1, field(1, resource) + field(2, field(2, record)))
    }

    private static func attribute(_ key: String, _ value: String) -> [UInt8] {
        field(1, Array(key.utf8)) + field(2, field(1, Array(value.utf8)))
    }

    private static func field(_ number: UInt32, _ content: [UInt8]) -> [UInt8] {
        var message = WireMessage()
        message.bytes(number, content)
        return message.bytes
    }

    private static func fixed(_ number: UInt32, _ value: UInt64) -> [UInt8] {
        var message = WireMessage()
        message.fixed64(number, value)
        return message.bytes
    }
}
