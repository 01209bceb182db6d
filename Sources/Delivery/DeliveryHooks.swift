import AstrolabePlatform

/// What delivery asks of the rest of the SDK, and tells it.
package struct DeliveryHooks: Sendable {
    /// Whether `collect` is to be called before a flush of this cause.
    package var isCollectionDue: @Sendable (FlushCause) -> Bool = { _ in false }
    /// Records what is recorded only on demand: metrics, the ledger among them.
    package var collect: @Sendable (RecordLedger) -> Void = { _ in }
    /// Records that were given up before they reached the journal, by reason, since this process started. A number may
    /// fall again: a span that was sampled out is recorded after all where it fails.
    package var droppedBefore: @Sendable () -> [DropReason: Int] = { [:] }
    /// Told in one line when delivery begins to fail, and when it works again.
    package var onDiagnostic: @Sendable (String) -> Void = { _ in }

    package init() {}
}

/// Where delivery's time and chance come from, injected so that tests and simulations hold them.
package struct DeliveryTime: Sendable {
    /// Seconds by a clock that never goes back.
    package var now: @Sendable () -> Double
    /// Nanoseconds since 1970.
    package var wall: @Sendable () -> UInt64
    /// Waits for so many seconds; throws where the task is cancelled.
    package var sleep: @Sendable (Double) async throws -> Void
    /// 0..<1, for the jitter of the backoff.
    package var random: @Sendable () -> Double

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

    package static let system = DeliveryTime(
        now: { Double(SystemTime.sinceBoot) / 1e9 },
        sleep: { seconds in try await Task.sleep(nanoseconds: UInt64(nanosecondsIn: min(seconds, 86_400))) },
    )
}
