import AstrolabeRecording

/// Decides which view controllers are recorded automatically.
struct ControllerFilter {
    private let included: KeyPatterns
    private let excluded: KeyPatterns

    init(_ options: AutomaticOptions) {
        included = KeyPatterns(options.includedControllers)
        excluded = KeyPatterns(options.excludedControllers)
    }

    /// A class, as the system describes it.
    struct ControllerClass: Equatable {
        /// As Objective-C names it: `MyApp.CartViewController`, or what the compiler makes of a generic class.
        var runtimeName: String
        /// As Swift names it: `CartViewController`, `ListViewController<Order>`.
        var typeName: String
        /// True if it comes from the app's bundle or a bundle inside it.
        var isOfApp: Bool

        fileprivate var names: Set<String> { [runtimeName, String(typeName.prefix { $0 != "<" })] }
    }

    func records(_ type: ControllerClass) -> Bool {
        if excludes(type) { return false }
        if type.names.contains(where: included.match) { return true }
        // A SwiftUI view has its own way to be traced, and the name of its host says nothing.
        return type.isOfApp && !type.typeName.contains("HostingController")
    }

    func excludes(_ type: ControllerClass) -> Bool { type.names.contains(where: excluded.match) }
}
