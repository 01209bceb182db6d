import AstrolabeTelemetryModel

/// Does as the parent did, and asks another sampler for roots, so that a trace is recorded whole or not at all.
///
///     ParentBasedSampler(root: RatioSampler(0.1), remoteParentNotSampled: AlwaysOnSampler())
///
/// A sampler in the place of one of the four kinds of parents decides about their children instead.
public struct ParentBasedSampler: Sampler {
    let root: any Sampler
    private let remoteParentSampled: (any Sampler)?
    private let remoteParentNotSampled: (any Sampler)?
    private let localParentSampled: (any Sampler)?
    private let localParentNotSampled: (any Sampler)?

    /// Creates a sampler. `nil`, the default, does as the parent did.
    ///
    /// - Parameters:
    ///   - root: Decides about spans without a parent.
    ///   - remoteParentSampled: Decides if the parent is of another process and is sampled.
    ///   - remoteParentNotSampled: Decides if the parent is of another process and is not sampled.
    ///   - localParentSampled: Decides if the parent is of this process and is sampled.
    ///   - localParentNotSampled: Decides if the parent is of this process and is not sampled.
    public init(
        root: any Sampler, remoteParentSampled: (any Sampler)? = nil, remoteParentNotSampled: (any Sampler)? = nil,
        localParentSampled: (any Sampler)? = nil, localParentNotSampled: (any Sampler)? = nil,
    ) {
        self.root = root
        self.remoteParentSampled = remoteParentSampled
        self.remoteParentNotSampled = remoteParentNotSampled
        self.localParentSampled = localParentSampled
        self.localParentNotSampled = localParentNotSampled
    }

    public func shouldSample(_ input: SamplingInput) -> SamplingResult {
        guard let parent = input.parent else { return root.shouldSample(input) }
        if let sampler = delegate(for: parent) { return sampler.shouldSample(input) }
        return SamplingResult(isSampled: parent.isSampled, traceState: parent.consistentTraceState)
    }

    private func delegate(for parent: SpanContext) -> (any Sampler)? {
        switch (parent.isRemote, parent.isSampled) {
        case (true, true): remoteParentSampled
        case (true, false): remoteParentNotSampled
        case (false, true): localParentSampled
        case (false, false): localParentNotSampled
        }
    }

    private var delegates: [(name: String, sampler: any Sampler)] {
        [
            ("remoteParentSampled", remoteParentSampled), ("remoteParentNotSampled", remoteParentNotSampled),
            ("localParentSampled", localParentSampled), ("localParentNotSampled", localParentNotSampled),
        ].compactMap { name, sampler in sampler.map { (name, $0) } }
    }

    /// True if every child does as its parent did.
    var doChildrenFollow: Bool { delegates.isEmpty }

    public var description: String {
        let parts = [("root", root)] + delegates
        return "ParentBased{" + parts.map { "\($0.0):\($0.1)" }.joined(separator: ",") + "}"
    }
}
