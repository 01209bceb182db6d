/// The records of a simulated phone, with when a console receives them.
package struct PhoneArrivals: Sendable {
    /// Records of one moment. All times are in seconds since the start of the simulation.
    package struct Batch: Sendable {
        /// By the phone's clock, which may be wrong.
        package let recorded: Double
        package let records: Int
        /// `nil` if they never arrive.
        package fileprivate(set) var arrived: Double?
    }

    /// The phone's ledger when it has sent.
    package struct Report: Sendable {
        package let time: Double
        /// The records that it holds after this, and the time in which they were recorded, by its clock.
        package let held: Int
        package let heldFrom: Double
        package let heldTo: Double
    }

    package private(set) var batches: [Batch] = []
    /// In order of time.
    package private(set) var reports: [Report] = []
    /// The first batch that has not arrived. They arrive in the order in which they were recorded.
    private var next = 0

    mutating func record(_ records: Int, at time: Double) {
        guard records > 0 else { return }
        batches.append(Batch(recorded: time, records: records))
    }

    /// Sends a share of the batches that wait, the oldest first.
    ///
    /// - Parameter clock: The phone's time at `time`.
    mutating func send(_ share: Double, at time: Double, clock: Double) {
        let end = next + Int((Double(batches.count - next) * share).rounded(.up))
        guard end > next else { return }
        for index in next..<end { batches[index].arrived = time }
        next = end
        let held = batches[end...]
        reports.append(
            Report(
                time: time, held: held.reduce(0) { $0 + $1.records }, heldFrom: held.first?.recorded ?? clock,
                heldTo: clock))
    }
}

/// Simulates when the records of phones arrive, by the model that compares rates of sampling.
///
///     let simulation = ArrivalSimulation(settings, outage: 90_000..<100_800)
///     let arrivals = simulation.phone(17)
///
/// Phones are offline and asleep as in any simulation. A part of them breaks, a part has a wrong clock, and the
/// collector has an outage of its own.
package struct ArrivalSimulation: Sendable {
    private let settings: FleetSettings
    private let outages: CollectorOutages

    /// The share of phones that break in a day, and of those with a wrong clock.
    private static let deathsPerDay = 0.004
    private static let wrongClocks = 0.01
    /// The clocks of half of them are off by less than an hour, of the others by up to a day.
    private static let clockError = 86_400.0

    /// - Parameter outage: The seconds in which the collector accepts nothing, besides its short outages.
    package init(_ settings: FleetSettings, outage: Range<Double>) {
        self.settings = settings
        let others = CollectorOutages(seed: settings.seed, duration: settings.duration).incidents
        outages = CollectorOutages(
            incidents: others + [
                CollectorOutages.Incident(
                    start: outage.lowerBound, end: outage.upperBound, status: 503, retryAfter: nil)
            ])
    }

    package func phone(_ device: Int) -> PhoneArrivals {
        var chance = SeededRandom(seed: settings.seed, stream: .arrivals, device: device)
        let days = settings.duration / 86_400
        let death = chance.happens(Self.deathsPerDay * days) ? chance.within(0...settings.duration) : .infinity
        let error = chance.happens(0.5) ? 3_600 : Self.clockError
        let clock = chance.happens(Self.wrongClocks) ? chance.within(-error...error) : 0
        let plan = PhonePlanner(seed: settings.seed, device: device, hours: settings.hours, outages: outages).plan
        var arrivals = PhoneArrivals()
        for moment in plan.moments where moment.time < min(death, settings.duration) {
            let (time, own) = (moment.time, moment.time + clock)
            switch moment.event {
            case .action(let index): arrivals.record(plan.records(ofAction: index), at: own)
            case .metrics(let count): arrivals.record(count, at: own)
            case .flush(.arrives): arrivals.send(1, at: time + 1, clock: own)
            // Some requests arrive before one is lost.
            case .flush(.isLost): arrivals.send(chance.unit(), at: time + 1, clock: own)
            case .flush(.isBlocked), .launch, .trigger: break
            }
        }
        return arrivals
    }
}

extension PhonePlan {
    /// Returns the number of records of an action that are sent.
    fileprivate func records(ofAction index: Int) -> Int {
        let action = actions[index]
        let isSampled = sessions[action.session].randomness < action.rate
        return (isSampled ? action.spans : 0) + (action.admitsEvents ? 1 : 0)
    }
}
