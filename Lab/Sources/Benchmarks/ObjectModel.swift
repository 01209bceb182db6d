import Astrolabe
import Foundation

/// The design of most SDKs, for comparison only. A span is an object with a dictionary behind a lock. A finished span
/// is copied to a value, which waits in a queue until the exporter encodes it.
final class ObjectModelSpan: @unchecked Sendable {  // every access to `state` holds the lock
    struct Finished {
        var traceID: [UInt8]
        var spanID: [UInt8]
        var name: String
        var kind: Int
        var start: UInt64
        var end: UInt64
        var attributes: [String: AttributeValue]
    }

    private let lock = NSLock()
    private var state: Finished

    init(name: String, kind: Int) {
        var random = SystemRandomNumberGenerator()
        state = Finished(
            traceID: (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) },
            spanID: (0..<8).map { _ in UInt8.random(in: 0...255, using: &random) }, name: name, kind: kind,
            start: Self.now, end: 0, attributes: [:])
    }

    func setAttribute(_ key: String, _ value: AttributeValue) {
        lock.withLock { state.attributes[key] = value }
    }

    func end() -> Finished {
        lock.withLock {
            state.end = Self.now
            return state
        }
    }

    private static var now: UInt64 { UInt64(Date().timeIntervalSince1970 * 1e9) }

    /// The same work as `Workload.record`.
    static func record() -> Finished {
        let span = ObjectModelSpan(name: "GET /api/products/{id}", kind: 3)
        span.setAttribute("http.request.method", .string("GET"))
        span.setAttribute("url.full", .string("http://shop.example:8080/api/products/OLJCESPC7Z"))
        span.setAttribute("server.address", .string("shop.example"))
        span.setAttribute("server.port", .int(8_080))
        span.setAttribute("http.response.status_code", .int(200))
        span.setAttribute("demo.product.id", .string("OLJCESPC7Z"))
        span.setAttribute("demo.cached", .bool(false))
        span.setAttribute("demo.product.price", .double(101.96))
        return span.end()
    }
}

extension ObjectModelSpan.Finished {
    /// Encodes the span as protobuf with nested messages, as a generated encoder does.
    func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        Self.delimited(0x0A, traceID, &bytes)
        Self.delimited(0x12, spanID, &bytes)
        Self.delimited(0x2A, Array(name.utf8), &bytes)
        bytes.append(0x30)
        Self.varint(UInt64(kind), &bytes)
        for (tag, time) in [(UInt8(0x39), start), (0x41, end)] {
            bytes.append(tag)
            withUnsafeBytes(of: time.littleEndian) { bytes.append(contentsOf: $0) }
        }
        for (key, value) in attributes {
            var pair: [UInt8] = []
            Self.delimited(0x0A, Array(key.utf8), &pair)
            Self.delimited(0x12, Self.encoded(value), &pair)
            Self.delimited(0x4A, pair, &bytes)
        }
        return bytes
    }

    fileprivate static func encoded(_ value: AttributeValue) -> [UInt8] {
        var bytes: [UInt8] = []
        switch value {
        case .string(let text): delimited(0x0A, Array(text.utf8), &bytes)
        case .bool(let flag): bytes += [0x10, flag ? 1 : 0]
        case .int(let number):
            bytes.append(0x18)
            varint(UInt64(bitPattern: number), &bytes)
        case .double(let number):
            bytes.append(0x21)
            withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
        case .empty, .bytes, .array, .map: break
        }
        return bytes
    }

    fileprivate static func delimited(_ tag: UInt8, _ content: [UInt8], _ bytes: inout [UInt8]) {
        bytes.append(tag)
        varint(UInt64(content.count), &bytes)
        bytes += content
    }

    private static func varint(_ value: UInt64, _ bytes: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}

/// The same design for an event: a value with a dictionary, with which attributes of the moment are merged, and which
/// waits for the exporter.
struct ObjectModelEvent {
    private let time: UInt64
    private let name: String
    private let identifier: String
    private let attributes: [String: AttributeValue]

    init(_ name: String, _ attributes: Attributes, merging ambient: [String: AttributeValue]) {
        time = UInt64(Date().timeIntervalSince1970 * 1e9)
        self.name = name
        identifier = UUID().uuidString
        var all = ambient
        for element in attributes { all[element.key] = element.value }
        self.attributes = all
    }

    /// Encodes the event as protobuf with nested messages, as a generated encoder does.
    func encoded() -> [UInt8] {
        typealias Wire = ObjectModelSpan.Finished
        var bytes: [UInt8] = []
        for tag: UInt8 in [0x09, 0x59] {
            bytes.append(tag)
            withUnsafeBytes(of: time.littleEndian) { bytes.append(contentsOf: $0) }
        }
        bytes += [0x10, 9]
        for (key, value) in attributes.merging(["log.record.uid": .string(identifier)], uniquingKeysWith: { $1 }) {
            var pair: [UInt8] = []
            Wire.delimited(0x0A, Array(key.utf8), &pair)
            Wire.delimited(0x12, Wire.encoded(value), &pair)
            Wire.delimited(0x32, pair, &bytes)
        }
        Wire.delimited(0x62, Array(name.utf8), &bytes)
        return bytes
    }
}
