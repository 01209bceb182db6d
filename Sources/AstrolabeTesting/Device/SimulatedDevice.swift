import AstrolabePlatform

/// A phone whose conditions a test sets, by hand or by a script in virtual time.
///
///     let device = SimulatedDevice()
///     device.goOffline()
///     device.drainBattery(to: 0.04)
///     device.enterBackground()
///
/// It starts in nominal conditions: Wi-Fi, 80 % battery, nominal temperature, the app in the foreground. Observers get
/// each change before the call returns. It takes the place of the system's own monitor wherever a ``ConditionsMonitor``
/// is asked for.
public final class SimulatedDevice: ConditionsMonitor {
    public let store: ConditionsStore
    private let model: DeviceContext
    private let script = Locked<[ScheduledAction]>([])

    public init(_ conditions: Conditions = .nominal, model: DeviceContext = .simulatedPhone) {
        store = ConditionsStore(conditions)
        self.model = model
    }

    /// Lives through a script that begins now, in the time of a clock.
    ///
    ///     let clock = TestClock()
    ///     let device = SimulatedDevice(playing: .commute(stepping: .seconds(10)), on: clock)
    ///     clock.advance(by: .seconds(10))
    ///     device.current.network    // .offline
    ///
    /// A step is taken on the thread that moves the clock, before the clock goes on.
    public convenience init(
        playing script: ConditionsScript, on clock: TestClock, model: DeviceContext = .simulatedPhone,
    ) {
        self.init(script.initial, model: model)
        let start = clock.now
        let actions = script.steps.map { step in
            clock.schedule(at: start.advanced(by: step.time)) { [store] in store.apply(step.update) }
        }
        self.script.withLock { $0 = actions }
    }

    deinit { script.withLock { $0 }.forEach { $0.cancel() } }

    /// The device's description, with its power and heat of the moment.
    public var context: DeviceContext { model.updated(with: current) }

    /// Does nothing: a simulated device needs no watching.
    public func start() {}

    /// Ends the sequences of `changes()`; the device lives on.
    public func stop() { store.finish() }

    /// Returns false where the lifecycle that was asked for cannot be reached; the other parts are applied then too.
    @discardableResult
    public func apply(_ update: ConditionsUpdate) -> Bool { store.apply(update) }
}
