import AstrolabePlatform
public import AstrolabeTelemetryModel
import Atomics

extension RecordingCore {
    /// Starts a span inside the current context, where there is a core.
    ///
    /// Takes an optional, because to unwrap one at the call would count a reference to the core up and down.
    @usableFromInline
    static func start(_ name: String, kind: SpanKind, scope: ScopeNumber, _ core: RecordingCore?) -> SpanRef {
        core?.startBare(name, kind: kind, scope: scope) ?? SpanRef(handle: nil)
    }

    /// Starts a span inside the current context, without attributes.
    @inline(__always)
    private func startBare(_ name: String, kind: SpanKind, scope: ScopeNumber) -> SpanRef {
        isExtended
            ? startExtended(name, kind: kind, scope: scope, Attributes()) : start(name, kind: kind, scope: scope)
    }

    /// Starts a span inside the current context, with attributes that are built only if they are needed.
    @inlinable
    func start(
        _ name: String, kind: SpanKind, scope: ScopeNumber, startingWith attributes: () -> Attributes,
    ) -> SpanRef {
        if isExtended { return startExtended(name, kind: kind, scope: scope, attributes()) }
        let span = start(name, kind: kind, scope: scope)
        if span.isRecorded { Tracer.Span(span).setAttributes(attributes()) }
        return span
    }

    /// Starts a span inside the current context, where processors or a sampler of the app see what it starts with.
    @usableFromInline
    @inline(never)
    func startExtended(_ name: String, kind: SpanKind, scope: ScopeNumber, _ attributes: Attributes) -> SpanRef {
        let details = SpanOptions(copying: nil)
        details.attributes = attributes
        return start(
            name, kind: kind, scope: scope, parent: TelemetryContext.current.activeSpan.stub, details: details, )
    }

    /// Starts a span inside the current context.
    ///
    /// If all roots are sampled out now and no context is in use, that is all there is to know. If the context is that
    /// of a trace that was sampled out, its number is. (A task that outlives the root of such a trace may begin another
    /// one then, of which no more is seen.)
    @usableFromInline
    func start(_ name: String, kind: SpanKind, scope: ScopeNumber) -> SpanRef {
        let use = contextUse.load(ordering: .relaxed)
        if use == 0, sampling.areRootsOut { return sampledOutRoot(kind: kind, scope: scope) }
        guard use < ContextUse.externalContext else {
            return start(name, kind: kind, scope: scope, parent: TelemetryContext.current.activeSpan.stub)
        }
        let mark = contextMark.get()
        if mark > ContextScope.seeHolder, sampling.doChildrenFollow {
            return sampledOut(kind: kind, scope: scope, link: mark)
        }
        return start(name, kind: kind, scope: scope, mark: mark)
    }

    /// Starts a span inside the context that is bound with `mark`.
    @inline(never)
    private func start(_ name: String, kind: SpanKind, scope: ScopeNumber, mark: UInt64) -> SpanRef {
        mark == ContextScope.noContext
            ? startRoot(name, kind: kind, scope: scope)
            : start(name, kind: kind, scope: scope, parent: ContextScope.context(of: mark).activeSpan.stub)
    }

    /// Starts a span as a builder says.
    @usableFromInline
    func start(_ name: String, kind: SpanKind, scope: ScopeNumber, _ options: SpanOptions) -> SpanRef {
        // The sampler may add attributes, and another span may start with the same options.
        let details = isExtended ? SpanOptions(copying: options) : options
        var span = start(
            name, kind: kind, scope: scope, parent: options.parent?.stub ?? TelemetryContext.current.activeSpan.stub,
            details: details, )
        if span.isKeptOnFailure {
            let parent = span.isLocalRoot ? span.handle?.parent : nil
            span = span.with(
                handle: SpanHandle(
                    context: span.context, parent: parent ?? .invalid, options: options, number: span.number, ))
        }
        return options.isActive ? ActiveSpans.activate(Tracer.Span(span, name: name)) : span
    }

    /// Starts a span under `parent`, which is remote, local or, for a root, one without a context.
    func start(
        _ name: String, kind: SpanKind, scope: ScopeNumber, parent: SpanRef, details: SpanOptions? = nil,
    ) -> SpanRef {
        let context = parent.context
        guard context.isValid else { return startRoot(name, kind: kind, scope: scope, details: details) }
        let recorder = parent.handle?.recorder
        guard let period = periods.permitted else { return SpanRef(handle: nil) }
        // What began before a refusal is not named after it.
        let isOfBefore =
            if let recorder { recorder.period != period } else {
                !sampledOutCounter.isOfCurrentPeriod(parent.rootNumber)
            }
        if isOfBefore { return startRoot(name, kind: kind, scope: scope, details: details) }
        let decision = sampling.decideChild(of: context, name: name, kind: kind, details)
        if decision.isSampled || decision.isRecordOnly {
            let flags = context.flags.intersection(.random).union(decision.isSampled ? .sampled : [])
            let own = SpanContext(
                traceID: context.traceID, spanID: SpanID(ids.next64()), flags: flags, traceState: decision.traceState, )
            return record(
                name, kind: kind, scope: scope, own, parent: context, depth: recorder.map { $0.depth &+ 1 } ?? 0,
                details: details, period: period, clockOffset: recorder?.clockOffset,
                isRecordOnly: decision.isRecordOnly, )
        }
        // A parent that is recorded and not sampled has an identifier that is not to be shared.
        guard context.isRemote || context.isSampled || recorder != nil else {
            let root = parent.root
            let span = sampledOut(kind: kind, scope: scope, link: root)
            return root == 0 ? span.with(handle: parent.handle) : span
        }
        let own = SpanContext(
            traceID: context.traceID, spanID: SpanID(ids.next64()), flags: context.flags.intersection(.random),
            traceState: decision.traceState, )
        return sampledOutRoot(kind: kind, scope: scope, own, parent: context)
    }

    private func startRoot(
        _ name: String, kind: SpanKind, scope: ScopeNumber, details: SpanOptions? = nil,
    ) -> SpanRef {
        guard let period = periods.permitted else { return SpanRef(handle: nil) }
        sessionDeadline.check(clock)
        if sampling.areRootsOut { return sampledOutRoot(kind: kind, scope: scope) }
        let (high, low) = ids.next128()
        let traceID = TraceID(high: high, low: low)
        let decision = sampling.decideRoot(traceID: traceID, name: name, kind: kind, details)
        let context = SpanContext(
            traceID: traceID, spanID: SpanID(ids.next64()), flags: decision.isSampled ? [.random, .sampled] : .random,
            traceState: decision.traceState, )
        guard decision.isSampled || decision.isRecordOnly else {
            return sampledOutRoot(kind: kind, scope: scope, context)
        }
        return record(
            name, kind: kind, scope: scope, context, parent: .invalid, details: details, period: period,
            isRecordOnly: decision.isRecordOnly, )
    }

    private func record(
        _ name: String, kind: SpanKind, scope: ScopeNumber, _ context: SpanContext, parent: SpanContext,
        depth: UInt8 = 0, details: SpanOptions?, period: UInt64, clockOffset: UInt64? = nil, isRecordOnly: Bool,
    ) -> SpanRef {
        let recorder = SpanRecorder(
            core: self, scope: scope, name: name, context: context, parent: parent.spanID,
            parentIsRemote: parent.isRemote, kind: kind, depth: depth, period: period,
            startTimeUnixNano: details?.startTimeUnixNano, clockOffset: clockOffset ?? clock.offset,
            isRecordOnly: isRecordOnly, )
        let span = SpanRef(handle: recorder)
        if let details { begin(Tracer.Span(span, name: name), parent: parent, details) }
        return span
    }

    private func begin(_ span: Tracer.Span, parent: SpanContext, _ details: SpanOptions) {
        span.setAttributes(details.attributes)
        for link in details.links { span.addLink(link.context, attributes: link.attributes) }
        processors?.start(span, parent: parent.isValid ? parent : nil)
    }

    @inline(__always)
    private func sampledOutRoot(kind: SpanKind, scope: ScopeNumber) -> SpanRef {
        sampledOut(kind: kind, scope: scope, link: failuresAddress, isRoot: true)
    }

    /// A local root that needs more of a context than its number gives.
    private func sampledOutRoot(
        kind: SpanKind, scope: ScopeNumber, _ context: SpanContext, parent: SpanContext = .invalid,
    ) -> SpanRef {
        let span = sampledOut(kind: kind, scope: scope, link: 0, isRoot: true)
        return span.with(handle: SpanHandle(context: context, parent: parent, number: span.number))
    }

    /// Counts a span that is not recorded.
    @inline(__always)
    private func sampledOut(kind: SpanKind, scope: ScopeNumber, link: UInt64, isRoot: Bool = false) -> SpanRef {
        let number = sampledOutCounter.next()
        guard keepsErrors else {
            return SpanRef(handle: nil, number: number, link: link, packed: isRoot ? SpanRef.rootBit : 0)
        }
        return SpanRef(number: number, link: link, start: roughNow, kind: kind, scope: scope, isRoot: isRoot)
    }

    /// The time in nanoseconds of a clock of its own, some milliseconds old at most.
    @inline(__always)
    var roughNow: UInt64 { hasSystemClock ? CoarseClock.now : clock.now }

    /// Nanoseconds since 1970, to the millisecond, for a time of `roughNow`.
    func time(ofRough time: UInt64) -> UInt64 {
        clock.offsetFromBoot.map { CoarseClock.sinceBoot(time) &+ $0 } ?? time
    }
}
