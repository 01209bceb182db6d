import AstrolabeDeviceConditions
package import Foundation

/// Which app runs on the phone, where it keeps its things, and what phone it is.
package struct PhoneConfiguration: Sendable {
    /// The app's executable.
    package var executable: URL
    /// The phone's own folder: the app's storage, the link's socket and what the app wrote.
    package var folder: URL
    package var model = PhoneModel.standard
    package var settings = PhoneSettings()
    /// Where the console's pages are, seen from the phone's; nil where there is none.
    package var consolePath: String?
    /// More for the app's environment; it begins with what a process needs and no more.
    package var environment: [String: String] = [:]
    /// How long the app may take to say hello.
    package var launchTime: Duration = .seconds(20)
    /// How long the app may take to end when it is asked to, before it is killed.
    package var endTime: Duration = .seconds(6)

    package init(executable: URL, folder: URL) {
        self.executable = executable
        self.folder = folder
    }

    /// The app's own folder, which reinstalling empties.
    var storage: URL { folder.appendingPathComponent("app", isDirectory: true) }
    /// What the app wrote during its last launch.
    package var log: URL { folder.appendingPathComponent("app.log") }
}

/// A phone that the simulator can stand for.
package struct PhoneModel: Hashable, Sendable {
    /// "iPhone16,1"
    package var identifier: String
    /// The version of iOS.
    package var system: String

    /// What it is sold as.
    var name: String { DeviceModelTable.name(of: identifier) }

    /// An iPhone 15 Pro.
    package static let standard = PhoneModel(identifier: "iPhone16,1", system: "18.7")
}
