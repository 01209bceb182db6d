/// A FIFO work queue drained by one caller at a time. The caller whose `add` returns `true` must drain it.
///
///     if queue.withLock({ $0.add([event]) }) {
///         while let event = queue.withLock({ $0.next() }) { handle(event) }
///     }
///
/// Holds only the state. The caller provides the lock and handles the elements outside of it.
package struct SerialWorkQueue<Element> {
    private var waiting: [Element] = []
    private var isBusy = false

    /// - Parameter isBusy: Whether the owner is already draining and will call `next`.
    package init(isBusy: Bool = false) {
        self.isBusy = isBusy
    }

    /// Appends elements; returns whether the caller must drain the queue. False if another caller is draining it or it
    /// is empty.
    package mutating func add(_ elements: [Element]) -> Bool {
        waiting.append(contentsOf: elements)
        defer { isBusy = isBusy || !waiting.isEmpty }
        return !isBusy && !waiting.isEmpty
    }

    /// Returns the next element; `nil` ends the caller's turn.
    package mutating func next() -> Element? {
        isBusy = !waiting.isEmpty
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }
}

extension SerialWorkQueue: Sendable where Element: Sendable {}
