import AstrolabePlatform
import AstrolabeSemantics
package import AstrolabeTelemetryModel
import AstrolabeWire

/// Decides what the flight recorder is asked to keep: by kind, and by how often.
///
/// Reached by failures and by slow spans alone.
package final class RecorderRequests: Sendable {
    package let key: RecorderKey
    private let triggers: RecorderTriggers
    private let limitPerHour: Int
    /// Nanoseconds; `UInt64.max` for none.
    private let slowSpan: UInt64
    private let state = Locked(State())

    private struct State {
        /// The id of the last session or trace.
        var subject = ""
        /// The time of its last request, in nanoseconds since 1970.
        var last: UInt64 = 0
        var hour: UInt64 = 0
        var counts: [RecorderTrigger: Int] = [:]
    }

    /// A request that follows another of the same session or trace sooner than this adds nothing to it, in nanoseconds.
    private static let spacing: UInt64 = 30_000_000_000
    private static let hour: UInt64 = 3_600_000_000_000

    init(_ triggers: RecorderTriggers, key: RecorderKey) {
        self.key = key
        self.triggers = triggers
        limitPerHour = triggers.limitPerHour ?? key.limitPerHour
        slowSpan = triggers.slowSpans.map { UInt64(nanosecondsIn: max($0.seconds, 0)) } ?? .max
    }

    /// The trigger that a span is; `nil` for nearly every one.
    @inline(__always)
    func trigger(
        ofSpan bytes: UnsafeRawBufferPointer, isError: Bool, lasting duration: UInt64,
    ) -> RecorderTrigger? {
        guard isError || duration > slowSpan else { return nil }
        return (isError ? failure(of: bytes) : nil) ?? (duration > slowSpan ? .slow : nil)
    }

    @inline(never)
    private func failure(of bytes: UnsafeRawBufferPointer) -> RecorderTrigger? {
        func value(_ key: String) -> AttributeValue? {
            Attributes.value(of: key, wire: bytes, field: SpanField.attributes)
        }
        guard (value(AttributeKey.httpRequestMethod) ?? value(AttributeKey.httpMethod)) != nil else {
            return triggers.errors ? .error : nil
        }
        let status = value(AttributeKey.httpResponseStatusCode) ?? value(AttributeKey.httpStatusCode)
        let hasFailed =
            value(AttributeKey.errorType)?.stringValue == "timeout" || status?.intValue ?? 0 >= 500
        return hasFailed && triggers.failedRequests ? .http : nil
    }

    /// The trigger that an event of severity `error` or above is.
    ///
    /// - Parameter attributes: Those of the event. A crash without the name of a signal was an uncaught exception.
    func trigger(ofEvent name: String, _ attributes: Attributes) -> RecorderTrigger? {
        switch name {
        case EventName.appCrash where triggers.crashes:
            attributes[AttributeKey.exceptionType]?.stringValue?.hasPrefix("SIG") == false ? .exception : .crash
        case EventName.appCrash: nil
        case EventName.hang: triggers.hangs ? .hang : nil
        case EventName.runEnd: triggers.runEnds ? .runEnd : nil
        default: triggers.errors ? .error : nil
        }
    }

    /// The flows that a session may have abandoned.
    var flows: some Sequence<RecorderTriggers.Flow> { triggers.abandonedFlows.prefix(8) }

    /// Counts a request, and returns whether it is to be made. The app's own are made however soon they follow another.
    ///
    /// - Parameter subject: The id of the session or of the trace.
    func admits(_ trigger: RecorderTrigger, of subject: String, at time: UInt64) -> Bool {
        // A flow is decided when the recorder looks at the session, which most sessions have completed or not begun.
        guard trigger != .flow else { return true }
        return state.withLock { state in
            let gap = time > state.last ? time - state.last : state.last - time
            if trigger != .app, subject == state.subject, state.last > 0, gap < Self.spacing { return false }
            if state.hour != time / Self.hour { (state.hour, state.counts) = (time / Self.hour, [:]) }
            guard state.counts[trigger, default: 0] < limitPerHour else { return false }
            state.counts[trigger, default: 0] += 1
            (state.subject, state.last) = (subject, time)
            return true
        }
    }
}

extension RecordingCore {
    /// Asks the flight recorder to send what it has of a session, or on a server of a trace.
    ///
    /// The request is an event in the recorder, so that a kill does not lose it. It is sent after the records.
    ///
    /// - Parameters:
    ///   - time: When it happened, in nanoseconds since 1970.
    ///   - session: The id of an earlier session; `nil` for the current one.
    ///   - context: The span that the request is about. On a server, its trace is the one that is sent.
    ///   - flow: The flow that the session may have abandoned, for `RecorderTrigger.flow`.
    /// - Returns: False if there is no recorder, if the request was refused, or if a server is asked for no trace or
    ///   for one that is sent anyway.
    @discardableResult
    package func keepRecording(
        _ trigger: RecorderTrigger, at time: UInt64, session: String? = nil, context: SpanContext = .invalid,
        reason: String = "", flow: RecorderTriggers.Flow? = nil,
    ) -> Bool {
        guard let recorder, let period = periods.permitted else { return false }
        let isOfTrace = recorder.key == .trace
        if isOfTrace, !context.traceID.isValid || context.isSampled { return false }
        let id = isOfTrace ? "" : session ?? ambient.snapshot.attributes[AttributeKey.sessionID]?.stringValue ?? ""
        guard recorder.admits(trigger, of: isOfTrace ? context.traceID.hex : id, at: time) else { return false }
        var attributes: Attributes = [
            AttributeKey.astrolabeRecorderTrigger: trigger.rawValue, AttributeKey.astrolabeRecorderID: ids.nextUUID(),
        ]
        if !id.isEmpty { attributes[AttributeKey.sessionID] = .string(id) }
        if let flow {
            attributes[AttributeKey.astrolabeRecorderFlowFrom] = .string(flow.from)
            attributes[AttributeKey.astrolabeRecorderFlowTo] = .string(flow.to)
        }
        if !reason.isEmpty { attributes[AttributeKey.astrolabeRecorderReason] = .string(reason) }
        let severity = Severity.info
        let head = LogRecordHead(
            timeUnixNano: time, observedTimeUnixNano: clock.now, severityNumber: severity.rawValue,
            severityText: severity.text, name: EventName.recorderPromotion, body: .empty, flags: context.flags,
            traceID: context.traceID, spanID: context.spanID, )
        let header = RecordHeader(
            kind: .event, priority: .critical, scope: register(InstrumentationScope.ofSDK("astrolabe.recorder")),
            timeUnixNano: time, isOfApp: trigger == .app, isSampledOut: true, )
        LogRecordEncoder.encode(head, core: self) { record in
            if session == nil { record.appendAmbient(of: self) }
            record.setAttributes(attributes, core: self)
            guard periods.number == period else { return }
            sink.append(record.finish(in: self), header: header)
        }
        return true
    }
}

extension RecordingCore {
    /// Asks the flight recorder to send a session that has ended, if it was within a flow.
    package func keepAbandonedFlows(ofSession id: String, endedAt time: UInt64) {
        guard let recorder else { return }
        for flow in recorder.flows { keepRecording(.flow, at: time, session: id, flow: flow) }
    }
}

extension SpanContext {
    /// Reads the context of an encoded span; invalid if it has none.
    init(wire bytes: UnsafeRawBufferPointer) {
        var (trace, span, flags) = (TraceID.invalid, SpanID.invalid, TraceFlags())
        var reader = WireReader(bytes)
        while let next = reader.next() {
            switch next {
            case (SpanField.traceID, let value): trace = value.traceID ?? trace
            case (SpanField.spanID, let value): span = value.spanID ?? span
            case (SpanField.flags, .fixed32(let word)): flags = TraceFlags(rawValue: UInt8(truncatingIfNeeded: word))
            default: break
            }
        }
        self.init(traceID: trace, spanID: span, flags: flags)
    }
}
