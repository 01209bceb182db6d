import Astrolabe
import AstrolabeDeviceConditions
import AstrolabePlatform
import DeviceLink
import Dispatch
import Foundation

/// Ends the process once: sends as many records as time allows, and keeps the rest on the device for the next launch.
///
/// It does not need the main thread, which may hang.
final class AppEnding: Sendable {
    private let link: AppLink
    private let status: StatusReporter
    private let conditions: SimulatedConditions
    private let hasBegun = Locked(false)
    private let signals = Locked<[any DispatchSourceSignal]>([])

    private let sendTimeout: Duration

    /// - Parameter sendTimeout: The time for sending. A second later the process exits in any case.
    init(_ conditions: SimulatedConditions, link: AppLink, status: StatusReporter, sendTimeout: Duration) {
        self.conditions = conditions
        self.link = link
        self.status = status
        self.sendTimeout = sendTimeout
    }

    /// Ends the process on a signal of the system or the user.
    func listenForSignals() {
        let sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { self.begin() }
            source.resume()
            return source
        }
        signals.withLock { $0 = sources }
    }

    func begin() {
        guard !hasBegun.exchange(true) else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + sendTimeout / .seconds(1) + 1) { Self.exitNow() }
        Task.detached(priority: .high) { [conditions, link, status, sendTimeout] in
            conditions.moveLifecycle(to: .terminated)
            await Telemetry.shared.shutdown(timeout: sendTimeout)
            link.send(.status(await status.current()))
            await link.finish()
            Self.exitNow()
        }
    }

    /// Exits without running C++ destructors, which would race with other threads.
    private static func exitNow() -> Never { _exit(0) }
}
