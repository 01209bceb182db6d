/// Some fields of records, found by the value of a key. Of several records with the same key, the last counts.
package struct FieldTable: Sendable {
    private var rows: [String: Int32] = [:]
    private var columns: [String: (codes: [UInt32], values: [QueryValue])] = [:]

    /// - Parameter segments: Those of the dataset, the oldest first.
    package init(_ segments: [Segment], of dataset: Dataset, key: String, fields: some Collection<String>) {
        var merged: [String: (codes: [UInt32], values: [QueryValue])] = [:]
        var count = 0
        for segment in segments {
            let scan = SegmentScan(segment: segment, dataset: dataset, related: nil)
            let keys = scan.codes(of: .field(key))
            let texts = keys.values.map(\.text)
            for row in 0..<segment.rowCount {
                guard let text = texts[Int(keys.codes[row])] else { continue }
                rows[text] = Int32(truncatingIfNeeded: count + row)
            }
            count += segment.rowCount
            for field in fields {
                let codes = scan.codes(of: .field(field))
                var column = merged.removeValue(forKey: field) ?? (codes: [], values: [.missing])
                let offset = UInt32(column.values.count - 1)
                column.values += codes.values.dropFirst()
                column.codes += codes.codes.lazy.map { $0 == 0 ? 0 : $0 + offset }
                merged[field] = column
            }
        }
        columns = merged
    }

    package func value(of field: String, forKey key: String) -> QueryValue? {
        guard let row = rows[key], let column = columns[field] else { return nil }
        let value = column.values[Int(column.codes[Int(row)])]
        return value.isMissing ? nil : value
    }
}
