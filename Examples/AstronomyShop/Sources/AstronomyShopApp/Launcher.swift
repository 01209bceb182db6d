import Astrolabe
import AstronomyShop
import Foundation
import SwiftUI

/// The entry point of the app's process.
@main
enum Launcher {
    @MainActor
    static func main() {
        // If nobody reads the output any more, the write fails instead of ending the app.
        signal(SIGPIPE, SIG_IGN)
        do {
            let arguments = CommandLine.arguments.dropFirst()
            let environment = ProcessInfo.processInfo.environment
            let settings = try AppSettings.read(arguments: arguments, environment: environment)
            #if os(Linux)
            if let path = settings.link { onDevice(settings, path: path) }
            try onThisMachine(settings)
            #else
            _ = try ShopLaunch.prepare(shop: settings.shop, storage: settings.storage, phone: settings.phone)
            AstronomyShopApp.main()
            #endif
        } catch {
            fail(error)
        }
    }

    #if os(Linux)
    @MainActor
    private static func onDevice(_ settings: AppSettings, path: String) -> Never {
        Task {
            do {
                try await DeviceSession.begin(settings, path: path)
            } catch {
                fail(error)
            }
        }
        while true { RunLoop.main.run() }
    }

    /// Runs the app without a screen, with the conditions of this machine.
    @MainActor
    private static func onThisMachine(_ settings: AppSettings) throws {
        let telemetry = try ShopLaunch.prepare(
            shop: settings.shop, storage: settings.storage, phone: settings.phone,
        )
        let ending = AppEnding(telemetry)
        ending.listenForSignals()
        telemetry.conditions?.moveLifecycle(to: .active)
        withExtendedLifetime(ending) { AstronomyShopApp.main() }
    }
    #endif

    private static func fail(_ error: any Error) -> Never {
        FileHandle.standardError.write(Data("astronomy-shop: \(error)\n".utf8))
        exit(1)
    }
}
