package import AstrolabePlatform
package import Foundation

/// A folder that cannot be opened until the simulated device is unlocked.
///
/// A plain file stands in its place meanwhile, so that the system itself refuses every access.
package final class SimulatedProtectedData: Sendable {
    private let folder: URL
    private let isUnlocked = Locked(false)
    private let occasions = AsyncStream.makeStream(of: Void.self)

    private var hidden: URL { folder.appendingPathExtension("locked") }

    /// Locks the folder, which need not exist.
    package init(locking folder: URL) throws {
        self.folder = folder
        if FileManager.default.fileExists(atPath: folder.path) {
            try FileManager.default.moveItem(at: folder, to: folder.appendingPathExtension("locked"))
        }
        try Data().write(to: folder)
    }

    /// The protected data that `Telemetry.start` reads.
    package var protectedData: ProtectedData {
        ProtectedData(
            isLocked: { [isUnlocked] _ in !isUnlocked.withLock { $0 } }, changes: { [occasions] in occasions.stream })
    }

    /// The person unlocks the device for the first time.
    package func unlock() throws {
        try FileManager.default.removeItem(at: folder)
        if FileManager.default.fileExists(atPath: hidden.path) {
            try FileManager.default.moveItem(at: hidden, to: folder)
        }
        isUnlocked.withLock { $0 = true }
        signal()
    }

    /// Reports that the device may have been unlocked.
    package func signal() { occasions.continuation.yield() }
}
