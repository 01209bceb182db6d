public import Astrolabe
import AstrolabeRecording
public import OpenTelemetryApi

/// Makes meters that record through the SDK.
public final class AstrolabeMeterProvider: MeterProvider, Sendable {
    private let telemetry: Telemetry

    /// Creates a provider. `Telemetry.registerWithOpenTelemetry` registers one.
    public init(_ telemetry: Telemetry) {
        self.telemetry = telemetry
    }

    public func get(name: String) -> AstrolabeMeter { AstrolabeMeter(telemetry.meter(name)) }
    public func meterBuilder(name: String) -> AstrolabeMeterBuilder { AstrolabeMeterBuilder(telemetry, name: name) }
}

public final class AstrolabeMeterBuilder: MeterBuilder {
    private let telemetry: Telemetry
    private let name: String
    private var version = ""
    private var schemaURL = ""
    private var attributes = Attributes()

    init(_ telemetry: Telemetry, name: String) {
        self.telemetry = telemetry
        self.name = name
    }

    public func setSchemaUrl(schemaUrl: String) -> Self {
        schemaURL = schemaUrl
        return self
    }

    public func setInstrumentationVersion(instrumentationVersion: String) -> Self {
        version = instrumentationVersion
        return self
    }

    public func setAttributes(attributes: [String: OpenTelemetryApi.AttributeValue]) -> Self {
        self.attributes = Attributes(attributes)
        return self
    }

    public func build() -> AstrolabeMeter {
        AstrolabeMeter(telemetry.meter(name, version: version, schemaURL: schemaURL, attributes: attributes))
    }
}

/// Makes instruments. Those of integers and of floating-point numbers are the same.
public final class AstrolabeMeter: OpenTelemetryApi.Meter, Sendable {
    private let meter: AstrolabeRecording.Meter

    init(_ meter: AstrolabeRecording.Meter) {
        self.meter = meter
    }

    public func counterBuilder(name: String) -> AstrolabeCounterBuilder { AstrolabeCounterBuilder(meter, name) }

    public func upDownCounterBuilder(name: String) -> AstrolabeUpDownCounterBuilder {
        AstrolabeUpDownCounterBuilder(meter, name)
    }

    public func histogramBuilder(name: String) -> AstrolabeHistogramBuilder { AstrolabeHistogramBuilder(meter, name) }
    public func gaugeBuilder(name: String) -> AstrolabeGaugeBuilder { AstrolabeGaugeBuilder(meter, name) }
}
