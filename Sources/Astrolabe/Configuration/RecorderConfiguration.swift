public import AstrolabeRecording

/// Settings of the flight recorder, which keeps the last minutes of sampled-out sessions on the device and sends them
/// when something goes wrong.
///
///     configuration.recorder.triggers.slowSpans = .seconds(3)
///     configuration.recorder.dailyBytes = 1_048_576
///
/// It is off for a server, with `AlwaysOffSampler`, and while the mode is minimal or memory is critical. Spans of
/// sampled-out sessions are not recorded then.
///
/// Environment: `ASTROLABE_RECORDER` (`on` or `off`) and `ASTROLABE_RECORDER_DAILY_BYTES`. In `honeycomb.plist`:
/// `RECORDER`. In a JSON file: `isEnabled` and `dailyBytes` of `telemetry.recorder`.
public struct RecorderConfiguration: Equatable, Sendable {
    /// Records sampled-out sessions on the device. Default true.
    public var isEnabled = true
    /// Bytes on the device for the records of one run. Default 4 MiB; at least 2 MiB, or room for eight of the largest
    /// records, and at most 64 MiB.
    public var capacity = 4_194_304
    /// The time before a trigger whose records are sent, if the recorder still has them. Default 15 minutes; at most
    /// a day.
    public var window: Duration = .seconds(900)
    /// The triggers that make the recorder send a session.
    public var triggers = RecorderTriggers()
    /// Bytes of records, before compression, that may be sent in a day of UTC because of a trigger. Default 2 MiB. What
    /// it refuses is counted on the event `astrolabe.recorder.promotion`.
    public var dailyBytes = 2_097_152
    /// Bytes that may be written on the device in an hour. Beyond that, the recorder is off until the hour is over.
    /// Default 64 MiB.
    public var hourlyBytes = 67_108_864

    /// Creates the default configuration.
    package init() {}

    /// A copy with every number in a range that a device can work with.
    var bounded: RecorderConfiguration {
        var bounded = self
        bounded.capacity = min(max(capacity, 2_097_152), 67_108_864)
        bounded.window = min(max(window, .zero), .seconds(86_400))
        bounded.dailyBytes = max(dailyBytes, 0)
        bounded.hourlyBytes = max(hourlyBytes, 0)
        return bounded
    }
}
