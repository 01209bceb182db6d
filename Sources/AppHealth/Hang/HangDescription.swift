import AstrolabeSemantics
import AstrolabeTelemetryModel

/// A hang as the attributes of its event.
struct HangDescription {
    let attributes: Attributes

    /// - Parameter duration: Nanoseconds.
    init(
        _ hang: HangRecord, id: String, duration: UInt64, hasEnded: Bool, images: [BinaryImage],
        thresholds: HangThresholds = HangThresholds(),
    ) {
        var stacks = StackDescription(images)
        let seconds = Double(duration) / 1e9
        var attributes: Attributes = [
            AttributeKey.astrolabeHangID: .string(id), AttributeKey.astrolabeHangDuration: .double(seconds),
            AttributeKey.astrolabeHangSeverity: seconds >= thresholds.severe ? "severe" : "hang",
            AttributeKey.astrolabeHangHasEnded: .bool(hasEnded),
            AttributeKey.astrolabeHangThreshold: .double(thresholds.hang),
        ]
        let samples = hang.samples.filter { !$0.frames.isEmpty }
        if !samples.isEmpty {
            attributes[AttributeKey.astrolabeHangSampleInterval] = .double(Double(hang.interval) / 1e9)
            attributes[AttributeKey.astrolabeHangSamples] = .array(
                samples.map { sample in
                    .map(["time": .double(Double(sample.time) / 1e9), "frames": stacks.frames(sample.frames)])
                })
            attributes[AttributeKey.astrolabeImages] = stacks.imageList
            attributes[AttributeKey.exceptionStacktrace] = .string(
                stacks.text(of: samples[samples.count / 2].frames))
        }
        self.attributes = attributes
    }
}

/// From when on a main thread that does not answer is worth a record; seconds.
public struct HangThresholds: Hashable, Sendable {
    /// Default 0.25: what people begin to notice as a hang, and what counts where this is not positive. Infinity turns
    /// hangs off.
    public var hang = 0.25
    /// Default 2, also where this is not positive.
    public var severe = 2.0

    public init() {}
}

extension HealthConfiguration {
    /// From when on hangs are looked for; nil where they are not.
    var watchedHangs: HangThresholds? { watchesHangs && hangThresholds.hang != .infinity ? usedThresholds : nil }

    /// With the defaults for what is no threshold.
    var usedThresholds: HangThresholds {
        let standard = HangThresholds()
        var thresholds = hangThresholds
        if !(thresholds.hang > 0) { thresholds.hang = standard.hang }
        if !(thresholds.severe > 0) { thresholds.severe = standard.severe }
        return thresholds
    }
}
