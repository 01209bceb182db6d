import SwiftUI

/// A button whose action is traced, starting at the tap.
///
///     ActionButton("Add to Cart", id: "add-to-cart") { await cart.addProduct(product) } label: {
///         Label("Add to Cart", systemImage: "cart.badge.plus")
///     }
struct ActionButton<Content: View>: View {
    private let name: String
    private let id: String
    private let role: ButtonRole?
    private let action: @MainActor () async -> Void
    private let content: Content
    @Environment(\.shopTelemetry) private var telemetry

    /// - Parameters:
    ///   - name: The button's name in telemetry, the same in each language.
    ///   - id: The `app.widget.id` in telemetry, and the accessibility identifier.
    init(
        _ name: String, id: String, role: ButtonRole? = nil, action: @escaping @MainActor () async -> Void,
        @ViewBuilder label: () -> Content,
    ) {
        self.name = name
        self.id = id
        self.role = role
        self.action = action
        content = label()
    }

    var body: some View {
        Button(role: role) {
            Task { await perform() }
        } label: {
            content
        }
        .accessibilityIdentifier(id)
    }

    private func perform() async {
        guard let telemetry else { return await action() }
        await telemetry.userAction(name, id: id) { _ in await action() }
    }
}

extension ActionButton where Content == Text {
    /// - Parameter name: The button's name in telemetry, and the key of its title.
    init(_ name: String, id: String, role: ButtonRole? = nil, action: @escaping @MainActor () async -> Void) {
        self.init(name, id: id, role: role, action: action) { Text(LocalizedStringKey(name)) }
    }
}
