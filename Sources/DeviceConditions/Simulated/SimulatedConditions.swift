import AstrolabePlatform

/// Conditions by hand or by a script, for tests, demonstrations and the device simulator.
///
///     let device = SimulatedConditions(Conditions(network: .wifi))
///     device.apply(ConditionsUpdate(network: .offline))
public final class SimulatedConditions: ConditionsMonitor {
    public let board: ConditionsStore
    private let play: (@Sendable (ConditionsStore) async -> Void)?
    private let player = Locked<Task<Void, Never>?>(nil)

    public init(_ initial: Conditions = Conditions()) {
        board = ConditionsStore(initial)
        play = nil
    }

    /// Plays a script from `start()` on, in the time of the clock.
    public init<Time: Clock>(
        playing script: ConditionsScript, clock: Time = ContinuousClock(),
    ) where Time.Duration == Duration {
        board = ConditionsStore(script.initial)
        play = { board in await Self.play(script, on: board, clock: clock) }
    }

    deinit { player.withLock { $0?.cancel() } }

    /// Returns false where the lifecycle that was asked for cannot be reached.
    @discardableResult
    public func apply(_ update: ConditionsUpdate) -> Bool { board.apply(update) }

    /// Starts the script at its beginning, where there is one and it is not being played.
    public func start() {
        guard let play else { return }
        player.withLock { player in
            guard player == nil else { return }
            player = Task { [board] in await play(board) }
        }
    }

    public func stop() {
        player.withLock { player in
            player?.cancel()
            player = nil
        }
        board.finish()
    }

    private static func play<Time: Clock>(
        _ script: ConditionsScript, on board: ConditionsStore, clock: Time,
    ) async where Time.Duration == Duration {
        let start = clock.now
        for step in script.steps {
            do {
                try await clock.sleep(until: start.advanced(by: step.time), tolerance: nil)
            } catch {
                return
            }
            board.apply(step.update)
        }
    }
}
