import AstrolabeDelivery
import AstrolabeJournal
import AstrolabeOfflineQueue
import AstrolabePlatform
import AstrolabeTelemetryModel
import Foundation

/// The folder of a device, with its journal and queue over all runs of the app. Removed with the last reference.
final class DeviceStorage: Sendable {
    /// The sizes of the journal, in four segments, and of its definitions. They are small, so that thousands of devices
    /// fit.
    static let journalBytes = 131_072
    static let definitionBytes = 4_096

    private let root: String
    private let state: Locked<State>

    private struct State {
        var generation = 0
        var names: IDGenerator
    }

    /// - Parameters:
    /// - root: The device's directory.
    /// - names: The source of names for the runs.
    init(root: String, names: inout SeededRandom) {
        self.root = root
        state = Locked(State(names: IDGenerator(firstSeed: names.next(), secondSeed: names.next())))
    }

    deinit {
        try? FileManager.default.removeItem(atPath: root)
    }

    private var folder: String { root + "/" + String(state.withLock { $0.generation }) }

    /// Opens the folder for a new run of the app.
    ///
    /// - Throws: `SystemError` if the system has no memory available.
    func open(resource: [UInt8], at clock: VirtualClock) throws -> (RecordJournal, DurableLedger) {
        var limits = QueueConfiguration()
        limits.durability = .processDeath
        let durableLedger = DurableLedger(path: folder + "/queue.db", configuration: limits, clock: clock.queueClock)
        var settings = JournalConfiguration(directory: folder + "/journal")
        settings.segmentSize = Self.journalBytes / 4
        settings.maximumBytes = Self.journalBytes
        settings.reservePriority = Priority.high.rawValue
        settings.preparesOnDemand = true
        settings.definitionBytes = Self.definitionBytes
        settings.onRetire = { durableLedger.retire($0) }
        let names = state.withLock { $0.names }
        return (try RecordJournal(settings, header: resource, started: clock.wall, ids: names), durableLedger)
    }

    /// Copies the files as they are now, for the next run. The current process continues with its own, as a killed one
    /// would have left them.
    func freeze() throws {
        let before = folder
        let after = state.withLock { state in
            state.generation += 1
            return root + "/" + String(state.generation)
        }
        try FileManager.default.copyItem(atPath: before, toPath: after)
        // The files stay open in the process that is about to end.
        try FileManager.default.removeItem(atPath: before)
    }
}
