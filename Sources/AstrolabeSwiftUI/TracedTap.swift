import Astrolabe
public import SwiftUI

extension View {
    /// Gives a control its accessibility identifier, and records each tap on it as the event `app.widget.click`.
    ///
    ///     NavigationLink("Learn more") { AboutView() }
    ///         .tracedTap("learn-more")
    ///
    /// The control works as it does without; the event is recorded before its action runs. For what the system draws
    /// itself (the buttons of an alert, a menu, swipe actions) the modifier is not asked: call
    /// `ViewTracer.recordTap(_:name:)` in the action.
    ///
    /// - Parameters:
    ///   - id: `app.widget.id`, and the accessibility identifier.
    ///   - name: `app.widget.name`; what the control says. Default none, since text may hold what is private.
    public func tracedTap(_ id: String, name: String? = nil) -> some View {
        modifier(TracedTap(id: id, name: name))
    }
}

private struct TracedTap: ViewModifier {
    let id: String
    let name: String?
    @Environment(\.viewTracer) private var tracer

    func body(content: Content) -> some View {
        content
            .simultaneousGesture(
                TapGesture().onEnded { tracer.recordTap(id, name: name) },
                including: tracer.isEnabled ? .all : .subviews,
            )
            .accessibilityIdentifier(id)
    }
}
