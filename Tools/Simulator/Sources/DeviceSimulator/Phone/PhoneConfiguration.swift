package import Foundation

/// The app that runs on the phone, the folders of both, and the phone's system and settings.
package struct PhoneConfiguration: Sendable {
    /// The app's executable.
    package var executable: URL
    /// The phone's folder, with the app's storage and log.
    package var folder: URL
    /// The version of iOS or iPadOS.
    package var system = "18.7"
    package var settings = PhoneSettings()
    /// The console's path relative to the phone's page; `nil` if there is no console.
    package var consolePath: String?
    /// Environment variables for the app, besides those that every process needs.
    package var environment: [String: String] = [:]
    /// The time that the app may take to say hello over the link. Default: 10 s.
    package var helloTimeout: Duration = .seconds(10)
    /// The time that the app may take to show its first screen. Default: 20 s.
    package var launchTimeout: Duration = .seconds(20)
    /// The time that the app may take to end before the phone kills it. Default: 6 s.
    package var terminationTimeout: Duration = .seconds(6)

    package init(executable: URL, folder: URL) {
        self.executable = executable
        self.folder = folder
    }

    /// The app's name on the home screen, from that of its executable: "astronomy-shop" is Astronomy Shop.
    var appName: String {
        let name = executable.deletingPathExtension().lastPathComponent
        return name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
    }

    /// The app's folder. Reinstalling the app deletes it.
    var storage: URL { folder.appendingPathComponent("app", isDirectory: true) }
    /// The app's own list of its records, which stays when the app is reinstalled.
    package var witness: URL { folder.appendingPathComponent("witness") }
    /// The output of the app's last launch.
    package var log: URL { folder.appendingPathComponent("app.log") }
}
