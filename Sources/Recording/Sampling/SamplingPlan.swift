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
    /// True while every root is sampled out, whatever it is; `sampler` keeps it.
    private let isOut: UnsafeAtomic<Bool>

    private static let always = UnsafeAtomic<Bool>.create(true)
    private static let never = UnsafeAtomic<Bool>.create(false)

    init(_ sampler: any Sampler) {
        let root = (sampler as? ParentBasedSampler)?.root
        self.sampler = root ?? sampler
        doChildrenFollow = root != nil || sampler is SessionSampler
        roots = self.sampler is AlwaysOnSampler ? .all : (self.sampler is AlwaysOffSampler ? .none : .asked)
        isOut = (self.sampler as? SessionSampler)?.isOut ?? (roots == .none ? Self.always : Self.never)
    }

    /// True where every root of this moment is sampled out, whatever it is.
    @inline(__always)
    var areRootsOut: Bool { isOut.load(ordering: .acquiring) }

    /// True where the user wants no trace at all.
    var isOff: Bool { sampler is AlwaysOffSampler }

    func decideRoot(traceID: TraceID, name: String, kind: SpanKind) -> SamplingResult {
        switch roots {
        case .all: SamplingResult(isSampled: true)
        case .none: SamplingResult(isSampled: false)
        case .asked: sampler.shouldSample(SamplingInput(parent: nil, traceID: traceID, name: name, kind: kind))
        }
    }

    func decideChild(of parent: SpanContext, name: String, kind: SpanKind) -> SamplingResult {
        guard doChildrenFollow else {
            return sampler.shouldSample(
                SamplingInput(parent: parent, traceID: parent.traceID, name: name, kind: kind))
        }
        return SamplingResult(isSampled: parent.isSampled, traceState: state(passedOnFrom: parent))
    }

    /// A parent's state, without a threshold that its decision contradicts: a backend must not weigh by it. Only
    /// another process's parent can contradict itself.
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
