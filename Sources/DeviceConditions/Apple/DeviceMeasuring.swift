/// The switch for the system's measurements of the battery and the orientation.
///
/// It does while the SDK runs, but not in the background, where the sensor would only cost energy.
package struct DeviceMeasuring: Sendable {
    package enum Change: Hashable, Sendable {
        /// `isBatteryMonitored` is what the app had set, which is to be set again.
        case begin
        case end(isBatteryMonitored: Bool)
    }

    private var isStarted = false
    private var isBatteryMonitored: Bool?

    package init() {}

    /// - Parameter isBatteryMonitored: Whether the app monitors the battery itself.
    package mutating func start(_ lifecycle: LifecycleState, isBatteryMonitored: Bool) -> Change? {
        isStarted = true
        return move(to: lifecycle, isBatteryMonitored: isBatteryMonitored)
    }

    package mutating func move(to lifecycle: LifecycleState, isBatteryMonitored: Bool) -> Change? {
        guard isStarted else { return nil }
        if [.background, .suspended, .terminated].contains(lifecycle) { return end() }
        guard self.isBatteryMonitored == nil else { return nil }
        self.isBatteryMonitored = isBatteryMonitored
        return .begin
    }

    package mutating func stop() -> Change? {
        isStarted = false
        return end()
    }

    private mutating func end() -> Change? {
        defer { isBatteryMonitored = nil }
        return isBatteryMonitored.map { .end(isBatteryMonitored: $0) }
    }
}
