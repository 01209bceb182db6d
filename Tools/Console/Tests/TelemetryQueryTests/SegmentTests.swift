import Foundation
import Testing

@testable import TelemetryQuery

@Suite
struct SegmentTests {
    private static func records(_ count: Int, seed: UInt64 = 1) -> [QueryRecord] {
        var random = SeededNumbers(seed: seed)
        return (0..<count).map { _ in RandomRecords.record(using: &random) }
    }

    private static func image(of records: [QueryRecord]) throws -> [UInt8] {
        var builder = SegmentBuilder()
        for (index, record) in records.enumerated() { builder.append(record, sequence: Int64(index)) }
        let segment = try #require(builder.segment())
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).segment")
        defer { try? FileManager.default.removeItem(at: file) }
        try segment.write(to: file.path)
        return [UInt8](try Data(contentsOf: file))
    }

    /// Makes the checksum right again.
    private static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count >= 32 else { return bytes }
        var bytes = bytes
        let sum = SegmentImage.checksum(bytes, from: 32)
        for index in 0..<8 { bytes[24 + index] = UInt8(truncatingIfNeeded: sum >> UInt64(8 * index)) }
        return bytes
    }

    @Test
    func `a segment from a file has every value of its records`() throws {
        let records = Self.records(300)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).segment")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(try Self.image(of: records)).write(to: file)
        let segment = try Segment(path: file.path)
        // It may be deleted while it is in use.
        try FileManager.default.removeItem(at: file)
        let scan = SegmentScan(segment: segment, dataset: .spans, related: nil)
        #expect(segment.sequence == 0...299)
        #expect(segment.minTime == records.map(\.time).min())
        for field in Set(records.flatMap(\.fields.keys)) {
            var column = Array(repeating: QueryValue.missing, count: records.count)
            for part in segment.columns[field] ?? [] {
                let alone = scan.codes(of: part)
                for row in column.indices where alone.codes[row] > 0 {
                    column[row] = alone.values[Int(alone.codes[row])]
                }
            }
            #expect(column == records.map { $0.fields[field] ?? .missing }, "\(field)")
        }
        #expect(scan.times == records.map(\.time))
        #expect(scan.weights == records.map(\.adjustedCount))
    }

    @Test
    func `fields that records share make the same columns as fields of their own`() throws {
        let shared = (0..<3).map { index in
            SharedFields([
                "resource.service.name": .string("service \(index % 2)"), "resource.cores": .int(Int64(index)),
                "scope.isTest": .bool(index == 0), "resource.share": .double(0.5), "resource.none": .missing,
            ])
        }
        var (parts, whole) = (SegmentBuilder(), SegmentBuilder())
        for (index, record) in Self.records(300).enumerated() {
            let origin = shared[index / 7 % 3]
            parts.append(record, sharing: origin, sequence: Int64(index))
            var complete = record
            complete.fields.merge(origin.fields) { $1 }
            whole.append(complete, sequence: Int64(index))
        }
        let segment = try #require(parts.segment())
        #expect(segment.checksum == whole.segment()?.checksum)
        #expect(segment.columns["resource.cores"]?.isEmpty == false)
    }

    @Test
    func `of several fields with one name the first counts, also a shared one`() throws {
        let record = ListedRecord(
            time: 1,
            fields: [
                ("a", .missing), ("a", .int(1)), ("a", .int(2)), ("a", .string("x")), ("scope.name", .string("own")),
            ])
        var builder = SegmentBuilder()
        for _ in 0..<3 { builder.append(record, sharing: SharedFields(["scope.name": .string("shared")])) }
        let segment = try #require(builder.segment())
        #expect(segment.record(at: 2).fields == ["a": .int(1), "scope.name": .string("shared")])
    }

    @Test
    func `the first fields of a record get columns when its service has too many keys`() throws {
        var fields: [ListedRecord.Field] = [("name", .string("n"))]
        for index in 0..<SegmentBuilder.keysPerService { fields.append(("key \(index)", .int(1))) }
        var builder = SegmentBuilder()
        builder.append(ListedRecord(time: 1, fields: fields))
        let segment = try #require(builder.segment())
        #expect(segment.columns["name"] != nil)
        #expect(segment.columns["key \(SegmentBuilder.keysPerService - 1)"] == nil)
    }

    @Test(arguments: [1, 150, 299])
    func `a segment of the newest records is that of these records alone`(first: Int) throws {
        let records = Self.records(300)
        var all = SegmentBuilder()
        var newest = SegmentBuilder()
        for (index, record) in records.enumerated() {
            all.append(record, sequence: Int64(index))
            if index >= first { newest.append(record, sequence: Int64(index)) }
        }
        let segment = try #require(all.segment(from: first))
        #expect(segment.checksum == newest.segment()?.checksum)
        #expect(segment.sequence == Int64(first)...299)
        let whole = try #require(all.segment())
        #expect(whole.suffix(from: first, sequence: Int64(first)...299)?.checksum == segment.checksum)
        #expect(whole.suffix(from: 300, sequence: 299...299) == nil)
        #expect(all.segment(from: 300) == nil)
    }

    @Test
    func `each changed byte of a file is an error`() throws {
        let bytes = try Self.image(of: Self.records(20))
        var random = SeededNumbers(seed: 3)
        for _ in 0..<1_000 {
            var damaged = bytes
            damaged[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
            #expect(throws: SegmentError.self) { try Segment(SegmentImage(damaged)) }
        }
    }

    @Test
    func `a truncated file is an error`() throws {
        let bytes = try Self.image(of: Self.records(20))
        for count in stride(from: 0, to: bytes.count, by: 7) {
            let part = Array(bytes.prefix(count))
            #expect(throws: SegmentError.self) { try Segment(SegmentImage(part)) }
            #expect(throws: SegmentError.self) { try Segment(SegmentImage(Self.sealed(part))) }
        }
        let missing = FileManager.default.temporaryDirectory.appendingPathComponent("no such segment").path
        #expect(throws: SegmentError.unreadable(path: missing, error: ENOENT)) { try Segment(path: missing) }
    }

    @Test
    func `a file of another format says so`() throws {
        var bytes = try Self.image(of: Self.records(20))
        bytes[8] = 0
        #expect(throws: SegmentError.otherFormat(version: 0)) { try Segment(SegmentImage(bytes)) }
    }

    @Test
    func `damage under a valid checksum is an error, or a segment that can be read`() async throws {
        let bytes = try Self.image(of: Self.records(20))
        let directory = Int(try #require(SegmentImage(bytes).load(UInt64.self, at: 56)))
        var random = SeededNumbers(seed: 4)
        var errors = 0
        for round in 0..<3_000 {
            var damaged = bytes
            for _ in 0...(round % 3) {
                // The directory has the offsets and counts, so it is hit most.
                let range = random.chance(70) ? directory..<bytes.count : 8..<bytes.count
                damaged[Int.random(in: range, using: &random)] = random.pick([0, 1, 127, 128, 255])
            }
            guard let segment = try? Segment(SegmentImage(Self.sealed(damaged))) else {
                errors += 1
                continue
            }
            let scan = SegmentScan(segment: segment, dataset: .spans, related: nil)
            for field in segment.columns.keys {
                _ = scan.codes(of: .field(field))
                _ = scan.numbers(of: .field(field))
            }
        }
        #expect(errors > 1_000)
    }

    @Test
    func `a segment ends at 65,536 records`() throws {
        var builder = SegmentBuilder()
        for index in 0..<(Segment.rowLimit + 5) {
            #expect(builder.isFull == (index >= Segment.rowLimit))
            let record = QueryRecord(time: Int64(index), fields: ["name": .string("n\(index % 70_000)")])
            builder.append(record, sequence: Int64(index))
        }
        let segment = try #require(builder.segment())
        #expect(segment.rowCount == Segment.rowLimit)
        #expect(segment.sequence == 0...Int64(Segment.rowLimit - 1))
    }

    @Test
    func `a failed write names the file and leaves nothing`() throws {
        var builder = SegmentBuilder()
        builder.append(QueryRecord(time: 1, fields: [:]))
        let segment = try #require(builder.segment())
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("no such folder/a.segment").path
        #expect(throws: SegmentError.unwritable(path: path, error: ENOENT)) { try segment.write(to: path) }
    }
}
