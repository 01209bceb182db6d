import AstrolabeDelivery
import AstrolabeJournal
import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeTesting
import Foundation
import Testing

struct SinkConformanceTests {
    /// Keeps records as they should be kept, except for one fault.
    private final class FaultySink: RecordSink {
        enum Fault { case none, forgetsScopes, losesPriority, keepsPointer, cutsLongOnes, losesSome, reverses }

        private struct State {
            var scopes: [InstrumentationScope] = []
            var records: [SinkConformance.StoredRecord] = []
            var pointers: [UnsafeRawBufferPointer] = []
        }

        private let fault: Fault
        private let state = Locked(State())

        init(_ fault: Fault) {
            self.fault = fault
        }

        func register(_ scope: InstrumentationScope) -> ScopeNumber {
            state.withLock { state in
                if let index = state.scopes.firstIndex(of: scope), fault != .forgetsScopes {
                    return ScopeNumber(rawValue: UInt16(index))
                }
                state.scopes.append(scope)
                return ScopeNumber(rawValue: UInt16(state.scopes.count - 1))
            }
        }

        func append(_ bytes: UnsafeRawBufferPointer, header: RecordHeader) {
            var header = header
            if fault == .losesPriority { header.priority = .normal }
            let kept = fault == .cutsLongOnes ? Array(bytes.prefix(1_000)) : Array(bytes)
            state.withLock { state in
                if fault == .losesSome, state.records.count == 100 { return }
                state.records.append(SinkConformance.StoredRecord(header: header, bytes: kept))
                state.pointers.append(bytes)
            }
        }

        var records: [SinkConformance.StoredRecord] {
            let (records, pointers) = state.withLock { ($0.records, $0.pointers) }
            switch fault {
            case .reverses: return records.reversed()
            case .keepsPointer where records.map(\.bytes.count) == [64]:
                return [SinkConformance.StoredRecord(header: records[0].header, bytes: Array(pointers[0]))]
            default: return records
            }
        }
    }

    @Test func `a good sink breaks no rule`() {
        #expect(
            SinkConformance.check {
                FaultySink(.none)
            } reading: {
                $0.records
            } == [])
    }

    @Test(
        arguments: [
            (FaultySink.Fault.forgetsScopes, "the same scope gives the same number, on whatever thread"),
            (.losesPriority, "a record comes back once, with its kind, priority, scope, time and bytes"),
            (.keepsPointer, "the bytes are copied before append returns"),
            (.cutsLongOnes, "a record that is too long is left out whole"),
            (.losesSome, "records of 4 threads at once all come back, each once"),
            (.reverses, "records of one thread keep their order"),
        ])
    private func `each fault is told by the rule that it breaks`(fault: FaultySink.Fault, rule: String) {
        let violations = SinkConformance.check {
            FaultySink(fault)
        } reading: {
            $0.records
        }
        #expect(violations.map(\.rule).contains(rule), "\(violations)")
    }

    @Test func `the journal's own sink is a good one`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sink-" + IDGenerator().nextUUID())
        defer { try? FileManager.default.removeItem(at: folder) }
        let number = Locked(0)
        let violations = try SinkConformance.check {
            let name = number.withLock { number in
                number += 1
                return String(number)
            }
            var configuration = JournalConfiguration(directory: folder.appendingPathComponent(name).path)
            configuration.preparesOnDemand = true
            return JournalSink(try RecordJournal(configuration, header: []))
        } reading: { sink in
            var records: [SinkConformance.StoredRecord] = []
            while let lease = sink.journal.lease(maximumRecords: 1_000, maximumBytes: .max) {
                for record in lease.records {
                    let header = RecordHeader(
                        kind: try #require(RecordKind(rawValue: lease.kind)),
                        priority: try #require(Priority(rawValue: record.priority)),
                        scope: ScopeNumber(rawValue: record.tag), timeUnixNano: record.time,
                    )
                    records.append(SinkConformance.StoredRecord(header: header, bytes: Array(record.bytes)))
                }
                sink.journal.acknowledge(lease)
            }
            return records
        }
        #expect(violations == [])
    }
}
