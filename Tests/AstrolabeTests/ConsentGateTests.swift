import AstrolabeDelivery
import AstrolabeJournal
import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstrolabeWire
import Testing

@testable import Astrolabe

@Suite struct `The gate of consent` {
    private let directory = TemporaryDirectory()

    @Test func `leaves half of the memory before the unlock to records that are sampled in`() {
        var held = PreUnlockBuffer()
        func add(isSampledOut: Bool) {
            let header = RecordHeader(
                kind: .span, priority: .normal, scope: ScopeNumber(rawValue: 1), timeUnixNano: 1,
                isSampledOut: isSampledOut)
            [UInt8](repeating: 1, count: 100).withUnsafeBytes { held.add($0, header: header) }
        }
        for _ in 0..<2_000 { add(isSampledOut: true) }
        #expect(held.records.count == 1_000 && held.refused == 1_000)
        for _ in 0..<1_000 { add(isSampledOut: false) }
        #expect(held.records.count == 2_000 && held.refused == 1_000)
    }

    @Test func `puts no record under another scope if one has no room in a new journal`() throws {
        var configuration = JournalConfiguration(directory: directory.path)
        configuration.preparesOnDemand = true
        configuration.definitionBytes = 1_024
        let journal = try RecordJournal(configuration, header: [])
        let gate = ConsentGate()
        let first = InstrumentationScope(name: "first")
        var numbers = [first, InstrumentationScope(name: String(repeating: "x", count: 8_192))].map(gate.register)
        numbers.append(gate.register(InstrumentationScope(name: "third")))
        gate.open(JournalSink(journal) { _ in }, unlessClosedSince: gate.closings)
        numbers.append(gate.register(InstrumentationScope(name: "later")))
        let bytes: [UInt8] = [1]
        for number in numbers {
            let header = RecordHeader(kind: .event, priority: .normal, scope: number, timeUnixNano: 1)
            bytes.withUnsafeBytes { gate.append($0, header: header) }
        }
        let lease = try #require(journal.lease(maximumRecords: 10, maximumBytes: .max))
        let scopes = lease.records.map { lease.run.definition($0.tag) }
        #expect(scopes == [EncodedScope(first).fields, nil, nil, nil])
    }

    private static func append(_ byte: UInt8, _ priority: Priority, to gate: ConsentGate) {
        let header = RecordHeader(
            kind: .event, priority: priority, scope: ScopeNumber(rawValue: 1), timeUnixNano: UInt64(byte))
        [byte].withUnsafeBytes { gate.append($0, header: header) }
    }

    @Test func `may be used by what a record starts that was kept in memory`() throws {
        let journal = try RecordJournal(JournalConfiguration(directory: directory.path), header: [])
        let gate = ConsentGate()
        gate.hold()
        _ = gate.register(InstrumentationScope(name: "first"))
        Self.append(1, .critical, to: gate)
        let sink = JournalSink(journal) { _ in }
        let number = Locked<ScopeNumber?>(nil)
        sink.whenCritical {
            let second = gate.register(InstrumentationScope(name: "second"))
            number.withLock { $0 = second }
            Self.append(2, .normal, to: gate)
        }
        gate.open(sink, unlessClosedSince: gate.closings)
        #expect(number.withLock { $0 } == ScopeNumber(rawValue: 2))
        Self.append(3, .normal, to: gate)
        let lease = try #require(journal.lease(maximumRecords: 10, maximumBytes: .max))
        #expect(lease.records.map(\.time) == [1, 2, 3])
        sink.whenCritical {}
    }

    @Test func `stays closed if it was closed after it was decided to open it`() throws {
        let journal = try RecordJournal(JournalConfiguration(directory: directory.path), header: [])
        let gate = ConsentGate()
        let closings = gate.closings
        gate.close()
        gate.open(JournalSink(journal) { _ in }, unlessClosedSince: closings)
        Self.append(1, .normal, to: gate)
        #expect(journal.lease(maximumRecords: 10, maximumBytes: .max) == nil)
    }
}
