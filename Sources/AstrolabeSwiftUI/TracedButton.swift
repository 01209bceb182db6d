import Astrolabe
public import SwiftUI

/// A button whose taps are recorded as the event `app.widget.click`, before its action runs.
///
///     .alert("Empty the cart?", isPresented: $isAsking) {
///         TracedButton("Empty", id: "empty-cart", role: .destructive) { cart.empty() }
///     }
///
/// It works where gestures do not: in alerts, dialogs, menus, toolbars and swipe actions.
public struct TracedButton<Label: View>: View {
    private let id: String
    private let name: String?
    private let role: ButtonRole?
    private let action: @MainActor () -> Void
    private let label: Label
    @Environment(\.viewTracer) private var tracer

    /// - Parameters:
    ///   - id: `app.widget.id`, and the accessibility identifier.
    ///   - name: `app.widget.name`; what the button says. Default none.
    public init(
        id: String, name: String? = nil, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void,
        @ViewBuilder label: () -> Label,
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.action = action
        self.label = label()
    }

    public var body: some View {
        Button(role: role) {
            tracer.recordTap(id, name: name)
            action()
        } label: {
            label
        }
        .accessibilityIdentifier(id)
    }
}

extension TracedButton where Label == Text {
    /// See ``init(id:name:role:action:label:)``.
    public init(
        _ titleKey: LocalizedStringKey, id: String, name: String? = nil, role: ButtonRole? = nil,
        action: @escaping @MainActor () -> Void,
    ) {
        self.init(id: id, name: name, role: role, action: action) { Text(titleKey) }
    }
}
