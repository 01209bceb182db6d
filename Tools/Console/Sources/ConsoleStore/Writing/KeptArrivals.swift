import AstrolabePlatform
import ConsoleModel

/// The newest committed spans and log records, so that columns are made from what was written and no row is read again.
///
/// It has all of them from a sequence number on, or none. What is older, or was written before a start or a failure, is
/// in the database alone.
final class KeptArrivals: Sendable {
    private struct State {
        /// The oldest first, by sequence number.
        var parts: [ArrivedRows] = []
        var bytes = 0
        /// All records after this number are here; `nil` before the first.
        var start: Int64?
    }

    private let limit: Int
    private let state = Locked(State())

    /// - Parameter bytes: The size beyond which the oldest are dropped, to three quarters of it.
    init(bytes: Int) {
        limit = bytes
    }

    /// Adds what one transaction wrote. Call it after the commit, in the order of the transactions.
    func add(_ parts: [ArrivedRows]) {
        guard let first = parts.first else { return }
        state.withLock { state in
            if state.start == nil { state.start = first.firstSeq - 1 }
            state.parts += parts
            state.bytes += parts.reduce(0) { $0 + $1.bytes }
            guard state.bytes > limit else { return }
            var count = 0
            while count < state.parts.count, state.bytes > limit / 4 * 3 {
                state.bytes -= state.parts[count].bytes
                state.start = state.parts[count].lastSeq
                count += 1
            }
            state.parts.removeFirst(count)
        }
    }

    /// Forgets all records, because it is not known whether the last ones were committed.
    func restart() {
        state.withLock { $0 = State() }
    }

    /// Returns at most `limit` spans in `range`, lowest first, with the names of their sessions.
    ///
    /// - Returns: `nil` if some may be in the database alone.
    func spans(in range: ClosedRange<Int64>, limit: Int) -> [(record: SpanRecord, session: String?)]? {
        found(in: range, limit: limit, of: { $0.spans })?.flatMap { part, rows in rows.map { part.span($0) } }
    }

    /// The same of events and log records.
    func events(in range: ClosedRange<Int64>, limit: Int) -> [(record: EventRecord, session: String?)]? {
        found(in: range, limit: limit, of: { $0.logs })?.flatMap { part, rows in rows.map { part.event($0) } }
    }

    private func found(
        in range: ClosedRange<Int64>, limit: Int, of kind: (ArrivedRows) -> [ArrivedRows.Row],
    ) -> [(part: ArrivedRows, rows: ArraySlice<ArrivedRows.Row>)]? {
        state.withLock { state in
            guard let start = state.start, range.lowerBound > start else { return nil }
            var found: [(part: ArrivedRows, rows: ArraySlice<ArrivedRows.Row>)] = []
            var rest = limit
            // The newest are asked for.
            var index = state.parts.lastIndex { $0.lastSeq < range.lowerBound }.map { $0 + 1 } ?? 0
            while index < state.parts.endIndex, rest > 0, state.parts[index].firstSeq <= range.upperBound {
                let part = state.parts[index]
                let rows = kind(part).drop { $0.seq < range.lowerBound }
                    .prefix { $0.seq <= range.upperBound }.prefix(rest)
                if !rows.isEmpty { found.append((part, rows)) }
                rest -= rows.count
                index += 1
            }
            return found
        }
    }
}
