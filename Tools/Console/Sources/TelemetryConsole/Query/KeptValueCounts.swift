import AstrolabePlatform
import TelemetryQuery

/// The number of times that each value of a field occurs in a segment, for completion.
///
/// A segment never changes, so after an arrival only the segments of the newest records are counted.
final class KeptValueCounts: Sendable {
    private struct Key: Hashable {
        let dataset: Dataset
        let field: String
        let sequence: ClosedRange<Int64>
        let checksum: UInt64
    }

    /// The number of fields and segments beyond which all are counted again.
    private static let limit = 256
    /// Counts of more values are not kept.
    private static let valueLimit = 1_000

    private let kept = Locked<[Key: [QueryValue: Int]]>([:])

    /// Returns what ``ColumnCatalog/counts(of:in:of:)`` does.
    func counts(of field: String, in segment: Segment, of dataset: Dataset) -> [QueryValue: Int] {
        let key = Key(dataset: dataset, field: field, sequence: segment.sequence, checksum: segment.checksum)
        if let known = kept.withLock({ $0[key] }) { return known }
        let found = ColumnCatalog.counts(of: field, in: segment, of: dataset)
        if found.count <= Self.valueLimit {
            kept.withLock { kept in
                if kept.count >= Self.limit { kept = [:] }
                kept[key] = found
            }
        }
        return found
    }
}
