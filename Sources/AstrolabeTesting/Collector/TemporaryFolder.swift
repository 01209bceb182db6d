import AstrolabePlatform
import Foundation

/// A folder that is removed with the last reference to it, or when the process exits.
///
/// Telemetry that a test does not shut down keeps its reference until then.
final class TemporaryFolder: Sendable {
    let url = FileManager.default.temporaryDirectory
        .appendingPathComponent("astrolabe-testing-" + IDGenerator().nextUUID(), isDirectory: true)

    private static let leftovers: Locked<Set<URL>> = {
        atexit {
            // The process ends. What stays lies in the temporary folder of the system.
            for url in TemporaryFolder.leftovers.withLock({ $0 }) { try? FileManager.default.removeItem(at: url) }
        }
        return Locked([])
    }()

    init() {
        Self.leftovers.withLock { [url] in _ = $0.insert(url) }
    }

    deinit {
        // No telemetry may have stored anything in it.
        try? FileManager.default.removeItem(at: url)
        Self.leftovers.withLock { [url] in _ = $0.remove(url) }
    }
}
