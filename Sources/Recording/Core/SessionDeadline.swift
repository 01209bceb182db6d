import AstrolabePlatform
import Atomics

/// The moment at which the session ends although nothing happens.
///
/// A system may suspend an app in the background and wake it up hours later, without a word. The first record that
/// begins then asks for the end of the session before it takes the session's id.
///
/// While a time is set, a context counts as in use. Spans that are sampled out then look closer, and do so at no cost
/// while none is set, as in the foreground.
package final class SessionDeadline: Sendable {
    private static let never = UInt64.max
    private let time = UnsafeAtomic<UInt64>.create(never)
    private let onPass = Locked<(@Sendable () -> Void)?>(nil)

    init() {}

    deinit {
        set(nil)
        time.destroy()
    }

    /// - Parameters:
    ///   - time: Nanoseconds since 1970 by the core's clock; `nil` for never, as in the foreground.
    package func set(_ time: UInt64?) {
        let new = time ?? Self.never
        let old = self.time.exchange(new, ordering: .relaxed)
        if old == Self.never, new != Self.never { ContextUse.begin(ContextUse.context) }
        if old != Self.never, new == Self.never { ContextUse.end(ContextUse.context) }
    }

    /// Sets what is called, once for each time that is set, on the thread of the first record after it.
    package func whenPassed(_ body: @escaping @Sendable () -> Void) { onPass.withLock { $0 = body } }

    /// Called before a root span or an event begins. One atomic load if no time is set.
    @inline(__always)
    func check(_ clock: TelemetryClock) {
        if time.load(ordering: .relaxed) != Self.never { checkTime(clock) }
    }

    @inline(never)
    private func checkTime(_ clock: TelemetryClock) {
        let deadline = time.load(ordering: .relaxed)
        guard deadline != Self.never, clock.now >= deadline,
            time.compareExchange(expected: deadline, desired: Self.never, ordering: .relaxed).exchanged
        else { return }
        ContextUse.end(ContextUse.context)
        onPass.withLock { $0 }?()
    }
}
