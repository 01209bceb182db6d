public import AstrolabeTelemetryModel

/// The facts that a sampler may look at when a span starts.
public struct SamplingInput: Sendable {
    /// `nil` for a root.
    public var parent: SpanContext?
    /// The trace of the span; for a root, the one that it begins.
    public var traceID: TraceID
    /// The name that the span starts with.
    public var name: String
    /// The part of the span in a request or message.
    public var kind: SpanKind
    /// The attributes that the span starts with. Those that are set later are not known yet.
    public var attributes: Attributes
    /// The links that the span starts with.
    public var links: [SpanLink]

    /// Creates an input, for a test or for a sampler that asks another one.
    public init(
        parent: SpanContext?, traceID: TraceID, name: String, kind: SpanKind, attributes: Attributes = [:],
        links: [SpanLink] = [],
    ) {
        self.parent = parent
        self.traceID = traceID
        self.name = name
        self.kind = kind
        self.attributes = attributes
        self.links = links
    }
}

/// The decision whether a span is recorded, and what its trace carries on about that.
public struct SamplingResult: Sendable {
    /// The fate of a span.
    public enum Decision: Hashable, Sendable {
        /// It is sent only if the flight recorder promotes it, and is not recorded while that is off.
        case drop
        /// As `drop`, except that processors see it also while the flight recorder is off.
        case recordOnly
        /// It is recorded and sent.
        case recordAndSample
    }

    /// The fate of the span.
    public var decision: Decision
    /// Attributes that the span gets in addition to those that it starts with. They win.
    public var attributes: Attributes
    /// The `tracestate` of the span.
    public var traceState: TraceState

    /// Creates a result.
    ///
    /// - Parameter traceState: Usually the parent's, which passes on what other systems have set.
    public init(_ decision: Decision, attributes: Attributes = [:], traceState: TraceState = TraceState()) {
        self.decision = decision
        self.attributes = attributes
        self.traceState = traceState
    }

    package init(isSampled: Bool, traceState: TraceState = TraceState()) {
        self.init(isSampled ? .recordAndSample : .drop, traceState: traceState)
    }

    package var isSampled: Bool { decision == .recordAndSample }
}

/// Decides, when a span starts, whether it is recorded.
///
///     struct WithoutHealthChecks: Sampler {
///         let other: any Sampler
///         var description: String { "WithoutHealthChecks{\(other)}" }
///
///         func shouldSample(_ input: SamplingInput) -> SamplingResult {
///             input.attributes["url.path"] == "/health" ? SamplingResult(.drop) : other.shouldSample(input)
///         }
///     }
///
/// Called on the thread that starts the span: it must not block.
public protocol Sampler: Sendable, CustomStringConvertible {
    /// Decides about one span.
    func shouldSample(_ input: SamplingInput) -> SamplingResult
}

/// Records everything.
public struct AlwaysOnSampler: Sampler {
    /// Creates the sampler.
    public init() {}

    public func shouldSample(_ input: SamplingInput) -> SamplingResult {
        SamplingResult(isSampled: true, traceState: input.parent?.traceState ?? TraceState())
    }

    public var description: String { "AlwaysOnSampler" }
}

/// Records nothing.
public struct AlwaysOffSampler: Sampler {
    /// Creates the sampler.
    public init() {}

    public func shouldSample(_ input: SamplingInput) -> SamplingResult {
        SamplingResult(isSampled: false, traceState: input.parent?.traceState ?? TraceState())
    }

    public var description: String { "AlwaysOffSampler" }
}
