/// Hands changes to those who watch. A slow reader gets fewer, larger changes, never a queue of them.
actor ChangeFeed {
    private var readers: [Int: Reader] = [:]
    private var nextReader = 0
    private var isClosed = false

    private struct Reader {
        let signal: AsyncStream<Void>.Continuation
        var pending: Change?
    }

    func publish(_ change: Change) {
        for id in readers.keys {
            if readers[id]?.pending?.merge(change) == nil { readers[id]?.pending = change }
            readers[id]?.signal.yield()
        }
    }

    /// From this moment no change is missed.
    func subscribe() -> ChangeSubscription {
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

    func close() {
        isClosed = true
        for reader in readers.values { reader.signal.finish() }
        readers = [:]
    }
}

/// Changes as they are committed, until the store closes or the reading task is cancelled. Read it once.
package struct ChangeSubscription: AsyncSequence, Sendable {
    let feed: ChangeFeed
    let id: Int
    /// Yields when there is something to `take`; for those who wait for other things too.
    package let signals: AsyncStream<Void>

    /// All that changed since the last call; `nil` for nothing.
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
