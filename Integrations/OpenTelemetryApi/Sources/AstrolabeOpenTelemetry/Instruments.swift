import Astrolabe
import AstrolabeRecording
public import OpenTelemetryApi

/// A callback that the API does not declare as sendable. The SDK calls it from one collection at a time.
private struct Callback: @unchecked Sendable {  // see above
    let call: (AstrolabeMeasurement) -> Void
}

/// Takes what a callback observes.
public final class AstrolabeMeasurement: ObservableLongMeasurement, ObservableDoubleMeasurement, Sendable {
    private let observer: AstrolabeRecording.Meter.Observer

    init(_ observer: AstrolabeRecording.Meter.Observer) {
        self.observer = observer
    }

    public func record(value: Int) { observer.observe(value) }
    public func record(value: Double) { observer.observe(value) }

    public func record(value: Int, attributes: [String: OpenTelemetryApi.AttributeValue]) {
        observer.observe(value, attributes: Attributes(attributes))
    }

    public func record(value: Double, attributes: [String: OpenTelemetryApi.AttributeValue]) {
        observer.observe(value, attributes: Attributes(attributes))
    }
}

/// An instrument with a callback.
public struct AstrolabeObservation: ObservableLongCounter, ObservableDoubleCounter, ObservableLongUpDownCounter,
    ObservableDoubleUpDownCounter, ObservableLongGauge, ObservableDoubleGauge
{
    let observation: AstrolabeRecording.Meter.Observation

    public func close() { observation.cancel() }
}

/// A sum that only grows.
public struct AstrolabeCounter: LongCounter, DoubleCounter {
    let counter: AstrolabeRecording.Meter.Counter

    public func add(value: Int) { counter.add(value) }
    public func add(value: Double) { counter.add(value) }

    public func add(value: Int, attributes: [String: OpenTelemetryApi.AttributeValue]) {
        counter.add(value, attributes: Attributes(attributes))
    }

    public func add(value: Double, attributes: [String: OpenTelemetryApi.AttributeValue]) {
        counter.add(value, attributes: Attributes(attributes))
    }
}

/// A sum that grows and shrinks.
public struct AstrolabeUpDownCounter: LongUpDownCounter, DoubleUpDownCounter {
    let counter: AstrolabeRecording.Meter.UpDownCounter

    public func add(value: Int) { counter.add(value) }
    public func add(value: Double) { counter.add(value) }

    public func add(value: Int, attributes: [String: OpenTelemetryApi.AttributeValue]) {
        counter.add(value, attributes: Attributes(attributes))
    }

    public func add(value: Double, attributes: [String: OpenTelemetryApi.AttributeValue]) {
        counter.add(value, attributes: Attributes(attributes))
    }
}

/// A distribution. Negative values are not recorded, as the specification allows and the API's own SDK has it.
public struct AstrolabeHistogram: LongHistogram, DoubleHistogram {
    let histogram: AstrolabeRecording.Meter.Histogram

    public func record(value: Int) { record(value: Double(value)) }

    public func record(value: Double) {
        if value >= 0 { histogram.record(value) }
    }

    public func record(value: Int, attributes: [String: OpenTelemetryApi.AttributeValue]) {
        record(value: Double(value), attributes: attributes)
    }

    public func record(value: Double, attributes: [String: OpenTelemetryApi.AttributeValue]) {
        if value >= 0 { histogram.record(value, attributes: Attributes(attributes)) }
    }
}

/// The last value.
public struct AstrolabeGauge: LongGauge, DoubleGauge {
    let gauge: AstrolabeRecording.Meter.Gauge

    public func record(value: Int) { gauge.record(value) }
    public func record(value: Double) { gauge.record(value) }

    public func record(value: Int, attributes: [String: OpenTelemetryApi.AttributeValue]) {
        gauge.record(value, attributes: Attributes(attributes))
    }

    public func record(value: Double, attributes: [String: OpenTelemetryApi.AttributeValue]) {
        gauge.record(value, attributes: Attributes(attributes))
    }
}

/// Makes a sum that only grows.
public final class AstrolabeCounterBuilder: LongCounterBuilder, DoubleCounterBuilder {
    private let meter: AstrolabeRecording.Meter
    private let name: String

    init(_ meter: AstrolabeRecording.Meter, _ name: String) {
        self.meter = meter
        self.name = name
    }

    public func ofDoubles() -> AstrolabeCounterBuilder { self }
    public func build() -> AstrolabeCounter { AstrolabeCounter(counter: meter.counter(name)) }

    public func buildWithCallback(_ callback: @escaping (AstrolabeMeasurement) -> Void) -> AstrolabeObservation {
        let callback = Callback(call: callback)
        return AstrolabeObservation(
            observation: meter.observableCounter(name) { callback.call(AstrolabeMeasurement($0)) })
    }
}

/// Makes a sum that grows and shrinks.
public final class AstrolabeUpDownCounterBuilder: LongUpDownCounterBuilder, DoubleUpDownCounterBuilder {
    private let meter: AstrolabeRecording.Meter
    private let name: String

    init(_ meter: AstrolabeRecording.Meter, _ name: String) {
        self.meter = meter
        self.name = name
    }

    public func ofDoubles() -> AstrolabeUpDownCounterBuilder { self }
    public func build() -> AstrolabeUpDownCounter { AstrolabeUpDownCounter(counter: meter.upDownCounter(name)) }

    public func buildWithCallback(_ callback: @escaping (AstrolabeMeasurement) -> Void) -> AstrolabeObservation {
        let callback = Callback(call: callback)
        return AstrolabeObservation(
            observation: meter.observableUpDownCounter(name) { callback.call(AstrolabeMeasurement($0)) })
    }
}

/// Makes a distribution.
public final class AstrolabeHistogramBuilder: DoubleHistogramBuilder, LongHistogramBuilder {
    private let meter: AstrolabeRecording.Meter
    private let name: String
    private var bounds: [Double]?

    init(_ meter: AstrolabeRecording.Meter, _ name: String) {
        self.meter = meter
        self.name = name
    }

    public func ofLongs() -> AstrolabeHistogramBuilder { self }

    public func setExplicitBucketBoundariesAdvice(_ boundaries: [Double]) -> Self {
        bounds = boundaries
        return self
    }

    public func build() -> AstrolabeHistogram {
        AstrolabeHistogram(histogram: meter.histogram(name, bounds: bounds))
    }
}

/// Makes a gauge.
public final class AstrolabeGaugeBuilder: DoubleGaugeBuilder, LongGaugeBuilder {
    private let meter: AstrolabeRecording.Meter
    private let name: String

    init(_ meter: AstrolabeRecording.Meter, _ name: String) {
        self.meter = meter
        self.name = name
    }

    public func ofLongs() -> AstrolabeGaugeBuilder { self }
    public func build() -> AstrolabeGauge { AstrolabeGauge(gauge: meter.gauge(name)) }

    public func buildWithCallback(_ callback: @escaping (AstrolabeMeasurement) -> Void) -> AstrolabeObservation {
        let callback = Callback(call: callback)
        return AstrolabeObservation(
            observation: meter.observableGauge(name) { (observer: AstrolabeRecording.Meter.Observer) in
                callback.call(AstrolabeMeasurement(observer))
            })
    }
}
