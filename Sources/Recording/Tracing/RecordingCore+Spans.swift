import AstrolabePlatform
public import AstrolabeTelemetryModel
import Atomics

extension RecordingCore {
    /// Starts a span inside the current context, where there is a core.
    ///
    /// Takes an optional, because to unwrap one at the call would count a reference to the core up and down.
    @usableFromInline
    static func start(_ name: String, kind: SpanKind, scope: ScopeNumber, _ core: RecordingCore?) -> Tracer.Span {
        core?.startBare(name, kind: kind, scope: scope) ?? .none
    }

    /// Starts a span inside the current context, without attributes.
    @inline(__always)
    private func startBare(_ name: String, kind: SpanKind, scope: ScopeNumber) -> Tracer.Span {
        isExtended
            ? startExtended(name, kind: kind, scope: scope, Attributes()) : start(name, kind: kind, scope: scope)
    }

    /// Starts a span inside the current context, with attributes that are built only if they are needed.
    @inlinable
    func start(
        _ name: String, kind: SpanKind, scope: ScopeNumber, startingWith attributes: () -> Attributes,
    ) -> Tracer.Span {
        if isExtended { return startExtended(name, kind: kind, scope: scope, attributes()) }
        let span = start(name, kind: kind, scope: scope)
        if span.handle?.isRecorded == true { span.setAttributes(attributes()) }
        return span
    }

    /// Starts a span inside the current context, where processors or a sampler of the app see what it starts with.
    @usableFromInline
    @inline(never)
    func startExtended(_ name: String, kind: SpanKind, scope: ScopeNumber, _ attributes: Attributes) -> Tracer.Span {
        let details = SpanOptions(copying: nil)
        details.attributes = attributes
        return start(
            name, kind: kind, scope: scope, parent: TelemetryContext.current.activeSpan.handle, details: details)
    }

    /// Starts a span inside the current context.
    ///
    /// If no context is in use, there is no parent to look for.
    @usableFromInline
    func start(_ name: String, kind: SpanKind, scope: ScopeNumber) -> Tracer.Span {
        let use = contextUse.load(ordering: .relaxed)
        if use == 0 {
            if dropsRoots { return dropRoot(kind) }
            return startRoot(name, kind: kind, scope: scope)
        }
        let parent = use < ContextUse.externalContext ? ContextScope.span : TelemetryContext.current.activeSpan.handle
        return start(name, kind: kind, scope: scope, parent: parent)
    }

    /// Starts a span as a builder says.
    @usableFromInline
    func start(_ name: String, kind: SpanKind, scope: ScopeNumber, _ options: SpanOptions) -> Tracer.Span {
        // The sampler may add attributes, and another span may start with the same options.
        let details = isExtended ? SpanOptions(copying: options) : options
        let parent = options.parent ?? TelemetryContext.current.activeSpan
        let span = start(name, kind: kind, scope: scope, parent: parent.handle, details: details)
        return options.isActive ? ActiveSpans.activate(span) : span
    }

    /// Starts a span under `parent`, which is remote, local or, for a root, `nil` or one without a context.
    func start(
        _ name: String, kind: SpanKind, scope: ScopeNumber, parent: SpanHandle?, details: SpanOptions? = nil,
    ) -> Tracer.Span {
        guard let parent, parent.context.isValid else {
            return startRoot(name, kind: kind, scope: scope, details: details)
        }
        guard let period = periods.permitted else { return .none }
        // What began before a refusal is not named after it.
        if parent.isOf(before: period) { return startRoot(name, kind: kind, scope: scope, details: details) }
        let context = parent.context
        let decision = sampling.decideChild(of: context, name: name, kind: kind, details)
        let flags = context.flags.intersection(.random).union(decision.isSampled ? .sampled : [])
        guard records(decision) else {
            // It passes the context on, unless that would tell others something that the decision does not.
            let isShared =
                !context.isSampled && !parent.isRecorded
                && (!context.isRemote || context.traceState == decision.traceState)
            return isShared ? Tracer.Span(parent) : drop(context.traceID, flags, decision, period)
        }
        let own = SpanContext(
            traceID: context.traceID, spanID: SpanID(ids.next64()), flags: flags, traceState: decision.traceState)
        return record(
            name, kind: kind, scope: scope, own, parent: context, details: details, period: period,
            clockOffset: parent.recorder?.clockOffset)
    }

    private func startRoot(
        _ name: String, kind: SpanKind, scope: ScopeNumber, details: SpanOptions? = nil,
    ) -> Tracer.Span {
        guard let period = periods.permitted else { return .none }
        sessionDeadline.check(clock)
        if dropsRoots { return dropRoot(kind) }
        let (high, low) = ids.next128()
        let traceID = TraceID(high: high, low: low)
        let decision = sampling.decideRoot(traceID: traceID, name: name, kind: kind, details)
        let flags: TraceFlags = decision.isSampled ? [.random, .sampled] : .random
        guard records(decision) else { return drop(traceID, flags, decision, period) }
        let context = SpanContext(
            traceID: traceID, spanID: SpanID(ids.next64()), flags: flags, traceState: decision.traceState)
        return record(name, kind: kind, scope: scope, context, parent: .invalid, details: details, period: period)
    }

    @inline(__always)
    private func records(_ decision: SamplingPlan.Decision) -> Bool {
        decision.isSampled || decision.isRecordOnly || recordsSampledOut
    }

    private func record(
        _ name: String, kind: SpanKind, scope: ScopeNumber, _ context: SpanContext, parent: SpanContext,
        details: SpanOptions?, period: UInt64, clockOffset: UInt64? = nil,
    ) -> Tracer.Span {
        let recorder = SpanRecorder(
            core: self, scope: scope, name: name, context: context, parent: parent.spanID,
            parentIsRemote: parent.isRemote, kind: kind, period: period,
            startTimeUnixNano: details?.startTimeUnixNano, clockOffset: clockOffset ?? clock.offset)
        let span = Tracer.Span(recorder)
        if let details { begin(span, parent: parent, details) }
        return span
    }

    private func begin(_ span: Tracer.Span, parent: SpanContext, _ details: SpanOptions) {
        span.setAttributes(details.attributes)
        for link in details.links { span.addLink(link.context, attributes: link.attributes) }
        processors?.start(span, parent: parent.isValid ? parent : nil)
    }
}

/// Spans of sampled-out traces while the flight recorder is off: they are not recorded and not counted.
extension RecordingCore {
    /// True if every root of this moment is dropped.
    @inline(__always)
    private var dropsRoots: Bool { sampling.areRootsOut && !recordsSampledOut }

    /// Drops a root if all are: only a span that names itself to another process needs a context for that.
    @inline(__always)
    private func dropRoot(_ kind: SpanKind) -> Tracer.Span {
        switch kind {
        case .internal, .server, .consumer: .none
        case .client, .producer: dropCaller()
        }
    }

    @inline(never)
    private func dropCaller() -> Tracer.Span {
        guard let period = periods.permitted else { return .none }
        let (high, low) = ids.next128()
        return drop(TraceID(high: high, low: low), .random, SamplingPlan.Decision(isSampled: false), period)
    }

    /// A span that passes the decision on, and records nothing.
    private func drop(
        _ traceID: TraceID, _ flags: TraceFlags, _ decision: SamplingPlan.Decision, _ period: UInt64,
    ) -> Tracer.Span {
        let context = SpanContext(
            traceID: traceID, spanID: SpanID(ids.next64()), flags: flags, traceState: decision.traceState)
        return Tracer.Span(SpanHandle(context: context, period: period))
    }
}
