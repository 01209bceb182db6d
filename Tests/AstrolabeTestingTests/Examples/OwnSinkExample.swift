import AstrolabeTesting
import Foundation
import Testing

/// Keeps records in memory, for a screen that shows them to developers.
final class DebugScreenSink: RecordSink, @unchecked Sendable {  // the lock orders every access
    private let lock = NSLock()
    private var scopes: [InstrumentationScope] = []
    private var kept: [SinkConformance.StoredRecord] = []

    var records: [SinkConformance.StoredRecord] { lock.withLock { kept } }

    func register(_ scope: InstrumentationScope) -> ScopeNumber {
        lock.withLock {
            let index = scopes.firstIndex(of: scope) ?? scopes.count
            if index == scopes.count { scopes.append(scope) }
            return ScopeNumber(rawValue: UInt16(index))
        }
    }

    func append(_ bytes: UnsafeRawBufferPointer, header: RecordHeader) {
        let record = SinkConformance.StoredRecord(header: header, bytes: Array(bytes))
        lock.withLock { kept.append(record) }
    }
}

@Test func `the sink of the debug screen keeps the contract`() {
    let violations = SinkConformance.check {
        DebugScreenSink()
    } reading: {
        $0.records
    }
    #expect(violations == [])
}
