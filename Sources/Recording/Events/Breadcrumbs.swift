import AstrolabePlatform
import AstrolabeTelemetryModel

/// The last breadcrumbs, oldest first: a new one takes the place of the oldest if there is no room.
///
/// They lie in memory and go nowhere by themselves: an error takes them along.
package final class Breadcrumbs: Sendable {
    private struct State {
        var crumbs: [Breadcrumb] = []
        var limit = 100
        /// The number of breadcrumbs that were ever added.
        var added: UInt64 = 0
        /// The trace whose exception took them along last, and how many there had been by then.
        var told: (trace: TraceID, added: UInt64)?
        var mirror: (@Sendable (String) -> Void)?
        /// The number in `RecordingPeriods` that breadcrumbs are remembered of.
        var period: UInt64 = 0

        mutating func trim() {
            if crumbs.count > limit { crumbs.removeFirst(crumbs.count - limit) }
        }
    }

    private let state = Locked(State())

    /// Bytes of all breadcrumbs that go with one error: of more, the oldest stay behind.
    static let totalLimit = 16_384

    init() {}

    /// - Parameter period: The number of the period in which it was made.
    func add(_ crumb: Breadcrumb, in period: UInt64) {
        let mirror = state.withLock { state -> (@Sendable (String) -> Void)? in
            guard state.period == period else { return nil }
            state.crumbs.append(crumb)
            state.added &+= 1
            state.trim()
            return state.mirror
        }
        if let mirror, let text = crumb.json(limit: Breadcrumb.encodedLimit) { mirror(text) }
    }

    /// Has each breadcrumb told from now on as the JSON that an error carries, at most `Breadcrumb.encodedLimit` bytes,
    /// so that it can be kept where it outlives the process. Told from the thread that adds it. `nil` ends that.
    package func mirror(_ body: (@Sendable (String) -> Void)?) {
        state.withLock { $0.mirror = body }
    }

    /// Forgets all, and remembers those of the period with this number from now on.
    func begin(_ period: UInt64) {
        state.withLock { state in
            state.crumbs = []
            state.told = nil
            state.period = period
        }
    }

    /// Keeps at most so many from now on; 100 until this is called, and none below 1.
    package func keep(atMost limit: Int) {
        state.withLock { state in
            state.limit = max(limit, 0)
            state.trim()
        }
    }

    /// Those that are remembered, the oldest first.
    package var all: [Breadcrumb] { state.withLock { $0.crumbs } }

    /// The breadcrumbs for an error event; `nil` if there are none.
    func attribute(textLimit: Int) -> AttributeValue? { Self.encode(all, textLimit: textLimit) }

    /// The breadcrumbs for an exception of a span; `nil` if there are none, or if an exception of this trace has taken
    /// the same ones along. An error that is thrown through ten spans is recorded by all of them.
    func attribute(forExceptionIn trace: TraceID, textLimit: Int) -> AttributeValue? {
        let crumbs = state.withLock { state -> [Breadcrumb] in
            if let told = state.told, told == (trace, state.added) { return [] }
            state.told = (trace, state.added)
            return state.crumbs
        }
        return Self.encode(crumbs, textLimit: textLimit)
    }

    /// - Parameter textLimit: Bytes that a text in an attribute may have; what is longer would be cut.
    private static func encode(_ crumbs: [Breadcrumb], textLimit: Int) -> AttributeValue? {
        var texts: [AttributeValue] = []
        var size = 0
        for crumb in crumbs.reversed() {
            guard let text = crumb.json(limit: min(Breadcrumb.encodedLimit, textLimit)) else { continue }
            size += text.utf8.count
            guard size <= totalLimit else { break }
            texts.append(.string(text))
        }
        return texts.isEmpty ? nil : .array(texts.reversed())
    }
}
