import CChecksum
import Foundation
import Journal
import Platform

/// A directory of the test's own, removed with the last reference.
final class TemporaryDirectory: Sendable {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.path + "/journal-test-" + IDGenerator().nextUUID()
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// All files of the runs, but for their directories.
    var files: [String] {
        let all = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return all.map { path + "/" + $0 }.filter { !PrivateFiles.isDirectory($0) }.sorted()
    }

    var segmentFiles: [String] { files.filter { $0.contains("/segment-") } }
    var runFiles: [String] { files.filter { $0.hasSuffix("/run") } }

    func copy() throws -> TemporaryDirectory {
        let copy = TemporaryDirectory()
        try FileManager.default.copyItem(atPath: path, toPath: copy.path)
        return copy
    }
}

/// Small segments, so that tests roll over often.
func smallConfiguration(_ directory: TemporaryDirectory, segments: Int = 8) -> JournalConfiguration {
    var configuration = JournalConfiguration(directory: directory.path)
    configuration.segmentSize = 4_096
    configuration.maximumBytes = 4_096 * segments
    configuration.segmentsAhead = segments - 1
    configuration.definitionBytes = 4_096
    return configuration
}

extension RecordJournal {
    /// Appends, and gives the sequence number.
    @discardableResult
    func append(
        _ bytes: [UInt8], kind: UInt8 = 1, priority: UInt8 = 1, tag: UInt16 = 0, time: UInt64 = 0,
    ) -> JournalAppend {
        bytes.withUnsafeBytes { append($0, kind: kind, priority: priority, tag: tag, time: time) }
    }

    /// Takes out all that waits, as copies, and settles it.
    func drain(as outcome: JournalOutcome = .acknowledged, batch: Int = 64) -> [DrainedRecord] {
        var drained: [DrainedRecord] = []
        while let lease = lease(maximumRecords: batch, maximumBytes: .max) {
            drained += lease.copies
            acknowledge(lease, as: outcome)
        }
        return drained
    }
}

/// A record's copy, that outlives its lease.
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

/// Bytes that only their number can give, 0 to 1,500 of them: the same as the killed process makes.
func payload(_ number: UInt64) -> [UInt8] {
    var state = number
    func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
    let count = Int(next() % 1_501)
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
}

/// What a run file's fixed header must carry at byte 44.
func checksumOfHeader(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    astrolabe_crc32c(0, bytes.baseAddress, 44)
}
