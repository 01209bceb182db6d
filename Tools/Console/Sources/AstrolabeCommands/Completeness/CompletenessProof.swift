import AstrolabePlatform
import ConsoleModel
import FleetSimulator

/// Compares the completeness that a console shows with the truth, on a simulated fleet.
///
///     let results = try await CompletenessProof(settings).run()
///     print(results.table)
///
/// Each hour of the measured time is looked at one hour, one day and two days after it ended, with what had arrived by
/// then. In the truth all records count that phones recorded in the hour by their clocks, also those of phones that
/// broke before they sent them. Before the measured time the console learns for some days.
struct CompletenessProof: Sendable {
    private var settings: FleetSettings
    private let historyHours: Int
    private let measuredHours: Int

    /// The hours after which an hour is looked at.
    static let ages = [1, 24, 48]

    /// - Parameters:
    ///   - settings: The devices, the measured hours, the seed and the jobs.
    ///   - historyDays: The days before the measured time.
    init(_ settings: FleetSettings, historyDays: Int = 7) {
        self.settings = settings
        measuredHours = settings.hours
        historyHours = historyDays * 24
        self.settings.hours = historyHours + measuredHours + (Self.ages.max() ?? 0)
    }

    /// Simulates all phones and compares each hour.
    ///
    /// - Parameter progress: Called after each phone, from any thread.
    /// - Throws: `CancellationError` if the task is cancelled.
    func run(
        progress: @escaping @Sendable (FleetProgress) -> Void = { _ in }
    ) async throws -> CompletenessResults {
        let fleet = try await simulate(progress)
        var results = CompletenessResults(devices: settings.devices, hours: measuredHours, seed: settings.seed)
        for moment in historyHours + 1...settings.hours {
            try Task.checkCancellation()
            let hours = Self.ages.map { (age: $0, hour: moment - 1 - $0) }
                .filter { (historyHours..<historyHours + measuredHours).contains($0.hour) }
            guard !hours.isEmpty else { continue }
            let now = time(moment)
            let completeness = Completeness(fleet.facts(at: now), now: now)
            for (age, hour) in hours {
                let (from, to) = (time(hour), time(hour + 1))
                guard let shown = completeness.bucket(from: from, to: to),
                    let truth = fleet.share(from: from, to: to, at: now)
                else { continue }
                results.add(CompletenessResults.Look(hour: hour - historyHours, age: age, shown: shown, truth: truth))
            }
        }
        return results
    }

    /// Returns the start of an hour of the simulation, in nanoseconds since 1970.
    private func time(_ hour: Int) -> Int64 { Int64(settings.start) + Int64(hour) * 3_600_000_000_000 }

    private func simulate(_ progress: @escaping @Sendable (FleetProgress) -> Void) async throws -> ReceivedFleet {
        // The collector is away for three hours from noon of the second measured day, or of the first one.
        let outage = Double(historyHours + (measuredHours > 24 ? 30 : 6)) * 3_600
        let simulation = ArrivalSimulation(settings, outage: outage..<outage + 3 * 3_600)
        let total = Locked((fleet: ReceivedFleet(start: Int64(settings.start)), done: 0, records: 0))
        let next = Locked(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<min(max(settings.jobs, 1), settings.devices) {
                group.addTask { [settings] in
                    while let number = Self.take(next, below: settings.devices) {
                        try Task.checkCancellation()
                        let phone = simulation.phone(number)
                        progress(
                            total.withLock { total in
                                total.fleet.add(phone)
                                total.done += 1
                                total.records += phone.batches.reduce(0) { $0 + $1.records }
                                return FleetProgress(devices: total.done, of: settings.devices, records: total.records)
                            })
                    }
                }
            }
            try await group.waitForAll()
        }
        return total.withLock { $0.fleet }
    }

    private static func take(_ next: Locked<Int>, below count: Int) -> Int? {
        next.withLock { next in
            guard next < count else { return nil }
            defer { next += 1 }
            return next
        }
    }
}
