/// Whether what people see is recorded as wireframes, and what of it may be read.
///
///     configuration.replay.isEnabled = true
///     configuration.replay.unmasked = ["catalogue"]       // and what is inside
///
/// `ASTROLABE_REPLAY` (`on` or `off`), `ASTROLABE_REPLAY_MASKING` (`all` or `inputs`) and `ASTROLABE_REPLAY_UNMASKED`
/// (identifiers with commas between them); `REPLAY`, `REPLAY_MASKING` and `REPLAY_UNMASKED` in `honeycomb.plist`;
/// `isEnabled`, `masking` and `unmasked` of `telemetry.replay` in a JSON file.
public struct ReplayConfiguration: Hashable, Sendable {
    public enum Masking: String, Hashable, Sendable, CaseIterable {
        /// Of every text only the lengths of its words are recorded.
        case all
        /// Texts of the app are recorded as they are, but for what people type.
        case inputs
    }

    /// Default false.
    public var isEnabled = false
    /// Default `all`. What people type is never recorded, not even its length.
    public var masking = Masking.all
    /// Accessibility identifiers whose texts, and those inside, may be read; fields are excepted, and what the source
    /// calls private. Default: none.
    public var unmasked: Set<String> = []

    public init() {}
}
