public import Astrolabe
public import Foundation
public import SwiftUI

/// The app.
///
/// An executable starts the telemetry, because it knows the endpoint, and then the app:
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

    /// Sets the shop's address and the telemetry. Call it before `main()`.
    ///
    /// - Parameter storage: The folder for the user's choices. Default: none, in memory only.
    public static func setUp(baseURL: URL, telemetry: Telemetry, storage: URL? = nil) {
        prepared = ShopModel(
            baseURL: baseURL, telemetry: ShopTelemetry(telemetry),
            preferences: storage.map { .file($0.appendingPathComponent("preferences.json")) } ?? .none,
        )
    }

    /// Without ``setUp(baseURL:telemetry:storage:)``, the app uses a shop on this machine and records nothing.
    public init() {
        shop =
            Self.prepared
            ?? ShopModel(
                baseURL: ShopLaunch.defaultShop, telemetry: ShopTelemetry(.disabled))
    }

    public var body: some Scene {
        WindowGroup {
            ContentView(shop: shop)
        }
    }
}
