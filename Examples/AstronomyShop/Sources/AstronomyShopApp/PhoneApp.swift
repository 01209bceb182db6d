import Astrolabe
import AstronomyShop
import Foundation
import SwiftUI

/// The shop on a simulated phone: its backend and folder are the phone's, and everything else is the app.
@main
struct PhoneApp: App {
    private let app: AstronomyShopApp

    init() {
        do {
            let environment = ProcessInfo.processInfo.environment
            _ = try ShopLaunch.prepare(
                shop: try Self.backend(environment),
                storage: environment["ASTROLABE_APP_STORAGE"].map { URL(fileURLWithPath: $0, isDirectory: true) },
            ) { configuration in
                // As in a release build, so that the phone shows what production does.
                configuration.sampling = .policy
            }
        } catch {
            FileHandle.standardError.write(Data("\(ShopLaunch.name): \(error)\n".utf8))
            exit(1)
        }
        app = AstronomyShopApp()
    }

    var body: some Scene { app.body }

    /// The address of the shop's backend; `nil` if the environment has none.
    static func backend(_ environment: [String: String]) throws(BackendError) -> URL? {
        guard let text = environment["ASTROLABE_BACKEND_URL"], !text.isEmpty else { return nil }
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
            url.host?.isEmpty == false
        else { throw BackendError(found: text) }
        return url
    }
}

struct BackendError: Error, CustomStringConvertible {
    let found: String

    var description: String {
        "ASTROLABE_BACKEND_URL: expected an address such as http://127.0.0.1:8080; found \(found)"
    }
}
