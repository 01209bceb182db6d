import Astrolabe
import AstrolabePlatform
import DeviceLink
import Dispatch
import Foundation

/// Ends the process in order, once: what was recorded is sent as far as time allows, and the rest stays on the device
/// for the next launch.
///
/// Nothing here needs the main thread, which may hang.
final class AppEnding: Sendable {
    private let telemetry: Telemetry
    private let link: AppLink?
    private let status: StatusReporter?
    private let hasBegun = Locked(false)
    private let signals = Locked<[any DispatchSourceSignal]>([])

    /// Seconds for the telemetry; and after which the process ends whatever is left to do.
    private static let bounds = (flush: 3.5, all: 4.5)

    init(_ telemetry: Telemetry, link: AppLink? = nil, status: StatusReporter? = nil) {
        self.telemetry = telemetry
        self.link = link
        self.status = status
    }

    /// Ends the process when the system or a person at the shell asks for it.
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
        let isFirst = hasBegun.withLock { hasBegun in
            defer { hasBegun = true }
            return !hasBegun
        }
        guard isFirst else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.bounds.all) { Self.exitNow() }
        Task.detached(priority: .high) { [telemetry, link, status] in
            telemetry.conditions?.moveLifecycle(to: .terminated)
            await telemetry.shutdown(within: Self.bounds.flush)
            if let link {
                if let status { link.send(.status(await status.current())) }
                await link.finish()
            }
            Self.exitNow()
        }
    }

    /// Without the destructors of the C++ runtime, which other threads would run into.
    private static func exitNow() -> Never { _exit(0) }
}
