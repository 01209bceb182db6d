import AstrolabePlatform

/// Holds the current conditions and notifies observers of each change, once and in order.
///
/// An update that changes nothing is not a change. Handlers run one at a time, without a lock, on the thread that
/// applied the update or on one that is already delivering. They may apply updates and observe. If 64 changes wait for
/// a slow handler, later ones are merged into one.
public final class ConditionsStore: Sendable {
    private enum Receiver: Sendable {
        case handler(@Sendable (ConditionsChange) -> Void)
        case sequence(AsyncStream<Conditions>.Continuation)
    }

    private struct Subscription {
        var number: UInt64
        /// The last change made, not delivered, before this subscription, which receives only later ones.
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

    /// Applies the given parts, the lifecycle through legal steps, and notifies observers of each change.
    ///
    /// - Returns: False if the lifecycle state cannot be reached; the other parts are applied nevertheless.
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

    /// Calls the handler for every change from now on, until the result is cancelled or released.
    public func observe(_ handler: @escaping @Sendable (ConditionsChange) -> Void) -> ConditionsObservation {
        let number = state.withLock { $0.subscribe(.handler(handler)) }
        return ConditionsObservation { [weak self] in self?.unsubscribe(number) }
    }

    /// The current conditions, followed by each change; a slow consumer receives only the newest.
    public func changes() -> ConditionsChanges {
        let (stream, continuation) = AsyncStream.makeStream(of: Conditions.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            continuation.yield(state.current)
            return state.subscribe(.sequence(continuation))
        }
        continuation.onTermination = { [weak self] _ in self?.unsubscribe(number) }
        return ConditionsChanges(stream: stream)
    }

    /// Ends the sequences of ``changes()``; handlers remain subscribed.
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

/// A subscription of a handler, which ends when it is cancelled or released.
public final class ConditionsObservation: Sendable {
    private let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    deinit { end() }

    /// Ends the subscription. One more call may follow from a thread that is delivering.
    public func cancel() { end() }
}

/// A sequence of changing conditions; consecutive elements are never equal.
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
