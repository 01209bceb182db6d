import SwiftUI

private struct ShopTelemetryKey: EnvironmentKey {
    static let defaultValue: ShopTelemetry? = nil
}

extension EnvironmentValues {
    /// What the screens record with; nil in a preview.
    var shopTelemetry: ShopTelemetry? {
        get { self[ShopTelemetryKey.self] }
        set { self[ShopTelemetryKey.self] = newValue }
    }
}

extension View {
    /// Names the screen that records carry while this view is on it.
    func screen(_ name: String, id: String) -> some View {
        modifier(ScreenModifier(name: name, id: id))
    }
}

private struct ScreenModifier: ViewModifier {
    let name: String
    let id: String
    @Environment(\.shopTelemetry) private var telemetry

    func body(content: Content) -> some View {
        content.onAppear { telemetry?.setScreen(name, id) }
    }
}
