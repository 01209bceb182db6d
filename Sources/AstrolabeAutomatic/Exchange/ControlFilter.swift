import AstrolabeRecording

/// Decides of which controls taps are recorded automatically.
///
/// The order of taps on the keys of a PIN pad is the PIN, so each way to leave controls out wins over the others.
struct ControlFilter {
    private let excluded: KeyPatterns
    private let controllers: ControllerFilter

    init(_ options: AutomaticOptions) {
        excluded = KeyPatterns(options.excludedControls)
        controllers = ControllerFilter(options)
    }

    /// A control, as the system describes it.
    struct Control: Equatable {
        var accessibilityIdentifier: String?
        /// The controllers that it is inside.
        var controllers: [ControllerFilter.ControllerClass] = []
        /// True if it is or belongs to a field for secure text.
        var isSecure = false
        /// True if the app has excluded it or a view around it.
        var isExcluded = false
    }

    func records(_ control: Control) -> Bool {
        if control.isSecure || control.isExcluded || control.controllers.contains(where: controllers.excludes) {
            return false
        }
        return !(control.accessibilityIdentifier.map(excluded.match) ?? false)
    }
}
