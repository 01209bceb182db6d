import Dispatch
import Foundation

/// Runs a service until it ends by itself or somebody asks it to stop, and then lets it shut down in order.
enum UntilStopped {
    /// Cancels `service` on SIGINT or SIGTERM and, where the process is supervised, when standard input ends, which it
    /// does however the parent process died.
    static func run(isSupervised: Bool, _ service: @escaping @Sendable () async throws -> Void) async throws {
        let task = Task { try await service() }
        let sources = [SIGINT, SIGTERM].map { signal in
            Foundation.signal(signal, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: signal)
            source.setEventHandler { task.cancel() }
            source.resume()
            return source
        }
        if isSupervised { ParentWatch.onEnd { task.cancel() } }
        defer { for source in sources { source.cancel() } }
        do {
            try await task.value
        } catch is CancellationError {
            // Being asked to stop is no failure.
        }
    }
}

/// Notices the end of the parent process by the end of standard input, which the parent holds open.
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
