import AstrolabePlatform
import AstrolabeSemantics
package import AstrolabeTelemetryModel
import AstrolabeWire
import Atomics

/// Decides what the flight recorder is asked to keep: by kind, and by how often.
///
/// Reached by failures and by slow spans alone.
package final class RecorderRequests: Sendable {
    package let key: RecorderKey
    private let triggers: Locked<RecorderTriggers>
    /// The shortest time for which any span may be a trigger, in nanoseconds; `UInt64.max` for none.
    private let shortestBound: UnsafeAtomic<UInt64>
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
        self.triggers = Locked(triggers)
        shortestBound = .create(triggers.shortestBound)
    }

    deinit {
        shortestBound.destroy()
    }

    /// Uses other triggers from now on.
    package func update(_ triggers: RecorderTriggers) {
        self.triggers.withLock { $0 = triggers }
        shortestBound.store(triggers.shortestBound, ordering: .relaxed)
    }

    /// The trigger that a span is; `nil` for nearly every one.
    @inline(__always)
    func trigger(
        ofSpan bytes: UnsafeRawBufferPointer, isError: Bool, lasting duration: UInt64,
    ) -> RecorderTrigger? {
        guard isError || duration > shortestBound.load(ordering: .relaxed) else { return nil }
        return trigger(ofConspicuous: bytes, isError: isError, lasting: duration)
    }

    @inline(never)
    private func trigger(
        ofConspicuous bytes: UnsafeRawBufferPointer, isError: Bool, lasting duration: UInt64,
    ) -> RecorderTrigger? {
        let triggers = triggers.withLock { $0 }
        if isError, let failure = failure(of: bytes, triggers) { return failure }
        if let bound = triggers.slowSpans, duration > bound.wholeNanoseconds { return .slow }
        guard !triggers.rules.isEmpty else { return nil }
        let name = Self.name(ofSpan: bytes)
        let isOverRule = triggers.rules.contains { rule in
            rule.span == name && duration > rule.longerThan.wholeNanoseconds
        }
        return isOverRule ? .rule : nil
    }

    private static func name(ofSpan bytes: UnsafeRawBufferPointer) -> String {
        var name = ""
        var reader = WireReader(bytes)
        while let field = reader.next() {
            // A later name replaces the first one.
            if case (SpanField.name, .bytes(let text)) = field { name = String(decoding: text, as: UTF8.self) }
        }
        return name
    }

    private func failure(of bytes: UnsafeRawBufferPointer, _ triggers: RecorderTriggers) -> RecorderTrigger? {
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
        let triggers = triggers.withLock { $0 }
        return switch name {
        case EventName.appCrash where triggers.crashes:
            attributes[AttributeKey.exceptionType]?.stringValue?.hasPrefix("SIG") == false ? .exception : .crash
        case EventName.appCrash: nil
        case EventName.hang: triggers.hangs ? .hang : nil
        case EventName.runEnd: triggers.runEnds ? .runEnd : nil
        default: triggers.errors ? .error : nil
        }
    }

    /// The flows that a session may have abandoned.
    var flows: some Sequence<RecorderTriggers.Flow> { triggers.withLock { $0.abandonedFlows }.prefix(8) }

    /// Returns true if a person asked for it: it is made however soon it follows another, and if there is nothing to
    /// send. The console asks a server for each trace, and may do so again.
    func isAsked(_ trigger: RecorderTrigger) -> Bool { trigger == .app || trigger == .remote && key == .session }

    /// Counts a request, and returns whether it is to be made.
    ///
    /// - Parameter subject: The id of the session or of the trace.
    func admits(_ trigger: RecorderTrigger, of subject: String, at time: UInt64) -> Bool {
        // A flow is decided when the recorder looks at the session, which most sessions have completed or not begun.
        guard trigger != .flow else { return true }
        let limit = triggers.withLock { $0.limitPerHour } ?? key.limitPerHour
        return state.withLock { state in
            let gap = time > state.last ? time - state.last : state.last - time
            if !isAsked(trigger), subject == state.subject, state.last > 0, gap < Self.spacing { return false }
            if state.hour != time / Self.hour { (state.hour, state.counts) = (time / Self.hour, [:]) }
            guard state.counts[trigger, default: 0] < limit else { return false }
            state.counts[trigger, default: 0] += 1
            (state.subject, state.last) = (subject, time)
            return true
        }
    }
}

extension RecorderTriggers {
    /// The shortest time for which a span may be a trigger, in nanoseconds; `UInt64.max` for none.
    fileprivate var shortestBound: UInt64 {
        let bounds = rules.map(\.longerThan) + (slowSpans.map { [$0] } ?? [])
        return bounds.map(\.wholeNanoseconds).min() ?? .max
    }
}

extension Duration {
    fileprivate var wholeNanoseconds: UInt64 { UInt64(nanosecondsIn: max(seconds, 0)) }
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
            traceID: context.traceID, spanID: context.spanID)
        let header = RecordHeader(
            kind: .event, priority: .critical, scope: register(InstrumentationScope.ofSDK("astrolabe.recorder")),
            timeUnixNano: time, isOfApp: recorder.isAsked(trigger), isSampledOut: true)
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
