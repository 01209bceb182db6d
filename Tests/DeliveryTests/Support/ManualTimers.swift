import AstrolabeDelivery
import AstrolabePlatform
import AstrolabeTestSupport

/// Timers that a test fires.
final class ManualTimers: Sendable {
    private struct Timer {
        let number: Int
        let seconds: Double
        let body: @Sendable () -> Void
    }

    private struct State {
        var timers: [Timer] = []
        var count = 0
    }

    private let state = Locked(State())

    /// Time that stands still, with these timers.
    var time: DeliveryTime {
        var time = DeliveryTime(now: { 0 }, sleep: { _ in try await untilCancelled() })
        time.timer = { [self] seconds, body in
            let number = state.withLock { state in
                state.count += 1
                state.timers.append(Timer(number: state.count, seconds: seconds, body: body))
                return state.count
            }
            return { [self] in state.withLock { $0.timers.removeAll { $0.number == number } } }
        }
        return time
    }

    /// The seconds of the timers that wait.
    var waiting: [Double] { state.withLock { $0.timers.map(\.seconds) } }

    /// Fires all timers that wait.
    func fire() {
        let timers = state.withLock { state in
            defer { state.timers = [] }
            return state.timers
        }
        for timer in timers { timer.body() }
    }
}
