import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeOTLP

@Suite struct `Memory` {
    /// The memory of a value: every array's storage and every string's, without regard to sharing.
    static func footprint(_ value: AttributeValue) -> Int {
        switch value {
        case .string(let text): footprint(text)
        case .bytes(let bytes): bytes.capacity
        case .array(let values): values.capacity * MemoryLayout<AttributeValue>.stride + sum(values, footprint)
        case .map(let attributes): footprint(attributes)
        default: 0
        }
    }

    static func footprint(_ text: String) -> Int { text.utf8.count > 15 ? text.utf8.count : 0 }

    static func footprint(_ attributes: Attributes) -> Int {
        attributes.count * MemoryLayout<Attributes.Element>.stride
            + sum(attributes) { footprint($0.key) + footprint($0.value) }
    }

    static func sum<Element>(_ elements: some Sequence<Element>, _ size: (Element) -> Int) -> Int {
        elements.reduce(0) { $0 + size($1) }
    }

    static func bound(_ request: [UInt8]) -> Int { request.count * MemoryBudget.factor + MemoryBudget.base }

    @Test func `of very many empty log records is not spent`() throws {
        let request = Wire.bytes(1, Wire.bytes(2, (0..<100_000).flatMap { _ in [0x12, 0x00] as [UInt8] }))
        #expect(100_000 * MemoryLayout<LogRecordData>.stride > Self.bound(request))
        let error = try refusal { try OTLPDecoder.logs(protobuf: request) }
        #expect(error.reason.contains("16 times its length"))
        #expect(error.path == "resource_logs[0].scope_logs[0].log_records[0]")
    }

    @Test func `of very many empty values is within the bound`() throws {
        let list = Wire.bytes(5, (0..<62_500).flatMap { _ in [0x0A, 0x00] as [UInt8] })
        let request = Wire.request(Wire.bytes(5, list))
        let body = try OTLPDecoder.logs(protobuf: request)[0].scopes[0].records[0].body
        #expect(Self.footprint(body) <= Self.bound(request))
        #expect(Self.footprint(body) >= 62_500 * MemoryLayout<AttributeValue>.stride)
    }

    @Test func `is enough for a small request, whatever is in it`() throws {
        let group = Wire.request([])
        #expect(try OTLPDecoder.logs(protobuf: (0..<100).flatMap { _ in group }).count == 100)
    }

    /// The smallest records that mean anything, ten thousand at a time.
    @Test func `is enough for the smallest records with a meaning`() throws {
        let log = Wire.fixed64(1, 1_763_700_000_000_000_000) + Wire.message(5, Wire.text(1, "ok"))
        let span = Wire.ids + Wire.text(5, "s") + Wire.attribute(9, "a", Wire.varint(2, 1))
        let point = Wire.message(5, Wire.message(1, Wire.fixed64(3, 1), Wire.fixed64(6, 1)))
        let histogram = Wire.message(9, Wire.message(1, Wire.fixed64(3, 1), Wire.fixed64(4, 0)))
        func many(_ record: [UInt8]) -> [UInt8] {
            Wire.bytes(1, Wire.bytes(2, (0..<10_000).flatMap { _ in Wire.bytes(2, record) }))
        }
        #expect(try OTLPDecoder.logs(protobuf: many(log))[0].recordCount == 10_000)
        #expect(try OTLPDecoder.traces(protobuf: many(span))[0].recordCount == 10_000)
        #expect(try OTLPDecoder.metrics(protobuf: many(point))[0].recordCount == 10_000)
        #expect(try OTLPDecoder.metrics(protobuf: many(histogram))[0].recordCount == 10_000)
    }

    @Test func `is enough where a sender mixes its fields so that arrays grow step by step`() throws {
        let mixed = (0..<200).flatMap { Wire.attribute(9, "k\($0)", Wire.varint(3, 1)) + Wire.varint(10, 0) }
        let request = Wire.bytes(1, Wire.bytes(2, (0..<50).flatMap { _ in Wire.bytes(2, Wire.ids + mixed) }))
        let spans = try OTLPDecoder.traces(protobuf: request)[0].scopes[0].records
        #expect(spans.allSatisfy { $0.attributes.count == 200 })
    }

    @Test func `overflows into no smaller budget`() throws {
        var budget = MemoryBudget(inputLength: .max)
        try budget.charge(.max - 1, at: 0)
        var elements = MemoryBudget(inputLength: 0)
        #expect(throws: OTLPDecodingError.self) { try elements.chargeElements(.max, of: UInt64.self, at: 0) }
    }
}
