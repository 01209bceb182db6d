import Astrolabe
import DeviceLink

/// Reports the SDK's status to the device.
struct StatusReporter: Sendable {
    let telemetry: Telemetry
    /// What the app has configured.
    let sampling: Sampling

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
        var status = await AppStatus(of: telemetry)
        status.fixedSamplingRate =
            switch sampling {
            case .everything: 1
            case .ratio(let rate): rate
            case .automatic, .policy: nil
            }
        return status
    }
}
