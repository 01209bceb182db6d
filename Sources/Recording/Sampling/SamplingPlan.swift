import TelemetryModel

/// A sampler taken apart once, so that the start of a span asks it only what is not clear beforehand.
struct SamplingPlan: Sendable {
    private enum Roots: Sendable {
        case all
        case none
        case asked
    }

    private let roots: Roots
    private let childrenFollowParent: Bool
    /// Asked for roots, and for children where they do not follow their parent.
    private let sampler: any Sampler

    init(_ sampler: any Sampler) {
        let root = (sampler as? ParentBasedSampler)?.root
        childrenFollowParent = root != nil
        self.sampler = root ?? sampler
        roots = self.sampler is AlwaysOnSampler ? .all : (self.sampler is AlwaysOffSampler ? .none : .asked)
    }

    /// - Parameter parent: Counts unless `isRoot`.
    @inline(__always)
    func decide(
        parent: SpanContext, isRoot: Bool, traceID: TraceID, name: String, kind: SpanKind,
    ) -> SamplingResult {
        switch (isRoot, roots) {
        case (true, .all): SamplingResult(isSampled: true)
        case (true, .none): SamplingResult(isSampled: false)
        case (true, .asked):
            sampler.shouldSample(SamplingInput(parent: nil, traceID: traceID, name: name, kind: kind))
        case (false, _) where childrenFollowParent:
            SamplingResult(isSampled: parent.isSampled, traceState: state(passedOnFrom: parent))
        case (false, _):
            sampler.shouldSample(SamplingInput(parent: parent, traceID: traceID, name: name, kind: kind))
        }
    }

    /// A parent's state, without a threshold that its decision contradicts: a backend must not weigh by it. Only
    /// another process's parent can contradict itself.
    @inline(__always)
    private func state(passedOnFrom parent: SpanContext) -> TraceState {
        parent.isRemote && !parent.traceState.isEmpty ? parent.consistentTraceState : parent.traceState
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
