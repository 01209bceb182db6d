/// What is recorded of the app's own health: crashes, hangs, late frames, starts and endings.
///
///     configuration.health.hangThresholds.hang = 0.5
///     configuration.health.capturesCrashes = false        // another crash reporter has the floor
public struct HealthConfiguration: Hashable, Sendable {
    /// False leaves all of it out. Default true; a server, which has no sessions, has none of it whatever this says.
    public var isEnabled = true
    /// Whether the signals of crashes are handled; handlers that were there before are called after. Never under a
    /// debugger. Default true.
    public var capturesCrashes = true
    /// Whether the main thread is watched. Default true.
    public var watchesHangs = true
    public var hangThresholds = HangThresholds()
    /// Whether frames that are told to ``FrameMonitor`` are judged and measured. Default true.
    public var measuresFrames = true
    /// Whether starts are recorded as spans. Default true.
    public var measuresStart = true

    public init() {}
}
