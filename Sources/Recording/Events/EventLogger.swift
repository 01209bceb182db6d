import AstrolabePlatform
import AstrolabeSemantics
public import AstrolabeTelemetryModel
public import Foundation

/// Records log lines and events: OTLP log records, at one moment. An event is one with a name.
///
///     let logger = telemetry.logger("shop")
///     logger.warn("The catalogue is empty", ["demo.retry.count": retries])
///     logger.emit("demo.cart.product_added", attributes: ["demo.product.id": "OLJCESPC7Z"])
///
/// An event belongs to the span that is current where it is emitted. It carries the session and screen of the moment,
/// and a `log.record.uid` by which a receiver tells a repetition.
public struct EventLogger: Sendable {
    private let core: RecordingCore?
    private let scope: ScopeNumber
    private let isOfApp: Bool
    /// Records with a lower number are not made, except those whose number is 0, which is not known.
    private let minimumNumber: Int32

    /// The urgency of a record, which decides what is sent first and dropped last. A `critical` one is sent at once.
    public typealias Priority = AstrolabeTelemetryModel.Priority

    /// - Parameters:
    ///   - isOfApp: Whether the app itself records with it, and not the SDK's own instrumentation.
    ///   - minimumSeverity: Records of a lower severity are not made.
    package init(
        core: RecordingCore?, scope: InstrumentationScope, isOfApp: Bool = false, minimumSeverity: Severity? = nil,
    ) {
        let core = core?.records(.event) == true ? core : nil
        self.core = core
        self.isOfApp = isOfApp
        minimumNumber = minimumSeverity?.rawValue ?? 0
        self.scope = core?.register(scope) ?? ScopeNumber(rawValue: 0)
    }

    /// A logger for the exceptions of spans, with the scope of the span.
    init(core: RecordingCore, scope: ScopeNumber) {
        self.core = core.records(.event) ? core : nil
        self.scope = scope
        isOfApp = false
        minimumNumber = 0
    }

    /// A logger whose events go nowhere and cost nothing.
    package static let disabled = EventLogger(core: nil, scope: InstrumentationScope(name: ""))

    /// True if records are kept.
    public var isEnabled: Bool { core != nil }

    /// Returns true if records of this severity are kept: a question before work that only a record needs.
    ///
    ///     if logger.isEnabled(for: .debug) { logger.debug(describeCache()) }
    ///
    /// False below `TelemetryConfiguration.minimumSeverity`.
    public func isEnabled(for severity: Severity) -> Bool { core != nil && severity.rawValue >= minimumNumber }

    /// Records an event.
    ///
    /// One of severity `error` or above takes the breadcrumbs of the moment along (`astrolabe.breadcrumbs`), unless it
    /// brings its own.
    ///
    /// - Parameters:
    ///   - name: What happened, as a convention names it; empty for a plain log line.
    ///   - severity: Default `info`.
    ///   - body: The message of a log line; redacted like an attribute.
    ///   - attributes: At most `RecordLimits.attributeCount`.
    ///   - time: When it happened; default now.
    ///   - context: The span it belongs to; default the current one.
    ///   - priority: How urgent it is; default as the severity says: `high` from `error` on, `low` below `info`,
    ///     otherwise `normal`. Modes of little telemetry lower `normal` to `low`. Such an event is kept even so, unless
    ///     `PolicyConfiguration.admission` is `strict`.
    public func emit(
        _ name: String, severity: Severity = .info, body: AttributeValue = .empty, attributes: Attributes = [:],
        at time: Date? = nil, context: SpanContext? = nil, priority: Priority? = nil,
    ) {
        emit(
            name, severity: severity, body: body, attributes: attributes,
            timeUnixNano: time.map { UInt64(nanosecondsSince1970: $0) }, context: context, priority: priority)
    }

    /// Records an event, to the nanosecond.
    package func emit(
        _ name: String, severity: Severity = .info, body: AttributeValue = .empty, attributes: Attributes = [:],
        timeUnixNano: UInt64?, context: SpanContext? = nil, priority: Priority? = nil,
    ) {
        emit(
            name, severity: severity, number: severity.rawValue, body: body, attributes: attributes,
            timeUnixNano: timeUnixNano, observedTimeUnixNano: nil, context: context, priority: priority)
    }

    /// Records an event with all that OTLP knows of one, for other APIs.
    ///
    /// - Parameters:
    ///   - number: OTLP's severity number, 0 if it is not known.
    ///   - observedTimeUnixNano: When it was seen first; default now.
    ///   - takesBreadcrumbs: Whether an event of severity `error` or above takes the breadcrumbs of the moment along.
    @inline(never)  // each of the ten shorter forms would have a copy
    package func emit(
        _ name: String, severity: Severity, number: Int32, body: AttributeValue, attributes: Attributes,
        timeUnixNano: UInt64?, observedTimeUnixNano: UInt64?, context: SpanContext?, priority: Priority? = nil,
        takesBreadcrumbs: Bool = true,
    ) {
        guard let core, number == 0 || number >= minimumNumber, let period = core.periods.permitted else { return }
        core.sessionDeadline.check(core.clock)
        let now = core.clock.now
        let span = context ?? core.currentSpan
        let breadcrumbs = takesBreadcrumbs && severity >= .error ? breadcrumbs(beside: attributes, core: core) : nil
        if name == EventName.appWidgetClick || name == EventName.appScreenClick { rememberTap(attributes, core: core) }
        let head = LogRecordHead(
            timeUnixNano: timeUnixNano ?? now, observedTimeUnixNano: observedTimeUnixNano ?? now,
            severityNumber: number, severityText: number == 0 ? "" : severity.text, name: name, body: body,
            flags: span?.flags ?? [], traceID: span?.traceID ?? .invalid, spanID: span?.spanID ?? .invalid)
        var header = header(number: number, priority: priority ?? Self.priority(of: severity), madeAt: now)
        header.isSampledOut = core.isForRecorder(number, span, header.priority)
        LogRecordEncoder.encode(head, core: core) { record in
            record.appendAmbient(of: core)
            record.setAttributes(attributes, core: core)
            if let breadcrumbs {
                record.setAttribute(AttributeKey.astrolabeBreadcrumbs, admitted: breadcrumbs, core: core)
            }
            core.store(&record, header: header, period: period)
        }
        if number >= Severity.error.rawValue, let trigger = core.recorder?.trigger(ofEvent: name, attributes) {
            core.keepRecording(trigger, at: timeUnixNano ?? now, context: span ?? .invalid)
        }
    }

    /// Records an event of another moment, such as the end of an earlier run, with nothing of this one: only the
    /// attributes that are given.
    package func emit(
        earlier name: String, severity: Severity, attributes: Attributes, timeUnixNano: UInt64, context: SpanContext,
        priority: Priority,
    ) {
        guard let core, let period = core.periods.permitted else { return }
        let now = core.clock.now
        let head = LogRecordHead(
            timeUnixNano: timeUnixNano, observedTimeUnixNano: now, severityNumber: severity.rawValue,
            severityText: severity.text, name: name, body: .empty, flags: context.flags, traceID: context.traceID,
            spanID: context.spanID)
        let header = header(number: severity.rawValue, priority: priority, madeAt: now)
        LogRecordEncoder.encode(head, core: core) { record in
            record.setAttributes(attributes, core: core)
            core.store(&record, header: header, period: period)
        }
        if severity >= .error, let trigger = core.recorder?.trigger(ofEvent: name, attributes) {
            let session = attributes[AttributeKey.sessionID]?.stringValue ?? ""
            core.keepRecording(trigger, at: timeUnixNano, session: session, context: context)
        }
    }

    private func header(number: Int32, priority: Priority, madeAt now: UInt64) -> RecordHeader {
        RecordHeader(
            kind: .event, priority: priority, scope: scope, timeUnixNano: now,
            isOfApp: isOfApp && number >= Severity.info.rawValue)
    }

    /// The breadcrumbs of the moment, unless the event brings its own or has no room for them.
    private func breadcrumbs(beside attributes: Attributes, core: RecordingCore) -> AttributeValue? {
        guard attributes.count < core.limits.attributeCount, attributes[AttributeKey.astrolabeBreadcrumbs] == nil else {
            return nil
        }
        return core.breadcrumbs.attribute(textLimit: core.limits.attributeValueLength)
    }

    private func rememberTap(_ attributes: Attributes, core: RecordingCore) {
        let widget = attributes[AttributeKey.appWidgetName] ?? attributes[AttributeKey.appWidgetID]
        core.addBreadcrumb(widget?.description ?? "the screen", category: "tap")
    }

    /// A text as a record would hold it, for code that writes it elsewhere too.
    package func admitted(_ text: String) -> String {
        core?.admitted(text) ?? Self.redactor.redacted(text)
    }

    /// A value as a record would hold it, for code that writes it elsewhere too.
    package func admitted(_ value: AttributeValue, key: String) -> AttributeValue {
        core?.admitted(value, key: key) ?? .string(Self.redactor.redacted(value.description, key: key))
    }

    private static let redactor = Redactor()

    private static func priority(of severity: Severity) -> Priority {
        switch severity {
        case .trace, .debug: .low
        case .info, .warn: .normal
        case .error, .fatal: .high
        }
    }
}
