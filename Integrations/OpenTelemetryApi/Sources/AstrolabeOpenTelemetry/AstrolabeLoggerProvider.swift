public import Astrolabe
import AstrolabeOpenTelemetryCore
import AstrolabeRecording
import AstrolabeTelemetryModel
import Foundation
public import OpenTelemetryApi

/// Makes loggers that record through the SDK.
public final class AstrolabeLoggerProvider: LoggerProvider, Sendable {
    private let telemetry: Telemetry

    /// Creates a provider. `Telemetry.registerWithOpenTelemetry` registers one.
    public init(_ telemetry: Telemetry) {
        self.telemetry = telemetry
    }

    public func get(instrumentationScopeName: String) -> any OpenTelemetryApi.Logger {
        loggerBuilder(instrumentationScopeName: instrumentationScopeName).build()
    }

    public func loggerBuilder(instrumentationScopeName: String) -> any LoggerBuilder {
        AstrolabeLoggerBuilder(telemetry, name: instrumentationScopeName)
    }
}

final class AstrolabeLoggerBuilder: LoggerBuilder {
    private let telemetry: Telemetry
    private let name: String
    private var version = ""
    private var schemaURL = ""
    private var attributes = Attributes()
    private var domain: String?
    private var includesTraceContext = true

    init(_ telemetry: Telemetry, name: String) {
        self.telemetry = telemetry
        self.name = name
    }

    func setEventDomain(_ eventDomain: String) -> Self {
        domain = eventDomain.isEmpty ? nil : eventDomain
        return self
    }

    func setSchemaUrl(_ schemaUrl: String) -> Self {
        schemaURL = schemaUrl
        return self
    }

    func setInstrumentationVersion(_ instrumentationVersion: String) -> Self {
        version = instrumentationVersion
        return self
    }

    func setIncludeTraceContext(_ includeTraceContext: Bool) -> Self {
        includesTraceContext = includeTraceContext
        return self
    }

    func setAttributes(_ attributes: [String: OpenTelemetryApi.AttributeValue]) -> Self {
        self.attributes = Attributes(attributes)
        return self
    }

    func build() -> any OpenTelemetryApi.Logger {
        AstrolabeLogger(
            telemetry.logger(name, version: version, schemaURL: schemaURL, attributes: attributes),
            time: ForeignTime(
                telemetry.tracer(name, version: version, schemaURL: schemaURL, attributes: attributes)),
            domain: domain, includesTraceContext: includesTraceContext)
    }
}

final class AstrolabeLogger: OpenTelemetryApi.Logger, Sendable {
    fileprivate let events: EventLogger
    fileprivate let time: ForeignTime
    fileprivate let domain: String?
    fileprivate let includesTraceContext: Bool

    init(_ events: EventLogger, time: ForeignTime, domain: String?, includesTraceContext: Bool) {
        self.events = events
        self.time = time
        self.domain = domain
        self.includesTraceContext = includesTraceContext
    }

    func eventBuilder(name: String) -> any EventBuilder { AstrolabeLogRecordBuilder(self, name: name) }
    func logRecordBuilder() -> any LogRecordBuilder { AstrolabeLogRecordBuilder(self, name: "") }
}

/// A log record before it is emitted. Like every builder of the API, it is for one thread at a time.
final class AstrolabeLogRecordBuilder: EventBuilder {
    private let logger: AstrolabeLogger
    private var name: String
    private var date: Date?
    private var observed: Date?
    private var context: AstrolabeTelemetryModel.SpanContext?
    private var severity: OpenTelemetryApi.Severity?
    private var body = AstrolabeTelemetryModel.AttributeValue.empty
    private var attributes = Attributes()

    init(_ logger: AstrolabeLogger, name: String) {
        self.logger = logger
        self.name = name
    }

    func setTimestamp(_ timestamp: Date) -> Self {
        date = timestamp
        return self
    }

    func setObservedTimestamp(_ observed: Date) -> Self {
        self.observed = observed
        return self
    }

    func setSpanContext(_ context: OpenTelemetryApi.SpanContext) -> Self {
        self.context = .init(context)
        return self
    }

    func setSeverity(_ severity: OpenTelemetryApi.Severity) -> Self {
        self.severity = severity
        return self
    }

    func setBody(_ body: OpenTelemetryApi.AttributeValue) -> Self {
        self.body = .init(body)
        return self
    }

    func setAttributes(_ attributes: [String: OpenTelemetryApi.AttributeValue]) -> Self {
        self.attributes.merge(Attributes(attributes))
        return self
    }

    func setData(_ attributes: [String: OpenTelemetryApi.AttributeValue]) -> Self { setAttributes(attributes) }

    func setEventName(_ eventName: String) -> Self {
        name = eventName
        return self
    }

    func emit() {
        var attributes = attributes
        attributes.setAttribute("event.domain", logger.domain)
        let number = severity?.rawValue ?? 0
        logger.events.emit(
            name, severity: .init(number: number), number: Int32(number), body: body, attributes: attributes,
            timeUnixNano: date.map(logger.time.nanoseconds),
            observedTimeUnixNano: observed.map(logger.time.nanoseconds),
            context: context ?? (logger.includesTraceContext ? nil : .invalid))
    }
}
