import AstronomyShop
import SwiftUI
import os

/// The app on a phone: what `honeycomb.plist` says, and then the same screens as everywhere.
@main
enum Main {
    @MainActor
    static func main() {
        do {
            _ = try ShopLaunch.prepare()
        } catch {
            // Whoever made the mistake sees it in Xcode; the shop works without telemetry.
            Logger().error("Telemetry is off: \(String(describing: error), privacy: .public)")
        }
        AstronomyShopApp.main()
    }
}
