import AstrolabeJournal
import AstrolabeTestSupport
import CAstrolabeChecksum

extension TemporaryDirectory {
    var segmentFiles: [String] { files.filter { $0.contains("/segment-") } }
    var runFiles: [String] { files.filter { $0.hasSuffix("/run") } }
}

/// A configuration with small segments, so that tests fill several.
func smallConfiguration(_ directory: TemporaryDirectory, segments: Int = 8) -> JournalConfiguration {
    var configuration = JournalConfiguration(directory: directory.path)
    configuration.segmentSize = 4_096
    configuration.maximumBytes = 4_096 * segments
    configuration.segmentsAhead = segments - 1
    configuration.definitionBytes = 4_096
    return configuration
}

extension RecordJournal {
    /// Appends a record and returns its sequence number.
    @discardableResult
    func append(
        _ bytes: [UInt8], kind: UInt8 = 1, priority: UInt8 = 1, tag: UInt16 = 0, time: UInt64 = 0,
    ) -> JournalAppend {
        bytes.withUnsafeBytes { append($0, kind: kind, priority: priority, tag: tag, time: time) }
    }

    /// Appends a record as soon as upkeep on another thread has made room for it.
    func appendWhenReady(_ bytes: [UInt8], tag: UInt16 = 0, time: UInt64 = 0) async throws {
        try await eventually("the journal has room") {
            if case .appended = append(bytes, tag: tag, time: time) { return true }
            return false
        }
    }

    /// Leases all pending records, copies them and acknowledges them.
    func drain(as outcome: JournalOutcome = .acknowledged, batch: Int = 64) -> [DrainedRecord] {
        var drained: [DrainedRecord] = []
        while let lease = lease(maximumRecords: batch, maximumBytes: .max) {
            drained += lease.copies
            acknowledge(lease, as: outcome)
        }
        return drained
    }
}

/// A copy of a record, which outlives its lease.
struct DrainedRecord: Hashable {
    var run: RunID
    var kind: UInt8
    var priority: UInt8
    var tag: UInt16
    var sequence: UInt64
    var time: UInt64
    var bytes: [UInt8]
}

extension JournalLease {
    var copies: [DrainedRecord] {
        records.map {
            DrainedRecord(
                run: run.id, kind: kind, priority: $0.priority, tag: $0.tag, sequence: $0.sequence, time: $0.time,
                bytes: Array($0.bytes),
            )
        }
    }
}

/// The checksum that a run file's fixed header must have at byte 44.
func checksumOfHeader(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    astrolabe_crc32c(0, bytes.baseAddress, 44)
}
