import Astrolabe
import AstrolabeTelemetryModel
import AstrolabeWire

/// A sink that copies each record into reused memory: the minimum cost of a sink.
final class CopyingSink: RecordSink, @unchecked Sendable {  // the benchmarks record from one thread
    private static let size = 1 << 20
    private let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    private var offset = 0
    private(set) var lastSize = 0

    deinit { memory.deallocate() }

    func register(_ scope: InstrumentationScope) -> ScopeNumber { ScopeNumber(rawValue: 0) }

    func append(_ record: UnsafeRawBufferPointer, header: RecordHeader) {
        guard let base = record.baseAddress, record.count <= Self.size else { return }
        if offset + record.count > Self.size { offset = 0 }
        (memory + offset).copyMemory(from: base, byteCount: record.count)
        offset += record.count
        lastSize = record.count
    }
}

/// A sink that any number of threads may use: it keeps nothing.
final class DiscardingSink: RecordSink {
    func register(_ scope: InstrumentationScope) -> ScopeNumber { ScopeNumber(rawValue: 0) }

    func append(_ record: UnsafeRawBufferPointer, header: RecordHeader) {}
}

/// A sink that keeps each span in the form that a request needs. Events of session starts belong to log requests.
final class CollectingSink: RecordSink, @unchecked Sendable {  // the benchmarks record from one thread
    private(set) var records = EncodedRecords()
    private(set) var bytes: [[UInt8]] = []

    func register(_ scope: InstrumentationScope) -> ScopeNumber { ScopeNumber(rawValue: 0) }

    func append(_ record: UnsafeRawBufferPointer, header: RecordHeader) {
        guard header.kind == .span else { return }
        records.append(record)
        bytes.append(Array(record))
    }
}
