import Foundation

/// Folders that the platform gives an app for what is not a document.
enum PlatformFolders {
    /// The folder of small state that must outlive a launch.
    static var state: URL {
        #if canImport(Darwin)
        let base =
            FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            ?? FileManager.default.temporaryDirectory
        return base.appendingPathComponent("Astrolabe", isDirectory: true)
        #else
        let environment = ProcessInfo.processInfo.environment
        let base =
            environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
            ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(
                ".local/state", isDirectory: true)
        return base.appendingPathComponent("astrolabe", isDirectory: true)
        #endif
    }
}
