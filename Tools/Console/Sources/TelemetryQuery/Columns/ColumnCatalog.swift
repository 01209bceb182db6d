/// Names the fields and values of the newest records, for completion.
///
/// It reads the newest records: as many as four full segments have for the names, and two for the values of one field.
package struct ColumnCatalog: QueryCatalog {
    /// Counts the values of a field in a segment: see ``counts(of:in:of:)``.
    package typealias Count = @Sendable (String, Segment, Dataset) -> [QueryValue: Int]

    private let segments: [Segment]
    private let count: Count

    private static let rowsForFields = 4 * Segment.rowLimit
    private static let rowsForValues = 2 * Segment.rowLimit
    private static let valueLimit = 50
    /// Longer texts are not offered.
    private static let longestValue = 120

    /// - Parameters:
    ///   - segments: Those of the dataset that is asked for, the oldest first.
    ///   - count: A replacement that keeps counts, because a segment never changes.
    package init(_ segments: [Segment], count: @escaping Count = { ColumnCatalog.counts(of: $0, in: $1, of: $2) }) {
        self.segments = segments
        self.count = count
    }

    /// Returns how many records of a segment have each value of a field.
    package static func counts(of field: String, in segment: Segment, of dataset: Dataset) -> [QueryValue: Int] {
        var counts: [QueryValue: Int] = [:]
        let codes = SegmentScan(segment: segment, dataset: dataset, related: nil).codes(of: .field(field))
        var occurrences = Array(repeating: 0, count: codes.values.count)
        for code in codes.codes { occurrences[Int(code)] += 1 }
        for (value, count) in zip(codes.values, occurrences) where count > 0 && !value.isMissing {
            counts[value, default: 0] += count
        }
        return counts
    }

    /// Returns the newest segments that have so many records together, or all.
    private func newest(rows: Int) -> ArraySlice<Segment> {
        var (first, found) = (segments.endIndex, 0)
        while first > segments.startIndex, found < rows {
            first -= 1
            found += segments[first].rowCount
        }
        return segments[first...]
    }

    /// Returns names of columns. An attribute of the resource is named without `resource.` unless the prefix has it, or
    /// the name alone means something else. A prefix `attribute.` finds every attribute of the records.
    package func fields(of dataset: Dataset, prefix: String) -> [String] {
        let isOfResource = prefix.hasPrefix(FieldNames.resourcePrefix)
        let isOfRecord = prefix.hasPrefix(FieldNames.attributePrefix)
        var counts: [String: Int] = [:]
        for segment in newest(rows: Self.rowsForFields) {
            for (column, parts) in segment.columns {
                var name = column
                if isOfRecord {
                    guard let attribute = FieldNames.attributeName(ofColumn: column, in: dataset) else { continue }
                    name = attribute
                } else if !isOfResource, let key = FieldNames.rest(of: column, after: FieldNames.resourcePrefix),
                    FieldNames.columns(for: key, in: dataset).contains(column), FieldNames.relation(of: key) == nil
                {
                    name = key
                }
                counts[name, default: 0] += parts.reduce(0) { $0 + ($1.rows?.count ?? segment.rowCount) }
            }
        }
        return counts.ranked(by: prefix) { $0 }
    }

    package func values(of field: String, in dataset: Dataset, prefix: String) -> [QueryValue] {
        var counts: [QueryValue: Int] = [:]
        for segment in newest(rows: Self.rowsForValues) {
            counts.merge(count(field, segment, dataset)) { $0 + $1 }
        }
        return Array(
            counts.ranked(by: prefix) { $0.text ?? "" }.lazy.filter { ($0.text?.utf8.count ?? 0) <= Self.longestValue }
                .prefix(Self.valueLimit))
    }
}

extension Dictionary where Key: Comparable, Value == Int {
    fileprivate func ranked(by prefix: String, text: (Key) -> String) -> [Key] {
        compactMap { key, count -> (isFirst: Bool, count: Int, key: Key)? in
            let text = text(key)
            let isFirst = text.hasPrefix(prefix)
            return isFirst || text.contains(prefix) ? (isFirst, count, key) : nil
        }.sorted { left, right in
            if left.isFirst != right.isFirst { return left.isFirst }
            return left.count != right.count ? left.count > right.count : left.key < right.key
        }.map(\.key)
    }
}
