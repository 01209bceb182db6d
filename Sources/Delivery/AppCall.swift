import AstrolabePlatform
import Dispatch

/// A call of the app's code, which may never return.
///
/// The caller waits until a limit or, if its task is cancelled, for a moment more. The call may go on afterwards; its
/// result is ignored then.
struct AppCall: Sendable {
    indirect enum Outcome<Value: Sendable>: Sendable {
        case returned(Value)
        /// It did not return within the limit.
        case hangs
        /// The caller's task was cancelled, and it did not return soon after.
        case cancelled
    }

    /// Seconds to wait for it.
    let limit: Double
    /// Seconds to wait for it after a cancellation, for a result that is on its way.
    var grace = 1.0
    let time: DeliveryTime
    /// The object that makes the call and waits for it.
    let caller: ObjectIdentifier

    private final class Progress: Sendable {
        let caller: ObjectIdentifier
        let isOver = Locked(false)

        init(_ caller: ObjectIdentifier) {
            self.caller = caller
        }
    }

    @TaskLocal private static var current: Progress?

    /// Returns true if the current task runs in a call that `caller` waits for. To wait for `caller` would be a
    /// deadlock.
    static func isInProgress(of caller: ObjectIdentifier) -> Bool {
        guard let current, current.caller == caller else { return false }
        return !current.isOver.withLock { $0 }
    }

    /// Runs the body in a task, which is cancelled when the wait ends.
    func result<Value: Sendable>(of body: @escaping @Sendable () async -> Value) async -> Outcome<Value> {
        let race = makeRace(for: Value.self)
        let progress = Progress(caller)
        let task = start(body, in: progress, race)
        let outcome = await wait(for: race) { task.cancel() }
        progress.isOver.withLock { $0 = true }
        return outcome
    }

    /// Runs the body on a queue. It cannot be cancelled.
    func result(on queue: DispatchQueue, of body: @escaping @Sendable () -> Void) async -> Outcome<Void> {
        let race = makeRace(for: Void.self)
        queue.async {
            body()
            race.outcome.set(.returned(()))
        }
        return await wait(for: race) {}
    }

    /// A race that the limit takes part in.
    private func makeRace<Value: Sendable>(for type: Value.Type) -> AppCallRace<Value> {
        let race = AppCallRace<Value>()
        race.keep(time.timer(limit) { race.outcome.set(.hangs) })
        return race
    }

    private func start<Value: Sendable>(
        _ body: @escaping @Sendable () async -> Value, in progress: Progress, _ race: AppCallRace<Value>,
    ) -> Task<Void, Never> {
        Self.$current.withValue(progress) {
            Task { race.outcome.set(.returned(await body())) }
        }
    }

    private func wait<Value: Sendable>(
        for race: AppCallRace<Value>, cancel: @escaping @Sendable () -> Void,
    ) async -> Outcome<Value> {
        let outcome = await withTaskCancellationHandler {
            await race.outcome.value
        } onCancel: {
            cancel()
            if grace > 0 {
                race.keep(time.timer(grace) { race.outcome.set(.cancelled) })
            } else {
                race.outcome.set(.cancelled)
            }
        }
        race.stopTimers()
        if case .hangs = outcome { cancel() }
        return outcome
    }
}

/// The first outcome of a call, and the timers that may end it.
private final class AppCallRace<Value: Sendable>: Sendable {
    let outcome = FirstValue<AppCall.Outcome<Value>>()
    /// Functions that stop the timers of this call; `nil` when it is over.
    private let timers = Locked<[@Sendable () -> Void]?>([])

    /// Keeps what stops a timer until the call is over, and calls it then.
    func keep(_ stopTimer: @escaping @Sendable () -> Void) {
        let isOver = timers.withLock { timers in
            timers?.append(stopTimer)
            return timers == nil
        }
        if isOver { stopTimer() }
    }

    func stopTimers() {
        for stop in timers.exchange(nil) ?? [] { stop() }
    }
}

/// Closures of the app that do not suspend, called one after the other on a queue of their own.
///
/// While one does not return, the next ones are not called.
final class AppCallbacks: Sendable {
    private struct State {
        /// Numbers of the calls that began, returned and hung last.
        var begun = 0
        var returned = 0
        var hung = 0
    }

    private let queue: DispatchQueue
    private let state = Locked(State())

    init(label: String) {
        queue = DispatchQueue(label: label, qos: .utility)
    }

    /// Calls the body unless an earlier one hangs, which is the outcome then.
    func run(_ call: AppCall, _ body: @escaping @Sendable () -> Void) async -> AppCall.Outcome<Void> {
        let number = state.withLock { state -> Int? in
            guard state.hung <= state.returned else { return nil }
            state.begun += 1
            return state.begun
        }
        guard let number else { return .hangs }
        let outcome = await call.result(on: queue) { [state] in
            body()
            state.withLock { $0.returned = max($0.returned, number) }
        }
        if case .hangs = outcome { state.withLock { $0.hung = max($0.hung, number) } }
        return outcome
    }
}
