import AstrolabeAppHealth
import AstrolabeDelivery
import AstrolabeDeviceConditions
import AstrolabeViewTracing
import Foundation

extension TelemetryConfiguration {
    /// The configuration of an app extension: a widget, a share extension or a notification service.
    ///
    ///     let telemetry = Telemetry.start(.appExtension(serviceName: "my-app-share"))
    ///     // When the work of the extension is done:
    ///     telemetry.flushBeforeSuspension()
    ///
    /// An extension has little memory and seconds to live. So nothing is observed: no network, battery or memory, no
    /// crashes, hangs or frames, no views and no replay. Records are stored in a folder of their own. They are sent
    /// when the extension asks for it or records an error. What is not sent waits for the extension's next launch.
    ///
    /// Each launch is a session. Properties may be changed before the start.
    public static func appExtension(serviceName: String) -> TelemetryConfiguration {
        var configuration = TelemetryConfiguration(serviceName: serviceName)
        configuration.storageDirectory = configuration.defaultStorageDirectory.appendingPathComponent(
            "extension", isDirectory: true)
        configuration.health.isEnabled = false
        configuration.viewTracing = .off
        configuration.flushInterval = .seconds(86_400)
        // Constant conditions, in which no monitor of the system is needed: the extension works for the user now.
        configuration.conditions = SimulatedConditions(Conditions(lifecycle: .active))
        return configuration
    }
}

extension Telemetry {
    /// Sends what has been recorded, and asks the system not to suspend the process meanwhile. Returns at once.
    ///
    /// It is for app extensions, which end soon after their work is done. The system grants some seconds; what is not
    /// sent by then waits for the next launch. Where the system suspends no process, it is a flush.
    public func flushBeforeSuspension() {
        guard let delivery else { return }
        BackgroundWork.system {
            await delivery.flush()
        } onExpire: {
            Task { await delivery.expire() }
        }
    }
}
