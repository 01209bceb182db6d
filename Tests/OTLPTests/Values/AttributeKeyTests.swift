import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Testing

@testable import AstrolabeOTLP

@Suite struct `Attribute keys` {
    private func attributes(_ pairs: [(String, UInt64)]) throws -> Attributes {
        try Reading.log(pairs.flatMap { Wire.attribute(6, $0.0, Wire.varint(3, $0.1)) }).attributes
    }

    @Test(arguments: [2, 5, AttributesBuilder.indexedFrom - 1, AttributesBuilder.indexedFrom, 17, 40, 300])
    func `given twice have the last value at the first place`(count: Int) throws {
        let first = (0..<count).map { ("key-\($0)", UInt64($0)) }
        let again = first.reversed().map { ($0.0, $0.1 + 1_000) }
        let read = try attributes(first + again + [("new", 7)])
        #expect(read.map(\.key) == first.map(\.0) + ["new"])
        #expect(read.map(\.value) == first.map { .int(Int64($0.1) + 1_000) } + [7])
    }

    @Test func `that look the same are the same`() throws {
        // e and a combining accent, against the letter with its accent; the Kelvin sign, against K.
        let read = try attributes([("e\u{301}", 1), ("K", 2), ("\u{E9}", 3), ("\u{212A}", 4), ("k", 5)])
        #expect(read.map(\.value) == [3, 4, 5])
    }

    @Test(arguments: [1, 7, 8, 9, 15, 16, 17, 127, 128, 129, 1_000])
    func `of any length are read and told apart`(length: Int) throws {
        let base = String(repeating: "k", count: length - 1)
        let read = try attributes((0..<10).map { (base + "\($0)", UInt64($0)) } + [(base + "3", 99)])
        #expect(read.count == 10)
        #expect(read[base + "3"] == 99)
    }

    @Test func `differ by their middle, too`() throws {
        let keys = (0..<10).map { "http.request.header.\($0).with.a.long.name.and.a.common.end" }
        #expect(try attributes(keys.map { ($0, 1) }).map(\.key) == keys)
    }

    @Test func `may be empty`() throws {
        #expect(try attributes([("", 1), ("a", 2), ("", 3)]) == ["": 3, "a": 2])
    }

    @Test func `in great numbers in one record take time in proportion to their number`() throws {
        func time(_ count: Int) throws -> Double {
            let pairs = (0..<count).map { ("some.attribute.\($0)", UInt64($0)) }
            let request = Wire.request((pairs + pairs).flatMap { Wire.attribute(6, $0.0, Wire.varint(3, $0.1)) })
            var decoded: [ResourceGroup<LogRecordData>] = []
            let seconds = try cpuSeconds { decoded = try OTLPDecoder.logs(protobuf: request) }
            #expect(decoded.first?.scopes.first?.records.first?.attributes.count == count)
            return seconds
        }
        // Twenty times the attributes: 20 times as long if it is linear, 400 times if it is quadratic.
        #expect(try excess(of: { try time(10_000) }, over: { try time(500) }, limit: 100) == nil)
    }

    @Test func `that are merged one by one take time in proportion to their number`() throws {
        func time(_ count: Int) throws -> Double {
            let parts = (0..<count).flatMap { number in
                Wire.message(5, Wire.message(6, Wire.attribute(1, "key-\(number)", Wire.varint(3, 1))))
            }
            var merged = 0
            let seconds = try cpuSeconds {
                guard case .map(let map) = try Reading.log(parts).body else { return }
                merged = map.count
            }
            #expect(merged == count)
            return seconds
        }
        #expect(try excess(of: { try time(10_000) }, over: { try time(500) }, limit: 100) == nil)
    }
}
