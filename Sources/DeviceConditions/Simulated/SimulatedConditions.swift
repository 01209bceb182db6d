import AstrolabePlatform

/// Conditions set manually or by a script, for tests, demonstrations and the device simulator.
///
///     let device = SimulatedConditions(Conditions(network: .wifi))
///     device.apply(ConditionsUpdate(network: .offline))
public final class SimulatedConditions: ConditionsMonitor {
    public let store: ConditionsStore
    private let play: (@Sendable (ConditionsStore) async -> Void)?
    private let player = Locked<Task<Void, Never>?>(nil)

    public init(_ initial: Conditions = Conditions()) {
        store = ConditionsStore(initial)
        play = nil
    }

    /// Creates conditions that play a script after `start()`, in the clock's time.
    public init<Time: Clock>(
        playing script: ConditionsScript, clock: Time = ContinuousClock(),
    ) where Time.Duration == Duration {
        store = ConditionsStore(script.initial)
        play = { store in await Self.play(script, on: store, clock: clock) }
    }

    deinit { player.withLock { $0?.cancel() } }

    /// Applies an update; returns false if the lifecycle state cannot be reached.
    @discardableResult
    public func apply(_ update: ConditionsUpdate) -> Bool { store.apply(update) }

    /// Starts the script from its beginning, if there is one and it is not already playing.
    public func start() {
        guard let play else { return }
        player.withLock { player in
            guard player == nil else { return }
            player = Task { [store] in await play(store) }
        }
    }

    public func stop() {
        player.withLock { player in
            player?.cancel()
            player = nil
        }
        store.finish()
    }

    private static func play<Time: Clock>(
        _ script: ConditionsScript, on store: ConditionsStore, clock: Time,
    ) async where Time.Duration == Duration {
        let start = clock.now
        for step in script.steps {
            do {
                try await clock.sleep(until: start.advanced(by: step.time), tolerance: nil)
            } catch {
                return
            }
            store.apply(step.update)
        }
    }
}
