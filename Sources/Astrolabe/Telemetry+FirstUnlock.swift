import AstrolabePlatform
import Foundation

extension Telemetry {
    /// Waits for the device's first unlock after a restart if the folder cannot be opened before.
    ///
    /// Until then, ``PreUnlockBuffer`` keeps records in memory. Nothing is sent, crashes are not captured, and there is
    /// no session and no installation id, because a new one would count as another device.
    ///
    /// - Returns: Whether it waits. `shutdown` ends that.
    func beginWhenUnlocked(_ protectedData: ProtectedData) -> Bool {
        guard let setup, !setup.configuration.isServer else { return false }
        let folder = setup.configuration.folder
        let changes = protectedData.changes()
        let isLocked = { @Sendable in
            InstallationID.openingError(in: folder).map { protectedData.isLocked($0) } ?? false
        }
        guard isLocked() else { return false }
        consents.withLock { $0.current = $0.decided ?? setup.configuration.consent }
        setup.configuration.onDiagnostic(
            "Started before the first unlock of the device. Up to \(PreUnlockBuffer.maximumRecords) records are kept "
                + "in memory until then.")
        // On the main actor, where information about the device is available.
        let wait = Task { @MainActor in
            for await _ in changes where !isLocked() { break }
            guard !Task.isCancelled else { return setup.gate.close() }
            _ = begin()
        }
        unlock.withLock { $0.task = wait }
        consents.withLock { consents in
            let earlier = consents.change
            consents.change = Task {
                await wait.value
                await earlier?.value
            }
        }
        return true
    }

    /// Returns when a wait for the first unlock has ended; at once if there is none.
    package func waitForUnlock() async { await unlock.withLock { $0.task }?.value }
}

/// The wait for the first unlock; a structure, because a lock of a `Task` has the runtime search for conformances.
struct UnlockWait: Sendable {
    /// `nil` if nothing waits.
    var task: Task<Void, Never>?
}
