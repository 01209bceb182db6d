/// Settings of the session replay: whether it is recorded, and which texts are readable.
///
///     import AstrolabeSessionReplay
///
///     configuration.replay.isEnabled = true
///     configuration.replay.unmasked = ["catalogue"]       // including its children
///
/// Environment: `ASTROLABE_REPLAY` (`on` or `off`), `ASTROLABE_REPLAY_MASKING` (`all` or `inputs`) and
/// `ASTROLABE_REPLAY_UNMASKED` (identifiers separated by commas). In `honeycomb.plist`: `REPLAY`, `REPLAY_MASKING` and
/// `REPLAY_UNMASKED`. In a JSON file: `isEnabled`, `masking` and `unmasked` of `telemetry.replay`.
public struct ReplayConfiguration: Equatable, Sendable {
    /// The texts that a replay masks.
    public enum Masking: String, Hashable, Sendable, CaseIterable {
        /// Only the word lengths of texts are recorded.
        case all
        /// The app's texts are recorded, but not what users type.
        case inputs
    }

    /// Records the replay. Default false. `ASTROLABE_REPLAY`: `on` or `off`.
    public var isEnabled = false
    /// The texts that are masked. Default `all`. What users type is never recorded, not even its length.
    /// `ASTROLABE_REPLAY_MASKING`.
    public var masking = Masking.all
    /// Accessibility identifiers of elements whose texts are readable, including those of their children. Fields and
    /// private nodes stay masked. Default none. `ASTROLABE_REPLAY_UNMASKED`, with commas between them.
    public var unmasked: Set<String> = []

    /// Creates the default configuration: no replay.
    public init() {}
}
