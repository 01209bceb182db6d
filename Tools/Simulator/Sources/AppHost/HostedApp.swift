package import AstrolabeDeviceConditions
package import DeviceLink
@preconcurrency import Foundation  // `stdout` is a global that C declares

/// Runs an app on the device that the environment names.
package enum HostedApp {
    /// Makes the app's screen, after the device has said how it is.
    package typealias Launch = @MainActor (DeviceSettings, LifecycleState) throws -> any HostedScreen

    /// Connects to the device, launches the app, and runs it until it ends.
    ///
    /// Without a device it prints what to run, and exits with status 1. So it does if the device does not respond.
    @MainActor
    package static func run(_ launch: @escaping Launch) -> Never {
        // If nobody reads the output any more, the write fails instead of ending the app.
        signal(SIGPIPE, SIG_IGN)
        // Line by line, as in Xcode. Into a pipe `print` would write in blocks, and a crash would lose the last one.
        setvbuf(stdout, nil, _IOLBF, 0)
        let settings = Result {
            let settings = try HostSettings(environment: ProcessInfo.processInfo.environment)
            try ProcessLocale.install(settings.locale)
            return settings
        }
        Task {
            do {
                let settings = try settings.get()
                try await DeviceSession.begin(settings, name: name, launch)
            } catch {
                FileHandle.standardError.write(Data("\(name): \(error)\n".utf8))
                exit(1)
            }
        }
        while true { RunLoop.main.run() }
    }

    /// The name of the executable.
    private static var name: String {
        CommandLine.arguments.first.map { URL(fileURLWithPath: $0).lastPathComponent } ?? "app"
    }
}
