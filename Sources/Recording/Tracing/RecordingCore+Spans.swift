import AstrolabePlatform
public import AstrolabeTelemetryModel
import Atomics

extension RecordingCore {
    /// Starts a span inside the current context, where there is a core.
    ///
    /// Takes an optional, because to unwrap one at the call would count a reference to the core up and down.
    @usableFromInline
    static func start(_ name: String, kind: SpanKind, scope: ScopeNumber, _ core: RecordingCore?) -> SpanRef {
        core?.start(name, kind: kind, scope: scope) ?? SpanRef(handle: nil)
    }

    /// Starts a span inside the current context.
    ///
    /// Where the roots of the moment are sampled out and no context is in use, that is all there is to know; and where
    /// the context is that of a trace that was sampled out, its number is. (A task that outlives the root of such a
    /// trace may begin another one then, of which no more is seen.)
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
        var span = start(
            name, kind: kind, scope: scope, parent: options.parent?.stub ?? TelemetryContext.current.activeSpan.stub,
            startTimeUnixNano: options.startTimeUnixNano, )
        if span.isRecorded {
            let span = Tracer.Span(span)
            span.setAttributes(options.attributes)
            for link in options.links { span.addLink(link.context, attributes: link.attributes) }
        } else if span.isKeptOnFailure {
            let parent = span.isLocalRoot ? span.handle?.parent : nil
            span = span.with(
                handle: SpanHandle(
                    context: span.context, parent: parent ?? .invalid, options: options, number: span.number, ))
        }
        return options.isActive ? ActiveSpans.activate(Tracer.Span(span, name: name)) : span
    }

    /// Starts a span under `parent`, which is remote, local or, for a root, one without a context.
    func start(
        _ name: String, kind: SpanKind, scope: ScopeNumber, parent: SpanRef, startTimeUnixNano: UInt64? = nil,
    ) -> SpanRef {
        let context = parent.context
        guard context.isValid else {
            return startRoot(name, kind: kind, scope: scope, startTimeUnixNano: startTimeUnixNano)
        }
        let decision = sampling.decideChild(of: context, name: name, kind: kind)
        if decision.isSampled {
            let own = SpanContext(
                traceID: context.traceID, spanID: SpanID(ids.next64()),
                flags: context.flags.intersection(.random).union(.sampled), traceState: decision.traceState, )
            return record(
                name, kind: kind, scope: scope, own, parent: context, startTimeUnixNano: startTimeUnixNano,
                clockOffset: parent.handle?.recorder?.clockOffset, )
        }
        guard context.isRemote || context.isSampled else {
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
        _ name: String, kind: SpanKind, scope: ScopeNumber, startTimeUnixNano: UInt64? = nil,
    ) -> SpanRef {
        sessionDeadline.check(clock)
        if sampling.areRootsOut { return sampledOutRoot(kind: kind, scope: scope) }
        let (high, low) = ids.next128()
        let traceID = TraceID(high: high, low: low)
        let decision = sampling.decideRoot(traceID: traceID, name: name, kind: kind)
        let context = SpanContext(
            traceID: traceID, spanID: SpanID(ids.next64()), flags: decision.isSampled ? [.random, .sampled] : .random,
            traceState: decision.traceState, )
        guard decision.isSampled else { return sampledOutRoot(kind: kind, scope: scope, context) }
        return record(
            name, kind: kind, scope: scope, context, parent: .invalid, startTimeUnixNano: startTimeUnixNano, )
    }

    private func record(
        _ name: String, kind: SpanKind, scope: ScopeNumber, _ context: SpanContext, parent: SpanContext,
        startTimeUnixNano: UInt64?, clockOffset: UInt64? = nil,
    ) -> SpanRef {
        let recorder = SpanRecorder(
            core: self, scope: scope, name: name, context: context, parent: parent.spanID,
            parentIsRemote: parent.isRemote, kind: kind, startTimeUnixNano: startTimeUnixNano,
            clockOffset: clockOffset ?? clock.offset, )
        return SpanRef(handle: recorder)
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
