/// What is to be dealt with one at a time and in order, by whoever brings something while nobody is at it.
///
///     if line.withLock({ $0.add([event]) }) {
///         while let event = line.withLock({ $0.next() }) { handle(event) }
///     }
///
/// It is the state alone: the lock around it, and what is done without one, are the caller's.
package struct SerialWorkQueue<Element> {
    private var waiting: [Element] = []
    private var isBusy = false

    /// - Parameter isBusy: Whether its owner is at something already, and will ask for the next.
    package init(isBusy: Bool = false) {
        self.isBusy = isBusy
    }

    /// Whether the caller is to deal with what waits; otherwise somebody is at it, or nothing waits.
    package mutating func add(_ elements: [Element]) -> Bool {
        waiting += elements
        defer { isBusy = isBusy || !waiting.isEmpty }
        return !isBusy && !waiting.isEmpty
    }

    /// The first that waits; nil where the caller is through.
    package mutating func next() -> Element? {
        isBusy = !waiting.isEmpty
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }
}

extension SerialWorkQueue: Sendable where Element: Sendable {}
