import AstrolabePlatform
import AstrolabeSemantics
import AstrolabeTelemetryModel

/// The attributes of a hang's event.
struct HangDescription {
    let attributes: Attributes

    init(_ hang: HangRecord, id: String, images: [BinaryImage], thresholds: HangThresholds = HangThresholds()) {
        var stacks = StackDescription(images)
        let seconds = Double(hang.duration) / 1e9
        var attributes: Attributes = [
            AttributeKey.astrolabeHangID: id, AttributeKey.astrolabeHangDuration: seconds,
            AttributeKey.astrolabeHangSeverity: seconds >= thresholds.severe.seconds ? "severe" : "hang",
            AttributeKey.astrolabeHangHasEnded: hang.hasEnded,
            AttributeKey.astrolabeHangThreshold: thresholds.hang.seconds,
        ]
        let buildID = images.executableBuildID
        if !buildID.isEmpty { attributes[AttributeKey.appBuildID] = .string(buildID) }
        let samples = hang.samples.filter { !$0.frames.isEmpty }
        if !samples.isEmpty {
            attributes[AttributeKey.astrolabeHangSampleInterval] = .double(Double(hang.interval) / 1e9)
            attributes[AttributeKey.astrolabeHangSamples] = .array(
                samples.map { sample in
                    .map(["time": Double(sample.time) / 1e9, "frames": stacks.frames(sample.frames)])
                })
            attributes[AttributeKey.astrolabeImages] = stacks.imageList
            attributes[AttributeKey.exceptionStacktrace] = .string(
                stacks.text(of: samples[samples.count / 2].frames))
        }
        self.attributes = attributes
    }
}

/// The durations from which an unresponsive main thread is recorded.
public struct HangThresholds: Equatable, Sendable {
    /// The duration from which a hang is recorded. Default 250 ms, when people begin to notice a hang; also used for
    /// values that are not positive. Infinity disables hang detection.
    public var hang: Duration = .milliseconds(250)
    /// The duration from which a hang is severe. Default 2 s, also used for values that are not positive.
    public var severe: Duration = .seconds(2)

    /// Creates the default thresholds.
    public init() {}
}

extension HealthConfiguration {
    /// The thresholds of hang detection; `nil` if it is disabled.
    var watchedHangs: HangThresholds? { watchesHangs ? usedThresholds : nil }

    /// The thresholds, with defaults for invalid values.
    var usedThresholds: HangThresholds {
        let standard = HangThresholds()
        var thresholds = hangThresholds
        if thresholds.hang <= .zero { thresholds.hang = standard.hang }
        if thresholds.severe <= .zero { thresholds.severe = standard.severe }
        return thresholds
    }
}
