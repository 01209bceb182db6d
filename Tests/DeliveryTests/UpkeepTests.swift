import AstrolabeDelivery
import AstrolabeJournal
import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Testing

struct UpkeepTests {
    /// Otherwise it would write to memory that has been freed.
    @Test func `upkeep that comes late finds the sink that has requested it`() throws {
        let folder = TemporaryDirectory()
        let works = Locked<[@Sendable () -> Void]>([])
        weak var held: JournalSink?
        do {
            var configuration = JournalConfiguration(directory: folder.path)
            configuration.preparesOnDemand = true
            let journal = try RecordJournal(configuration, header: [])
            let sink = JournalSink(journal) { work in works.withLock { $0.append(work) } }
            held = sink
            let header = RecordHeader(
                kind: .event, priority: .normal, scope: ScopeNumber(rawValue: 0), timeUnixNano: 1)
            let record = [UInt8](repeating: 1, count: 1_024)
            for _ in 0..<10_000 where works.withLock({ $0.isEmpty }) {
                record.withUnsafeBytes { sink.append($0, header: header) }
            }
        }
        let requested = works.exchange([])
        #expect(!requested.isEmpty)
        #expect(held != nil)
        for work in requested { work() }
    }
}
