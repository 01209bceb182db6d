extension Segment {
    /// Returns the record of a row, with all of its fields.
    package func record(at row: Int) -> QueryRecord {
        var time: Int64 = 0
        var adjustedCount = 1.0
        var fields: [String: QueryValue] = [:]
        for (name, parts) in columns {
            guard let value = parts.lazy.map({ self.value(of: $0, at: row) }).first(where: { !$0.isMissing }) else {
                continue
            }
            switch (name, value) {
            case ("time", .int(let value)): time = value
            case ("adjusted_count", .double(let value)): adjustedCount = value
            default: fields[name] = value
            }
        }
        return QueryRecord(time: time, adjustedCount: adjustedCount, fields: fields)
    }

    private func value(of part: Part, at row: Int) -> QueryValue {
        guard let index = part.rows.map({ self.index(of: row, in: $0) }) ?? row else { return .missing }
        switch part.values {
        case .codes(let vector, let dictionary): return value(Int(image.number(vector, at: index)), of: dictionary)
        case .integers(let vector, let min, _):
            return .int(min &+ Int64(truncatingIfNeeded: image.number(vector, at: index)))
        case .doubles(let vector): return .double(Double(bitPattern: image.number(vector, at: index)))
        }
    }

    /// Returns the place of a row in a list of ascending rows.
    private func index(of row: Int, in rows: SegmentImage.Vector) -> Int? {
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if Int(image.number(rows, at: middle)) < row { low = middle + 1 } else { high = middle }
        }
        return low < rows.count && Int(image.number(rows, at: low)) == row ? low : nil
    }

    private func value(_ code: Int, of dictionary: Dictionary) -> QueryValue {
        guard code > 0 else { return .missing }
        guard let offsets = dictionary.offsets, let bytes = dictionary.bytes else { return .bool(code == 2) }
        let (start, end) = (Int(image.number(offsets, at: code - 1)), Int(image.number(offsets, at: code)))
        return .string(image.text(bytes, start..<end))
    }
}
