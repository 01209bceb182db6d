import AstrolabePlatform

/// Compares head sampling with the flight recorder, by a model of the days of many phones.
///
///     var settings = FleetSettings()
///     settings.devices = 10_000
///     let results = try await SamplingComparison(settings, badShare: 0.03).run()
///     print(results.table)
///
/// The policy, the sizes of records and requests, and the limits are the SDK's. The ring, the journal and the queue are
/// arithmetic, so that a phone's day takes milliseconds. The same settings give the same results.
public struct SamplingComparison: Sendable {
    let settings: FleetSettings
    /// The shares of bad sessions that are compared, the main one first.
    var badShares: [Double]
    var limits = RecorderLimits()

    /// - Parameters:
    ///   - settings: The devices, hours, seed and jobs; the receiver and the folder are not used.
    ///   - badShare: The share of sessions in which something goes wrong, 0 to 1.
    public init(_ settings: FleetSettings, badShare: Double) {
        self.settings = settings
        badShares = [badShare] + [0.01, 0.03, 0.1].filter { $0 != badShare }
    }

    /// Runs all devices and sums up their results.
    ///
    /// - Parameter progress: Called after each device, from any thread.
    /// - Throws: An error if the folder for temporary files cannot be written; `CancellationError` if the task is
    ///   cancelled.
    public func run(
        progress: @escaping @Sendable (FleetProgress) -> Void = { _ in }
    ) async throws -> SamplingResults {
        try await run(costs: .measured(), progress: progress)
    }

    func run(
        costs: RecordCosts, progress: @escaping @Sendable (FleetProgress) -> Void = { _ in },
    ) async throws -> SamplingResults {
        let outages = CollectorOutages(
            seed: settings.seed, duration: settings.duration + Double(PhonePlanner.tail) * 3_600)
        let empty = SamplingResults(settings: settings, badShares: badShares)
        let total = Locked(empty)
        let next = Locked(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<min(max(settings.jobs, 1), settings.devices) {
                group.addTask {
                    while let number = Self.take(next, below: settings.devices) {
                        try Task.checkCancellation()
                        let phone = results(of: number, outages: outages, costs: costs, in: empty)
                        progress(
                            total.withLock { total in
                                total += phone
                                return FleetProgress(
                                    devices: total.devices, of: settings.devices, records: total.records)
                            })
                    }
                }
            }
            try await group.waitForAll()
        }
        return total.withLock { $0 }
    }

    private func results(
        of device: Int, outages: CollectorOutages, costs: RecordCosts, in empty: SamplingResults,
    ) -> SamplingResults {
        let plan = PhonePlanner(seed: settings.seed, device: device, hours: settings.hours, outages: outages).plan
        var results = empty
        results.add(plan)
        for (index, share) in badShares.enumerated() {
            let day = PhoneDay(plan, badShare: share, limits: limits)
            for (row, scheme) in SamplingScheme.all.enumerated() {
                var pass = SamplingPass(day, scheme: scheme, costs: costs, limits: limits)
                results.parts[index].tallies[row] += pass.run()
            }
        }
        return results
    }

    private static func take(_ next: Locked<Int>, below count: Int) -> Int? {
        next.withLock { next in
            guard next < count else { return nil }
            defer { next += 1 }
            return next
        }
    }
}
