public import AstrolabeRecording

/// Records for processors what another sampler drops, so that they see every span.
///
///     configuration.sampler = AlwaysRecordSampler(ParentBasedSampler(root: RatioSampler(0.1)))
///
/// A span that the other sampler drops becomes `recordOnly`: it is sent only if the flight recorder promotes it.
public struct AlwaysRecordSampler: Sampler {
    private let root: any Sampler

    /// Creates a sampler that decides as `root` does, and drops nothing.
    public init(_ root: any Sampler) {
        self.root = root
    }

    public func shouldSample(_ input: SamplingInput) -> SamplingResult {
        var result = root.shouldSample(input)
        if result.decision == .drop { result.decision = .recordOnly }
        return result
    }

    public var description: String { "AlwaysRecord{\(root)}" }
}
