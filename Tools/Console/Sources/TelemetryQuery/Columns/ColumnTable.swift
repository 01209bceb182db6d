/// The records of a dataset as columns: sealed segments, and the newest records in a builder.
///
///     var table = ColumnTable()
///     table.append(record, sequence: 17)
///     let result = try await QueryEngine().evaluate(plan, over: table.segments())
package struct ColumnTable: Sendable {
    package private(set) var sealed: [Segment]
    private var builder = SegmentBuilder()
    private var tail: Segment?
    private var omittedBefore: Int

    /// - Parameter omittedValues: The values that were left out of `sealed`.
    package init(sealed: [Segment] = [], omittedValues: Int = 0) {
        self.sealed = sealed
        omittedBefore = omittedValues
    }

    /// The values that were left out since the start, because a segment had too many columns.
    package var omittedValues: Int { omittedBefore + builder.omittedValues }

    package var rowCount: Int { sealed.reduce(builder.rowCount) { $0 + $1.rowCount } }

    /// Adds a record. Returns the segment that it has filled, if any.
    @discardableResult
    package mutating func append(_ record: QueryRecord, sequence: Int64 = 0) -> Segment? {
        builder.append(record, sequence: sequence)
        tail = nil
        return builder.isFull ? seal() : nil
    }

    /// Makes the newest records a sealed segment.
    @discardableResult
    package mutating func seal() -> Segment? {
        guard let segment = builder.segment() else { return nil }
        sealed.append(segment)
        omittedBefore += builder.omittedValues
        builder = SegmentBuilder()
        tail = nil
        return segment
    }

    /// Removes the sealed segments whose records the store has deleted.
    package mutating func remove(where isDeleted: (Segment) -> Bool) {
        sealed.removeAll(where: isDeleted)
    }

    /// Returns all records, those that are not sealed included. Made once after each change.
    package mutating func segments() -> [Segment] {
        if tail == nil { tail = builder.segment() }
        return sealed + (tail.map { [$0] } ?? [])
    }
}
