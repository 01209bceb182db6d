public import AstrolabeRecording

/// The sampler that the SDK makes for itself, which the benchmarks can call here.
public enum SamplerSubject {
    /// - Parameter rate: The share of sessions that is recorded, 0 to 1.
    public static func session(rate: Double) -> any Sampler { SessionSampler(rate: rate) }
}
