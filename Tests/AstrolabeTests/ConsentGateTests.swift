import AstrolabeDelivery
import AstrolabeJournal
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstrolabeWire
import Testing

@testable import Astrolabe

@Suite struct `The gate of consent` {
    private let directory = TemporaryDirectory()

    @Test func `puts no record under another scope if one has no room in a new journal`() throws {
        var configuration = JournalConfiguration(directory: directory.path)
        configuration.preparesOnDemand = true
        configuration.definitionBytes = 1_024
        let journal = try RecordJournal(configuration, header: [])
        let gate = ConsentGate()
        let first = InstrumentationScope(name: "first")
        var numbers = [first, InstrumentationScope(name: String(repeating: "x", count: 8_192))].map(gate.register)
        numbers.append(gate.register(InstrumentationScope(name: "third")))
        gate.open(JournalSink(journal) { _ in })
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
}
