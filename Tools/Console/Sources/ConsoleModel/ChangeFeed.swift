/// Distributes changes to subscribers. Changes for a slow reader are merged instead of queued.
package actor ChangeFeed {
    private var readers: [Int: Reader] = [:]
    private var nextReader = 0
    private var isClosed = false

    package init() {}

    private struct Reader {
        let signal: AsyncStream<Void>.Continuation
        var pending: Change?
    }

    package func publish(_ change: Change) {
        for id in readers.keys {
            if readers[id]?.pending?.merge(change) == nil { readers[id]?.pending = change }
            readers[id]?.signal.yield()
        }
    }

    /// Subscribes to all changes from now on.
    package func subscribe() -> ChangeSubscription {
        let (stream, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = nextReader
        nextReader += 1
        if isClosed {
            signal.finish()
        } else {
            readers[id] = Reader(signal: signal)
            signal.onTermination = { _ in Task { await self.remove(id) } }
        }
        return ChangeSubscription(feed: self, id: id, signals: stream)
    }

    func take(_ id: Int) -> Change? {
        defer { readers[id]?.pending = nil }
        return readers[id]?.pending
    }

    private func remove(_ id: Int) {
        readers[id] = nil
    }

    package func close() {
        isClosed = true
        for reader in readers.values { reader.signal.finish() }
        readers = [:]
    }
}

/// The changes as they are committed, until the store closes or the task is cancelled. It supports one iteration.
package struct ChangeSubscription: AsyncSequence, Sendable {
    let feed: ChangeFeed
    let id: Int
    /// Yields when `take` has something to return, for readers that also wait for other events.
    package let signals: AsyncStream<Void>

    /// Returns all changes since the last call, or `nil` if there were none.
    package func take() async -> Change? {
        await feed.take(id)
    }

    package func makeAsyncIterator() -> Iterator {
        Iterator(subscription: self, signals: signals.makeAsyncIterator())
    }

    package struct Iterator: AsyncIteratorProtocol {
        let subscription: ChangeSubscription
        var signals: AsyncStream<Void>.Iterator

        package mutating func next() async -> Change? {
            while await signals.next() != nil {
                if let change = await subscription.take() { return change }
            }
            return nil
        }
    }
}
