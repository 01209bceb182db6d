import AstrolabePlatform
import AstrolabeSemantics
public import AstrolabeTelemetryModel
import Atomics

/// Errors in traces that were sampled out: the span that fails is kept, and so is the local root of its trace.
extension Tracer.Span {
    /// Notes something that goes on the record if the span was sampled out and is kept.
    func note(_ operations: [SpanOperation], isFailure: Bool) {
        guard stub.failureNumber & SpanRef.keptBit != 0 else { return }
        if isFailure, !FailedSpans.contains(stub.ownID), !isWithinLimit(operations) { return }
        FailedSpans.note(operations, of: stub.ownID, root: stub.context.spanID, isFailure: isFailure)
        if isFailure, !stub.isLocalRoot, let root = EndedRoots.take(stub.rootNumber) { root.span.keep(root.end) }
    }

    /// Returns true if an error of this kind is kept again in this session.
    private func isWithinLimit(_ operations: [SpanOperation]) -> Bool {
        guard let core = WeakCoreRegistry.core(of: stub.failureNumber) else { return true }
        let error = operations.lazy.compactMap(\.error).first ?? ""
        let session = core.ambient.snapshot.attributes[AttributeKey.sessionID]?.stringValue ?? ""
        if core.repeatedErrors.admits("\(name)\n\(error)", in: session) { return true }
        core.notices.report(.repeatedErrors) {
            "The span \"\(core.admitted(name))\" failed \(RepeatedErrors.limit) times in this session, which is "
                + "sampled out. Its failures are not recorded in this session any more."
        }
        return false
    }

    /// Keeps a local root that ended before its trace failed.
    private func keep(_ roughEnd: UInt64) {
        guard let core = WeakCoreRegistry.core(of: stub.number) else { return }
        endKept(Attributes(), at: core.time(ofRough: roughEnd))
    }

    /// Ends a span that was sampled out and that a closure ran in.
    ///
    /// - Parameter attributes: Those it was to start with, built only where it is kept.
    @usableFromInline
    func endSampledOut(_ core: RecordingCore?, startedWith attributes: () -> Attributes) {
        if stub.isLocalRoot, let core { EndedRoots.add(self, end: core.roughNow) }
        guard FailedSpans.isAnyWaiting(link: stub.link, packed: stub.packed), FailedSpans.contains(stub.ownID) else {
            return
        }
        _ = stub.isLocalRoot ? EndedRoots.take(stub.number) : nil
        endKept(attributes())
    }

    /// Makes a record of a span that was sampled out, if it is to be kept.
    @usableFromInline
    func endKept(_ attributes: Attributes, at timeUnixNano: UInt64? = nil) {
        guard let operations = FailedSpans.take(stub.ownID), let core = WeakCoreRegistry.core(of: stub.number),
            isPermitted(in: core)
        else { return }
        core.keep(self, attributes: attributes, operations, endTimeUnixNano: timeUnixNano ?? core.clock.now)
    }
}

extension SpanOperation {
    /// A text that differs between errors of two kinds; `nil` if it is none.
    fileprivate var error: String? {
        switch self {
        case .event(let event): event.attributes[AttributeKey.exceptionType]?.stringValue
        case .status(.error(let message)): message
        case .attribute, .removal, .link, .name, .status, .end: nil
        }
    }
}

extension RecordingCore {
    /// Records a span that was sampled out.
    ///
    /// Its trace state has no threshold: it was not chosen by chance, and must not be counted as if it stood for others
    /// (decision 0013).
    fileprivate func keep(
        _ span: Tracer.Span, attributes: Attributes, _ operations: [SpanOperation], endTimeUnixNano: UInt64,
    ) {
        let stub = span.stub
        let shared = stub.context
        let parent = stub.isLocalRoot ? stub.handle?.parent ?? .invalid : shared
        let options = stub.options
        let recorder = SpanRecorder(
            core: self, scope: stub.scope, name: span.name,
            context: SpanContext(
                traceID: shared.traceID, spanID: stub.ownID, flags: shared.flags,
                traceState: ProbabilityState(shared.traceState).removingThreshold(), ),
            parent: parent.spanID, parentIsRemote: parent.isRemote, kind: stub.kind, period: periods.number,
            startTimeUnixNano: options?.startTimeUnixNano ?? time(ofRough: stub.roughStart), clockOffset: clock.offset,
        )
        let kept = Tracer.Span(SpanRef(handle: recorder))
        kept.setAttribute(AttributeKey.astrolabeSamplingKeptBy, KnownValue.keptByError)
        kept.setAttributes(options?.attributes ?? Attributes())
        kept.setAttributes(attributes)
        for link in options?.links ?? [] { kept.addLink(link.context, attributes: link.attributes) }
        for operation in operations { recorder.record(operation) }
        sampledOutCounter.keptByError.wrappingIncrement(ordering: .releasing)
        recorder.end(at: endTimeUnixNano, priority: .high)
    }
}
