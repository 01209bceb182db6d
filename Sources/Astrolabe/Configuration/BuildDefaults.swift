/// Defaults that depend on how the SDK was built.
///
/// A developer wants to see the first span at once; a user's device is to be spared.
enum BuildDefaults {
    /// True for a debug build and in a simulator.
    static var isDevelopment: Bool {
        #if DEBUG || targetEnvironment(simulator)
        true
        #else
        false
        #endif
    }

    /// The longest flush interval in development while the mode is full or normal.
    static let flushInterval: Duration = .seconds(1)

    /// Writes diagnostics to the log in development, and nothing otherwise.
    static var onDiagnostic: @Sendable (String) -> Void {
        #if DEBUG || targetEnvironment(simulator)
        DiagnosticLog.write
        #else
        { _ in }
        #endif
    }
}
