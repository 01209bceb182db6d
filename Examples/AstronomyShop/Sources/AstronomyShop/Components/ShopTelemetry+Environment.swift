import SwiftUI

private struct ShopTelemetryKey: EnvironmentKey {
    static let defaultValue: ShopTelemetry? = nil
}

extension EnvironmentValues {
    /// The telemetry of the app; `nil` in a preview.
    var shopTelemetry: ShopTelemetry? {
        get { self[ShopTelemetryKey.self] }
        set { self[ShopTelemetryKey.self] = newValue }
    }
}
