package import AstrolabeOfflineQueue
package import AstrolabePlatform
import Dispatch

/// The functions that delivery calls in the rest of the SDK.
///
/// `beginFlush`, `collect` and `onDiagnostic` reach code of the app. They are called on queues of their own, and
/// delivery goes on without one that does not return.
package struct DeliveryHooks: Sendable {
    /// Called first in each flush, also while code of the app does not return. It must not call any.
    package var checkConsent: @Sendable () -> Void = {}
    /// Called before each flush.
    package var beginFlush: @Sendable () -> Void = {}
    /// Returns whether `collect` must be called before a flush with this cause.
    package var isCollectionDue: @Sendable (FlushCause) -> Bool = { _ in false }
    /// Records telemetry that is recorded only on demand: metrics, including those of the ledger.
    package var collect: @Sendable (RecordLedger) -> Void = { _ in }
    /// Returns the number of records dropped before they reached the journal, by reason, since this process started.
    package var droppedBefore: @Sendable () -> [DropReason: Int] = { [:] }
    /// Returns false while the ends of previous runs are not reported, which the flight recorder waits for.
    package var hasReportedRuns: @Sendable () -> Bool = { true }
    /// Returns true if the current session began in a previous run, or is not known yet. The flight recorder keeps the
    /// last run's records of it while a request may ask for them. Default false.
    package var continuesSession: @Sendable () -> Bool = { false }
    /// Receives false when the flight recorder has written its bytes of the hour, and true when another hour has begun.
    package var onRecorderBudget: @Sendable (_ isKept: Bool) -> Void = { _ in }
    /// Called after each flush that consent permits; `hasDelivered` is true if the server took records in it. It must
    /// return immediately.
    package var afterFlush: @Sendable (_ cause: FlushCause, _ hasDelivered: Bool) -> Void = { _, _ in }
    /// Receives each export of records that has ended. An attempt that is retried is not an end. Default `nil`.
    package var onExport: (@Sendable (ExportOutcome) -> Void)?
    /// Receives one line when delivery starts to fail, when it recovers, and when records are dropped.
    package var onDiagnostic: @Sendable (String) -> Void = { _ in }
    /// Receives one line if `onDiagnostic` does not return.
    package var onSilence: @Sendable (String) -> Void = { _ in }

    package init() {}
}

/// The clocks, sleep and randomness of delivery, injected so that tests and simulations control them.
package struct DeliveryTime: Sendable {
    /// Seconds on a monotonic clock.
    package var now: @Sendable () -> Double
    /// Nanoseconds since 1970.
    package var wall: @Sendable () -> UInt64
    /// Sleeps for a number of seconds; throws if the task is cancelled.
    package var sleep: @Sendable (Double) async throws -> Void
    /// Sleeps until the next sample of what the SDK uses of the device; by default in real time, as that use is.
    package var sleepUntilSample = Self.sleepInRealTime
    /// Calls the body after a number of seconds, unless the function that it returns is called before. Default: never,
    /// so that code of the app that does not return holds a test that does not say otherwise.
    package var timer: @Sendable (_ seconds: Double, _ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void =
        { _, _ in {} }
    /// Returns a number in 0..<1, for the jitter of the backoff.
    package var random: @Sendable () -> Double
    /// Changes with every boot, which resets the monotonic clock; empty if that is not known.
    package var boot: @Sendable () -> String = { SystemTime.bootID }
    private var isSystem = false

    package init(
        now: @escaping @Sendable () -> Double, wall: @escaping @Sendable () -> UInt64 = { SystemTime.wall },
        sleep: @escaping @Sendable (Double) async throws -> Void,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
    ) {
        self.now = now
        self.wall = wall
        self.sleep = sleep
        self.random = random
    }

    private static let sleepInRealTime: @Sendable (Double) async throws -> Void = { seconds in
        try await Task.sleep(nanoseconds: UInt64(nanosecondsIn: min(seconds, 86_400)))
    }

    package static let system: DeliveryTime = {
        var time = DeliveryTime(
            now: { Double(SystemTime.sinceBoot) / 1e9 },
            sleep: sleepInRealTime,
        )
        time.timer = { seconds, body in
            let timer = DispatchTimer(after: seconds, body)
            return { timer.cancel() }
        }
        time.isSystem = true
        return time
    }()

    /// Returns a clock for records, anchored to the current wall time.
    package func anchoredClock() -> TelemetryClock {
        if isSystem { return .anchored() }
        return TelemetryClock(wall: wall, steady: { [self] in nanoseconds }, boot: boot)
    }

    /// The clock for the queue.
    package var queueClock: QueueClock {
        isSystem ? .system : QueueClock(steady: { [self] in nanoseconds }, boot: boot)
    }

    private var nanoseconds: UInt64 { UInt64(nanosecondsIn: max(now(), 0)) }
}
