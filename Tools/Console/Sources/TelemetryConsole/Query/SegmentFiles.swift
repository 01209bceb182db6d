import ConsoleModel
import Foundation
import Logging
import ServerSupport
import TelemetryQuery

/// The files of sealed segments of one dataset, in a folder beside the database. The store lists those that are valid.
///
/// A file that is missing, damaged, of an older version or not in the list is made again from the records.
struct SegmentFiles: Sendable {
    private let folder: URL
    private let store: any ArrivalSource
    private let dataset: Dataset
    private let logger: Logger

    init(store: any ArrivalSource, dataset: Dataset, logger: Logger) {
        folder = Self.folder(beside: store.configuration.path)
        self.store = store
        self.dataset = dataset
        self.logger = logger
    }

    /// The folder of the files of a database: `console.sqlite-columns` beside `console.sqlite`.
    static func folder(beside database: String) -> URL {
        URL(fileURLWithPath: database + "-columns", isDirectory: true)
    }

    /// Returns the ranges that the store lists.
    func ranges() async throws -> [SealedRange] { try await store.sealedRanges(of: dataset.rawValue).ranges }

    /// Opens and checks the files of `ranges`, several at a time. Those that cannot be used are missing in the result.
    func open(_ ranges: [SealedRange]) async -> [SealedRange: Segment] {
        await withTaskGroup { tasks in
            for range in ranges { tasks.addTask { (range, open(range)) } }
            return await tasks.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    private func open(_ range: SealedRange) -> Segment? {
        guard range.version == RecordReader.version else { return nil }
        do {
            let segment = try Segment(path: path(endingAt: range.sequence.upperBound))
            guard segment.checksum == range.checksum, segment.rowCount == range.rowCount else {
                throw SegmentError.damaged("it is not the file that was written")
            }
            return segment
        } catch {
            logger.notice("Columns of \(range.rowCount) \(dataset.rawValue) are made again. \(error)")
            return nil
        }
    }

    /// Writes a segment to a file and lists it. Returns the segment as mapped from the file, or `nil` if that fails.
    ///
    /// - Parameter stamp: The state of rows that may change; 0 for records.
    func keep(_ segment: Segment, of sequence: ClosedRange<Int64>, stamp: Int64 = 0) async -> Segment? {
        do {
            try OwnerFiles.createFolder(folder)
            let path = path(endingAt: sequence.upperBound)
            try segment.write(to: path)
            let mapped = try Segment(path: path)
            try await store.addSealedRange(
                SealedRange(
                    dataset: dataset.rawValue, sequence: sequence, rowCount: segment.rowCount,
                    version: RecordReader.version, checksum: segment.checksum, stamp: stamp))
            return mapped
        } catch {
            logger.warning("Columns of \(segment.rowCount) \(dataset.rawValue) stay in memory. \(error)")
            return nil
        }
    }

    func remove(endingAt last: Int64) {
        try? FileManager.default.removeItem(atPath: path(endingAt: last))
    }

    /// Removes the files of this dataset that end at none of these sequence numbers.
    func removeOthers(than ends: Set<Int64>) {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for file in files where file.hasPrefix(dataset.rawValue + "-") {
            let end = Int64(file.dropFirst(dataset.rawValue.count + 1).prefix { $0.isNumber })
            if let end, ends.contains(end), file == name(endingAt: end) { continue }
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(file))
        }
    }

    private func name(endingAt last: Int64) -> String { "\(dataset.rawValue)-\(last).segment" }

    private func path(endingAt last: Int64) -> String {
        folder.appendingPathComponent(name(endingAt: last)).path
    }
}
