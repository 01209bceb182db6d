import AstrolabeDelivery
import AstrolabePlatform
import AstrolabePolicy
import Foundation

/// Simulates a fleet of devices, several concurrently.
///
///     var settings = FleetSettings()
///     settings.devices = 200
///     let results = try await FleetSimulation(settings).run { progress in print(progress) }
///     results.isSound
public struct FleetSimulation: Sendable {
    let settings: FleetSettings

    public init(_ settings: FleetSettings = FleetSettings()) {
        self.settings = settings
    }

    /// Runs all devices and sums up their results.
    ///
    /// - Parameter progress: Called after each device, from any thread.
    /// - Throws: An error if the folder cannot be written or no memory is available; `CancellationError` if the task is
    ///   cancelled.
    public func run(progress: @escaping @Sendable (FleetProgress) -> Void = { _ in }) async throws -> FleetResults {
        let folder = (settings.folder ?? Self.temporaryFolder()) + "/astrolabe-fleet-" + IDGenerator().nextUUID()
        try PrivateFiles.makeDirectory(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let outages = CollectorOutages(seed: settings.seed, duration: settings.duration)
        let next = Locked(0)
        var start = FleetResults(duration: settings.duration)
        start.outages = outages
        let total = Locked((results: start, done: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<min(max(settings.jobs, 1), settings.devices) {
                group.addTask {
                    while let number = Self.take(next, below: settings.devices) {
                        try Task.checkCancellation()
                        let results = try await live(number, outages: outages, root: folder)
                        progress(
                            total.withLock { total in
                                total.results += results
                                total.done += 1
                                return FleetProgress(
                                    devices: total.done, of: settings.devices, records: total.results.ledger.created)
                            })
                    }
                }
            }
            try await group.waitForAll()
        }
        return total.withLock { $0.results }
    }

    private func live(_ number: Int, outages: CollectorOutages, root: String) async throws -> FleetResults {
        let model = DayModel(seed: settings.seed, device: number, duration: settings.duration)
        let device = try VirtualDevice(
            number, timeline: model.timeline(), context: model.person.context,
            policy: CollectionPolicy(PolicyConfiguration(), remote: settings.remote),
            outages: outages, seed: settings.seed, root: root, start: settings.start, receiver: settings.receiver,
        )
        return try await device.live()
    }

    private static func take(_ next: Locked<Int>, below count: Int) -> Int? {
        next.withLock { next in
            guard next < count else { return nil }
            defer { next += 1 }
            return next
        }
    }

    /// Uses a folder in memory if there is one with room, because the files are read once and deleted.
    private static func temporaryFolder() -> String {
        let memory = "/dev/shm"
        let free = try? FileManager.default.attributesOfFileSystem(forPath: memory)[.systemFreeSize] as? NSNumber
        let hasRoom = (free?.int64Value ?? 0) > 256 << 20
        return hasRoom && FileManager.default.isWritableFile(atPath: memory)
            ? memory : FileManager.default.temporaryDirectory.path
    }
}

/// The progress of a simulation.
public struct FleetProgress: Sendable, Hashable {
    /// The number of completed devices, and of all devices.
    public let devices: Int
    public let of: Int
    /// The number of records made so far.
    public let records: Int

    package init(devices: Int, of: Int, records: Int) {
        self.devices = devices
        self.of = of
        self.records = records
    }
}
