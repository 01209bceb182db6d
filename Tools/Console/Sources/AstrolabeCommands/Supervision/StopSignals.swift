import Dispatch
import Foundation

/// Runs a service until it ends or is asked to stop, and then shuts it down gracefully.
enum UntilStopped {
    /// Runs `service` and cancels it on SIGINT or SIGTERM, if the command's shell handles signals.
    ///
    /// - Parameters:
    ///   - isSupervised: Whether to also cancel `service` when standard input ends, which happens when the parent
    ///     process ends for any reason.
    ///   - onHangup: Runs on each SIGHUP, which then never ends the process. `nil` leaves the signal as it is.
    static func run(
        isSupervised: Bool, onHangup: (@Sendable () -> Void)? = nil,
        _ service: @escaping @Sendable () async throws -> Void,
    ) async throws {
        guard CommandShell.current.handlesSignals else { return try await service() }
        var sources: [any DispatchSourceSignal] = []
        if let onHangup { sources.append(handle(SIGHUP, onHangup)) }
        let task = Task { try await service() }
        for signal in [SIGINT, SIGTERM] { sources.append(handle(signal) { task.cancel() }) }
        if isSupervised { ParentWatch.onEnd { task.cancel() } }
        defer { for source in sources { source.cancel() } }
        do {
            try await task.value
        } catch is CancellationError {
            // A requested stop is not a failure.
        }
    }

    private static func handle(
        _ signal: Int32, _ action: @escaping @Sendable () -> Void,
    ) -> any DispatchSourceSignal {
        Foundation.signal(signal, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: signal)
        source.setEventHandler { action() }
        source.resume()
        return source
    }
}

/// Detects the end of the parent process, which holds this process's standard input open.
enum ParentWatch {
    static func onEnd(_ action: @escaping @Sendable () -> Void) {
        let thread = Thread {
            var byte: UInt8 = 0
            while read(STDIN_FILENO, &byte, 1) > 0 {}
            action()
        }
        thread.name = "parent-watch"
        thread.start()
    }
}
