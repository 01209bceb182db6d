import Dispatch

/// A timer that does not wake the device once it is cancelled, as a task that sleeps does.
final class DispatchTimer: @unchecked Sendable {  // a dispatch source may be used from any thread
    private let source = DispatchSource.makeTimerSource()

    init(after seconds: Double, _ body: @escaping @Sendable () -> Void) {
        source.schedule(deadline: .now() + min(seconds, 86_400))
        source.setEventHandler { body() }
        source.activate()
    }

    func cancel() { source.cancel() }
}
