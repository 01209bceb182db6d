/// The rows of a batch that one transaction writes. A large batch has several, so that others come between them.
struct BatchPart: Sendable {
    let batch: PreparedBatch
    /// The rows, counted over the spans, logs, points and replay frames of the batch in this order.
    let rows: Range<Int>

    var spans: ArraySlice<PreparedBatch.SpanRow> { own(batch.spans, after: 0) }
    var logs: ArraySlice<PreparedBatch.LogRow> { own(batch.logs, after: batch.spans.count) }
    var points: ArraySlice<PreparedBatch.PointRow> { own(batch.points, after: batch.spans.count + batch.logs.count) }

    var replays: ArraySlice<PreparedBatch.ReplayRow> {
        own(batch.replays, after: batch.spans.count + batch.logs.count + batch.points.count)
    }

    /// - Parameter start: The number of rows before the first of `all`.
    private func own<Row>(_ all: [Row], after start: Int) -> ArraySlice<Row> {
        let range = rows.clamped(to: start..<start + all.count)
        return all[range.lowerBound - start..<range.upperBound - start]
    }
}

extension PreparedBatch {
    /// Returns all rows in parts of at most `count`.
    func parts(of count: Int) -> [BatchPart] {
        stride(from: 0, to: recordCount, by: count).map { start in
            BatchPart(batch: self, rows: start..<min(start + count, recordCount))
        }
    }
}
