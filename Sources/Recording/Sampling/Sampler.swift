public import AstrolabeTelemetryModel

/// What a sampler may look at when a span starts.
public struct SamplingInput: Sendable {
    /// `nil` for a root.
    public var parent: SpanContext?
    public var traceID: TraceID
    public var name: String
    public var kind: SpanKind

    public init(parent: SpanContext?, traceID: TraceID, name: String, kind: SpanKind) {
        self.parent = parent
        self.traceID = traceID
        self.name = name
        self.kind = kind
    }
}

/// Whether a span is recorded, and what its trace carries on about that.
public struct SamplingResult: Sendable {
    public var isSampled: Bool
    public var traceState: TraceState

    @inlinable
    public init(isSampled: Bool, traceState: TraceState = TraceState()) {
        self.isSampled = isSampled
        self.traceState = traceState
    }
}

/// Decides, when a span starts, whether it is recorded. Called on the span path: it must not block.
public protocol Sampler: Sendable, CustomStringConvertible {
    func shouldSample(_ input: SamplingInput) -> SamplingResult
}

/// Records everything.
public struct AlwaysOnSampler: Sampler {
    public init() {}

    public func shouldSample(_ input: SamplingInput) -> SamplingResult {
        SamplingResult(isSampled: true, traceState: input.parent?.traceState ?? TraceState())
    }

    public var description: String { "AlwaysOnSampler" }
}

/// Records nothing.
public struct AlwaysOffSampler: Sampler {
    public init() {}

    public func shouldSample(_ input: SamplingInput) -> SamplingResult {
        SamplingResult(isSampled: false, traceState: input.parent?.traceState ?? TraceState())
    }

    public var description: String { "AlwaysOffSampler" }
}

/// Does as the parent did, and asks another sampler for roots, so that a trace is recorded whole or not at all.
public struct ParentBasedSampler: Sampler {
    let root: any Sampler

    public init(root: any Sampler) {
        self.root = root
    }

    public func shouldSample(_ input: SamplingInput) -> SamplingResult {
        guard let parent = input.parent else { return root.shouldSample(input) }
        return SamplingResult(isSampled: parent.isSampled, traceState: parent.consistentTraceState)
    }

    public var description: String { "ParentBased{root:\(root)}" }
}
