import AstrolabePlatform

/// Holds the current conditions and tells those who want to know, each change once and in order.
///
/// An update that changes nothing is not a change. Handlers are called one at a time, on the thread that applied the
/// update or on one that was delivering already, never with a lock held; they may apply updates and observe. A handler
/// so slow that 64 changes wait behind it gets the later ones merged into one.
public final class ConditionsStore: Sendable {
    private enum Receiver: Sendable {
        case handler(@Sendable (ConditionsChange) -> Void)
        case sequence(AsyncStream<Conditions>.Continuation)
    }

    private struct Subscription {
        var number: UInt64
        /// The last change that was made, not delivered, before this subscription: it gets those after it.
        var since: UInt64
        var receiver: Receiver
    }

    private struct Pending {
        var number: UInt64
        var change: ConditionsChange
    }

    private struct State {
        var current: Conditions
        var changeCount: UInt64 = 0
        var subscriptionCount: UInt64 = 0
        var subscriptions: [Subscription] = []
        var pending: [Pending] = []
        var isDelivering = false

        mutating func subscribe(_ receiver: Receiver) -> UInt64 {
            subscriptionCount += 1
            subscriptions.append(
                Subscription(number: subscriptionCount, since: changeCount, receiver: receiver)
            )
            return subscriptionCount
        }

        mutating func append(_ next: Conditions) {
            changeCount += 1
            var previous = current
            if pending.count >= ConditionsStore.pendingLimit, let merged = pending.popLast() {
                previous = merged.change.previous
            }
            current = next
            if previous == next { return }
            pending.append(Pending(number: changeCount, change: ConditionsChange(previous: previous, current: next)))
        }
    }

    private static let pendingLimit = 64

    private let state: Locked<State>

    public init(_ initial: Conditions = Conditions()) {
        state = Locked(State(current: initial))
    }

    public var current: Conditions { state.withLock { $0.current } }

    /// Makes the parts that are given current, the lifecycle by legal steps, and tells about each change.
    ///
    /// Returns false where the lifecycle that was asked for cannot be reached; the other parts are applied then too.
    @discardableResult
    public func apply(_ update: ConditionsUpdate) -> Bool {
        let (isReached, delivers) = state.withLock { state in
            for next in update.states(from: state.current) { state.append(next) }
            let delivers = !state.isDelivering && !state.pending.isEmpty
            state.isDelivering = state.isDelivering || delivers
            return (update.lifecycle == nil || update.lifecycle == state.current.lifecycle, delivers)
        }
        if delivers { deliver() }
        return isReached
    }

    /// Calls back for every change from now on, until the result is cancelled or released.
    public func observe(_ handler: @escaping @Sendable (ConditionsChange) -> Void) -> ConditionsObservation {
        let number = state.withLock { $0.subscribe(.handler(handler)) }
        return ConditionsObservation { [weak self] in self?.unsubscribe(number) }
    }

    /// The conditions of the moment, then of each later moment; who is slow gets only the newest.
    public func changes() -> ConditionsChanges {
        let (stream, continuation) = AsyncStream.makeStream(of: Conditions.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            continuation.yield(state.current)
            return state.subscribe(.sequence(continuation))
        }
        continuation.onTermination = { [weak self] _ in self?.unsubscribe(number) }
        return ConditionsChanges(stream: stream)
    }

    /// Ends the sequences of ``changes()``; handlers stay.
    public func finish() {
        let subscriptions = state.withLock { $0.subscriptions }
        for subscription in subscriptions {
            if case .sequence(let continuation) = subscription.receiver { continuation.finish() }
        }
    }

    private func unsubscribe(_ number: UInt64) {
        state.withLock { $0.subscriptions.removeAll { $0.number == number } }
    }

    private func deliver() {
        while let (change, receivers) = takeNext() {
            for receiver in receivers {
                switch receiver {
                case .handler(let handler): handler(change)
                case .sequence(let continuation): continuation.yield(change.current)
                }
            }
        }
    }

    private func takeNext() -> (ConditionsChange, [Receiver])? {
        state.withLock { state in
            guard !state.pending.isEmpty else {
                state.isDelivering = false
                return nil
            }
            let next = state.pending.removeFirst()
            return (next.change, state.subscriptions.filter { $0.since < next.number }.map(\.receiver))
        }
    }
}

/// Keeps a handler subscribed for as long as it lives.
public final class ConditionsObservation: Sendable {
    private let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    deinit { end() }

    /// One more call may come from a thread that is delivering at the moment.
    public func cancel() { end() }
}

/// Conditions as they change; neighbours are never equal.
public struct ConditionsChanges: AsyncSequence, Sendable {
    public typealias Element = Conditions

    let stream: AsyncStream<Conditions>

    public func makeAsyncIterator() -> Iterator {
        Iterator(base: stream.makeAsyncIterator())
    }

    public struct Iterator: AsyncIteratorProtocol {
        var base: AsyncStream<Conditions>.Iterator
        private var last: Conditions?

        init(base: AsyncStream<Conditions>.Iterator) {
            self.base = base
        }

        public mutating func next() async -> Conditions? {
            while let conditions = await base.next() {
                if conditions == last { continue }
                last = conditions
                return conditions
            }
            return nil
        }
    }
}
