import AstrolabeTelemetryModel

/// The traces that a server is to be asked for, each once, in the order in which they arrived.
///
/// Both what waits and what is remembered have a bound. The oldest ones leave first: a server forgets them first, too.
struct PromotionQueue {
    /// The traces so far, by what became of them.
    struct Counts: Equatable {
        /// The server looks for what it has of them.
        var accepted = 0
        /// The server was asked too often.
        var refused = 0
        /// Spans of the server had arrived already.
        var present = 0
        /// There were too many, or the server did not answer.
        var dropped = 0
    }

    static let waitingLimit = 10_000
    static let batchLimit = 256
    /// The traces of each of two generations that are remembered.
    static let knownLimit = 50_000

    var counts = Counts()
    private(set) var waiting: [TraceID] = []
    private var known: (new: Set<TraceID>, old: Set<TraceID>) = ([], [])

    /// Adds traces that have not been added before.
    ///
    /// - Returns: True if there were such.
    mutating func add(_ traces: [TraceID]) -> Bool {
        let before = waiting.count
        for trace in traces where !known.old.contains(trace) && known.new.insert(trace).inserted {
            waiting.append(trace)
            if known.new.count >= Self.knownLimit { known = ([], known.new) }
        }
        let isLonger = waiting.count > before
        let excess = max(waiting.count - Self.waitingLimit, 0)
        waiting.removeFirst(excess)
        counts.dropped += excess
        return isLonger
    }

    /// Removes the oldest traces, as many as one request may have.
    mutating func next() -> [TraceID] {
        let batch = Array(waiting.prefix(Self.batchLimit))
        waiting.removeFirst(batch.count)
        return batch
    }
}
