public import Astrolabe
public import Foundation
public import SwiftUI

/// The app.
///
/// An executable starts the telemetry, since it knows where that goes, and then the app:
///
///     @main
///     enum Launcher {
///         static func main() throws {
///             AstronomyShopApp.setUp(baseURL: address, telemetry: .start(configuration))
///             AstronomyShopApp.main()
///         }
///     }
public struct AstronomyShopApp: App {
    private let shop: ShopModel

    @MainActor private static var prepared: ShopModel?

    /// Says where the shop is and what to record with; before `main()`.
    ///
    /// - Parameter storage: Where the person's choices are kept; default nowhere.
    public static func setUp(baseURL: URL, telemetry: Telemetry, storage: URL? = nil) {
        prepared = ShopModel(
            baseURL: baseURL, telemetry: ShopTelemetry(telemetry),
            preferences: storage.map { .file($0.appendingPathComponent("preferences.json")) } ?? .none,
        )
    }

    /// Without ``setUp(baseURL:telemetry:storage:)`` the app looks for a shop on this machine, and records nothing.
    public init() {
        shop =
            Self.prepared
            ?? ShopModel(
                baseURL: ShopLaunch.defaultShop, telemetry: ShopTelemetry(.disabled), )
    }

    public var body: some Scene {
        WindowGroup {
            ContentView(shop: shop)
        }
    }
}
