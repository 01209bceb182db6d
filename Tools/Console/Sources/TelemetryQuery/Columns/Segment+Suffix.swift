extension Segment {
    /// Returns the rows from a row on as a segment in memory; `nil` if there are none.
    ///
    /// It copies columns and makes no records, so it costs much less than reading the records again.
    ///
    /// - Parameter sequence: The sequence numbers that the records of these rows may have.
    package func suffix(from first: Int, sequence: ClosedRange<Int64>) -> Segment? {
        guard first < rowCount else { return nil }
        var writer = SegmentWriter(rowCount: rowCount - first)
        for (name, parts) in columns.sorted(by: { $0.key < $1.key }) {
            var kept: [[UInt8]] = []
            for part in parts {
                if let entry = suffix(of: part, from: first, to: &writer) { kept.append(entry) }
            }
            if !kept.isEmpty { writer.column(name, kept) }
        }
        // What the writer makes passes every check of the reader.
        return try? Segment(SegmentImage(writer.finish(sequence: sequence, omitted: omitted)))
    }

    private func suffix(of part: Part, from first: Int, to writer: inout SegmentWriter) -> [UInt8]? {
        switch part.values {
        case .codes(let vector, let dictionary):
            let all = suffix(of: image.codes(vector), in: part, from: first)
            let present = all.values.indices.filter { all.values[$0] > 0 }
            if present.isEmpty { return nil }
            let rows = present.map { all.rows[$0] }
            var codes = present.map { all.values[$0] }
            if dictionary.offsets == nil { return writer.codes(rows, codes, kind: .bool) }
            let texts = texts(of: dictionary, renumbering: &codes)
            let entry = writer.codes(rows, codes, kind: .text)
            return entry + writer.dictionary(texts)
        case .integers(let vector, let min, _):
            let kept = suffix(of: image.integers(vector, base: min), in: part, from: first)
            return kept.values.isEmpty ? nil : writer.integers(kept.rows, kept.values)
        case .doubles(let vector):
            let kept = suffix(of: image.doubles(vector), in: part, from: first)
            return kept.values.isEmpty ? nil : writer.doubles(kept.rows, kept.values)
        }
    }

    /// The values from a row on, whose row becomes 0.
    private func suffix<Value>(
        of values: [Value], in part: Part, from first: Int,
    ) -> (rows: [UInt16], values: [Value]) {
        guard let listed = part.rows else {
            return ((0..<(rowCount - first)).map { UInt16(truncatingIfNeeded: $0) }, Array(values[first...]))
        }
        let rows = image.codes(listed)
        let start = rows.firstIndex { Int($0) >= first } ?? rows.count
        return (rows[start...].map { UInt16(truncatingIfNeeded: Int($0) - first) }, Array(values[start...]))
    }

    /// Returns the texts that codes refer to, in the order of their first use, and makes the codes those of the result.
    private func texts(of dictionary: Dictionary, renumbering codes: inout [UInt32]) -> [String] {
        let values = values(of: dictionary)
        var numbers = [UInt32](repeating: 0, count: values.count)
        var texts: [String] = []
        for index in codes.indices {
            let old = Int(codes[index])
            if numbers[old] == 0 {
                texts.append(values[old].text ?? "")
                numbers[old] = UInt32(texts.count)
            }
            codes[index] = numbers[old]
        }
        return texts
    }
}
