public import AstrolabeRecording

/// Settings of the flight recorder, which keeps the last minutes of sampled-out sessions on the device and sends them
/// when something goes wrong. On a server it keeps and sends sampled-out traces.
///
///     configuration.recorder.triggers.slowSpans = .seconds(3)
///     configuration.recorder.dailyBytes = 1_048_576
///
/// It is off with `AlwaysOffSampler`, and while the mode is minimal or memory is critical. Spans of sampled-out
/// sessions are not recorded then.
///
/// Environment: `ASTROLABE_RECORDER` (`on` or `off`) and `ASTROLABE_RECORDER_DAILY_BYTES`. In `honeycomb.plist`:
/// `RECORDER`. In a JSON file: `isEnabled` and `dailyBytes` of `telemetry.recorder`.
public struct RecorderConfiguration: Equatable, Sendable {
    /// Records sampled-out sessions on the device. Default `nil`: on for an app, and off for a server.
    /// `ASTROLABE_RECORDER`: `on` or `off`.
    public var isEnabled: Bool?
    /// Bytes on the device for the records of one run; at least 2 MiB, or room for eight of the largest records, and at
    /// most 64 MiB. Default `nil`: 4 MiB, and 32 MiB for a server.
    public var capacity: Int?
    /// The time before a trigger whose records are sent, if the recorder still has them. Default 15 minutes; at most
    /// a day.
    public var window: Duration = .seconds(900)
    /// The triggers that make the recorder send a session.
    public var triggers = RecorderTriggers()
    /// Bytes of records, before compression, that may be sent in a day of UTC because of a trigger. What it refuses is
    /// counted on the event `astrolabe.recorder.promotion`. Default `nil`: 2 MiB, and 256 MiB for a server.
    /// `ASTROLABE_RECORDER_DAILY_BYTES`.
    public var dailyBytes: Int?
    /// Bytes that may be written on the device in an hour. Beyond that, the recorder is off until the hour is over.
    /// Default `nil`: 64 MiB, and 1 GiB for a server.
    public var hourlyBytes: Int?

    /// Creates the default configuration.
    package init() {}
}

/// The numbers of the flight recorder as they are used, each in a range that the machine can work with.
package struct RecorderBounds: Equatable {
    let capacity: Int
    let window: Duration
    package let dailyBytes: Int
    let hourlyBytes: Int
    package let limitPerHour: Int

    init(_ configuration: RecorderConfiguration, isServer: Bool) {
        capacity = min(max(configuration.capacity ?? (isServer ? 33_554_432 : 4_194_304), 2_097_152), 67_108_864)
        window = min(max(configuration.window, .zero), .seconds(86_400))
        dailyBytes = max(configuration.dailyBytes ?? (isServer ? 268_435_456 : 2_097_152), 0)
        hourlyBytes = max(configuration.hourlyBytes ?? (isServer ? 1_073_741_824 : 67_108_864), 0)
        limitPerHour = configuration.triggers.limitPerHour ?? (isServer ? RecorderKey.trace : .session).limitPerHour
    }
}
