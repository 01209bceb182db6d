import AstrolabePlatform
import AstrolabeTelemetryModel
import Atomics

/// A sampler taken apart once, so that the start of a span asks it only what is not clear beforehand.
struct SamplingPlan: Sendable {
    private enum Roots: Sendable {
        case all
        case none
        case asked
    }

    private let roots: Roots
    /// True where a child is sampled exactly if its parent is.
    let doChildrenFollow: Bool
    /// Asked for roots, and for children where they do not follow their parent.
    private let sampler: any Sampler
    /// The same sampler, if it is the SDK's own: most apps have it, and it needs to know nothing of a root.
    private let session: SessionSampler?
    /// True while every root of the session is sampled out. `session` keeps the value current.
    private let isOut: UnsafeAtomic<Bool>

    /// True if the sampler is one of the app's, which may look at attributes and links and may add attributes.
    let readsDetails: Bool

    private static let never = UnsafeAtomic<Bool>.create(false)

    init(_ sampler: any Sampler) {
        let parentBased = (sampler as? ParentBasedSampler).flatMap { $0.doChildrenFollow ? $0 : nil }
        let root = parentBased?.root
        self.sampler = root ?? sampler
        session = self.sampler as? SessionSampler
        readsDetails = !self.sampler.isBuiltIn
        doChildrenFollow = root != nil || sampler is SessionSampler
        roots = self.sampler is AlwaysOnSampler ? .all : (self.sampler is AlwaysOffSampler ? .none : .asked)
        isOut = session?.isOut ?? Self.never
    }

    /// True where every root of this moment is sampled out with its session, whatever it is.
    @inline(__always)
    var areRootsOut: Bool { isOut.load(ordering: .acquiring) }

    /// True where the user wants no trace at all.
    var isOff: Bool { sampler is AlwaysOffSampler }

    /// The decision about a span.
    struct Decision {
        let isSampled: Bool
        let isRecordOnly: Bool
        let traceState: TraceState

        init(isSampled: Bool, isRecordOnly: Bool = false, traceState: TraceState = TraceState()) {
            self.isSampled = isSampled
            self.isRecordOnly = isRecordOnly
            self.traceState = traceState
        }
    }

    /// - Parameter details: What the span starts with. Gets the attributes that the sampler adds.
    func decideRoot(traceID: TraceID, name: String, kind: SpanKind, _ details: SpanOptions? = nil) -> Decision {
        switch roots {
        case .all: Decision(isSampled: true)
        case .none: Decision(isSampled: false)
        case .asked: session?.decideRoot() ?? ask(parent: nil, traceID, name, kind, details)
        }
    }

    /// - Parameter details: What the span starts with. Gets the attributes that the sampler adds.
    func decideChild(of parent: SpanContext, name: String, kind: SpanKind, _ details: SpanOptions? = nil) -> Decision {
        guard doChildrenFollow else { return ask(parent: parent, parent.traceID, name, kind, details) }
        return Decision(isSampled: parent.isSampled, traceState: state(passedOnFrom: parent))
    }

    private func ask(
        parent: SpanContext?, _ traceID: TraceID, _ name: String, _ kind: SpanKind, _ details: SpanOptions?,
    ) -> Decision {
        var input = SamplingInput(parent: parent, traceID: traceID, name: name, kind: kind)
        if let details {
            input.attributes = details.attributes
            input.links = details.links
        }
        LockRule.checkCall("calling a sampler")
        let result = sampler.shouldSample(input)
        if !result.attributes.isEmpty { details?.attributes.merge(result.attributes) }
        let isSampled = result.decision == .recordAndSample
        // What was not chosen by chance has no probability.
        let hasThreshold = !isSampled && !result.traceState.isEmpty
        return Decision(
            isSampled: isSampled, isRecordOnly: result.decision == .recordOnly,
            traceState: hasThreshold
                ? ProbabilityState(result.traceState).removingThreshold() : result.traceState)
    }

    /// A parent's state, without a threshold that its decision contradicts: a backend must not weigh by it. Only
    /// another process's parent can contradict itself.
    private func state(passedOnFrom parent: SpanContext) -> TraceState {
        parent.isRemote && !parent.traceState.isEmpty ? parent.consistentTraceState : parent.traceState
    }
}

extension Sampler {
    /// True if it is one of the SDK's that decide by the trace or the session alone.
    fileprivate var isBuiltIn: Bool {
        self is AlwaysOnSampler || self is AlwaysOffSampler || self is RatioSampler || self is SessionSampler
    }
}

extension SpanContext {
    /// The state without a threshold that would have decided otherwise than the sampled flag says.
    var consistentTraceState: TraceState {
        let state = ProbabilityState(traceState)
        guard let threshold = state.threshold else { return traceState }
        return (state.randomness(of: traceID) >= threshold) == isSampled ? traceState : state.removingThreshold()
    }
}
