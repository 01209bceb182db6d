import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTelemetryModel
public import CoreMetrics

/// Makes our instruments for swift-metrics; dimensions become attributes.
///
/// Timers are histograms in seconds, with the bounds that the conventions give for durations. Recorders are histograms
/// or, if they do not aggregate, gauges. Meters are gauges or, if their ``TelemetryBridge/Instrument`` says so, up-down
/// counters. Handlers of one label and dimensions share what they measure, as swift-metrics wants it. What was measured
/// before a handler is destroyed is still sent.
public struct BridgedMetricsFactory: MetricsFactory {
    private let meter: AstrolabeRecording.Meter
    private let instruments: [String: TelemetryBridge.Instrument]
    private let integerDimensions: Set<String>
    private let levels = Locked<[LevelKey: SharedLevel]>([:])

    private struct LevelKey: Hashable {
        var name: String
        var attributes: Attributes
    }

    /// The value of a meter, and how many handlers it has.
    private struct SharedLevel {
        let level: BridgedLevel
        let addsUp: Bool
        var handlerCount = 0
    }

    /// Bounds in seconds of `http.server.request.duration` in the semantic conventions.
    private static let durationBounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

    init(
        _ meter: AstrolabeRecording.Meter, instruments: [String: TelemetryBridge.Instrument],
        integerDimensions: Set<String>,
    ) {
        self.meter = meter
        self.instruments = instruments
        self.integerDimensions = integerDimensions
    }

    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        BridgedCounter(counter(label).bound(to: attributes(dimensions)))
    }

    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)],
    ) -> any FloatingPointCounterHandler {
        BridgedCounter(counter(label).bound(to: attributes(dimensions)))
    }

    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        let key = LevelKey(name: Self.name(label), attributes: attributes(dimensions))
        // Before the lock: the SDK may report to the app when it makes an instrument.
        let new = makeLevel(label, key)
        return levels.withLock { levels in
            var shared = levels[key] ?? new
            shared.handlerCount += 1
            levels[key] = shared
            return shared.level
        }
    }

    private func makeLevel(_ label: String, _ key: LevelKey) -> SharedLevel {
        guard instruments[label]?.isUpDownCounter == true else {
            return SharedLevel(level: BridgedLevel(gauge(label).bound(to: key.attributes)), addsUp: false)
        }
        let counter = meter.upDownCounter(key.name, unit: unit(of: label)).bound(to: key.attributes)
        return SharedLevel(level: BridgedLevel(counter), addsUp: true)
    }

    public func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool,
    ) -> any RecorderHandler {
        let attributes = attributes(dimensions)
        guard aggregate else { return BridgedLevel(gauge(label).bound(to: attributes)) }
        return BridgedHistogram(meter.histogram(Self.name(label), unit: unit(of: label)).bound(to: attributes))
    }

    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        let histogram = meter.histogram(Self.name(label), unit: "s", bounds: Self.durationBounds)
        return BridgedHistogram(histogram.bound(to: attributes(dimensions)))
    }

    /// Forgets the value of the meter with its last handler: one made later begins at 0. The value of an up-down
    /// counter leaves the sum.
    public func destroyMeter(_ handler: any MeterHandler) {
        let unused = levels.withLock { levels -> BridgedLevel? in
            guard let key = levels.first(where: { $0.value.level === handler })?.key, var shared = levels[key] else {
                return nil
            }
            shared.handlerCount -= 1
            levels[key] = shared.handlerCount > 0 ? shared : nil
            return shared.handlerCount == 0 && shared.addsUp ? shared.level : nil
        }
        unused?.set(0.0)
    }

    // What was measured stays with the instrument.
    public func destroyCounter(_ handler: any CounterHandler) {}
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    public func destroyTimer(_ handler: any TimerHandler) {}

    private func counter(_ label: String) -> AstrolabeRecording.Meter.Counter {
        meter.counter(Self.name(label), unit: unit(of: label))
    }

    private func gauge(_ label: String) -> AstrolabeRecording.Meter.Gauge {
        meter.gauge(Self.name(label), unit: unit(of: label))
    }

    private func unit(of label: String) -> String { instruments[label]?.unit ?? "" }

    /// The label as the specification allows instrument names: a letter, then letters, digits, `_`, `.`, `-`, `/`, 255
    /// in all.
    static func name(_ label: String) -> String {
        let allowed = label.unicodeScalars.prefix(255).map { scalar -> Character in
            let isAllowed =
                scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                || "_.-/".unicodeScalars.contains(scalar)
            return isAllowed ? Character(scalar) : "_"
        }
        guard let first = allowed.first else { return "unnamed" }
        return first.isLetter ? String(allowed) : "m" + String(allowed.prefix(254))
    }

    private func attributes(_ dimensions: [(String, String)]) -> Attributes {
        dimensions.reduce(into: Attributes()) { $0[$1.0] = value($1.1, of: $1.0) }.sortedByKey
    }

    private func value(_ text: String, of dimension: String) -> AttributeValue {
        guard integerDimensions.contains(dimension), let number = Int64(text) else { return .string(text) }
        return .int(number)
    }
}

/// A counter of either kind. A running sum cannot be set back, so `reset` does nothing.
private final class BridgedCounter: CounterHandler, FloatingPointCounterHandler {
    private let counter: AstrolabeRecording.Meter.BoundCounter

    init(_ counter: AstrolabeRecording.Meter.BoundCounter) {
        self.counter = counter
    }

    func increment(by amount: Int64) { counter.add(Int(amount)) }
    func increment(by amount: Double) { counter.add(amount) }
    func reset() {}
}

/// A value that is set, raised and lowered: the last value of a gauge, or the changes of an up-down counter.
private final class BridgedLevel: MeterHandler, RecorderHandler {
    private let report: @Sendable (_ old: Double, _ new: Double) -> Void
    private let value = Locked(0.0)

    init(_ gauge: AstrolabeRecording.Meter.BoundGauge) {
        report = { _, new in gauge.record(new) }
    }

    init(_ counter: AstrolabeRecording.Meter.BoundUpDownCounter) {
        report = { old, new in counter.add(new - old) }
    }

    func set(_ new: Int64) { change { $0 = Double(new) } }
    func set(_ new: Double) { change { $0 = new } }
    func increment(by amount: Double) { change { $0 += amount } }
    func decrement(by amount: Double) { change { $0 -= amount } }
    func record(_ new: Int64) { set(new) }
    func record(_ new: Double) { set(new) }

    private func change(_ body: (inout Double) -> Void) {
        let (old, new) = value.withLock { value in
            let old = value
            body(&value)
            return (old, value)
        }
        report(old, new)
    }
}

/// A distribution of values, or of durations in seconds.
private final class BridgedHistogram: RecorderHandler, TimerHandler {
    private let histogram: AstrolabeRecording.Meter.BoundHistogram

    init(_ histogram: AstrolabeRecording.Meter.BoundHistogram) {
        self.histogram = histogram
    }

    func record(_ value: Int64) { histogram.record(Double(value)) }
    func record(_ value: Double) { histogram.record(value) }
    func recordNanoseconds(_ duration: Int64) { histogram.record(Double(duration) / 1e9) }
}
