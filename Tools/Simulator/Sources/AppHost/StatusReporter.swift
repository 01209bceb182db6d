import Astrolabe
import DeviceLink

/// Reports the status of the app's SDK to the device.
///
/// The app starts the SDK by itself, at any time or never. Until then the mode is `off`.
struct StatusReporter: Sendable {
    /// Sends the status now, and then every second if it has changed, until the task is cancelled.
    func run(to link: AppLink) async {
        var last: AppStatus?
        while !Task.isCancelled {
            let status = await current()
            if status != last, link.send(.status(status)) { last = status }
            try? await Task.sleep(for: .seconds(1))
        }
    }

    func current() async -> AppStatus {
        let telemetry = Telemetry.shared
        var status = await AppStatus(of: telemetry)
        status.fixedSamplingRate = telemetry.fixedSamplingRate
        return status
    }
}
