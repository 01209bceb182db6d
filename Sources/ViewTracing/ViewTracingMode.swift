import AstrolabeSemantics

/// The extent of what is recorded of an app's views.
///
/// The raw values are used in configuration files and the environment.
public enum ViewTracingMode: String, Hashable, Sendable, CaseIterable {
    /// Nothing: no spans, events, screen names or taps. A traced view is only the view itself.
    case off
    /// Screen names, taps, and for each screen one span until its first appearance and one event per appearance. Views
    /// within a screen are not recorded.
    case compact
    /// The lifecycle of every view as a trace: see `ViewTrace`. Also screen names and taps.
    case full
}

/// The role of a traced view in the user interface.
public enum ViewRole: Hashable, Sendable {
    /// A full screen, sheet or tab. The visible screen's name is added to every record.
    case screen
    /// A part of a screen whose cost is of interest.
    case part
}

/// The identity of a view in telemetry.
package struct ViewIdentity: Hashable, Sendable {
    /// `view.name`, and `app.screen.name` of a screen; stable across releases and without personal data.
    package let name: String
    /// `app.screen.id` of a screen.
    package let id: String
    /// The role of this view.
    package let role: ViewRole
    /// `view.type`: the framework that draws it.
    let framework: String

    /// - Parameters:
    ///   - id: Default the name.
    ///   - framework: Default SwiftUI's.
    package init(
        _ name: String, id: String? = nil, role: ViewRole = .screen, framework: String = KnownValue.swiftUIView,
    ) {
        self.name = name
        self.id = id ?? name
        self.role = role
        self.framework = framework
    }
}
