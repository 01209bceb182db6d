import AstrolabeDelivery

/// The outages of the collector, the same for all devices: restarts, and periods of overload.
struct CollectorOutages: Sendable {
    struct Incident: Sendable {
        let start: Double
        let end: Double
        let status: Int
        /// The `Retry-After` of the response in seconds, if it has one.
        let retryAfter: Double?
    }

    let incidents: [Incident]

    static let noOutages = CollectorOutages(incidents: [])

    init(incidents: [Incident]) {
        self.incidents = incidents
    }

    /// Generates, for every 12 hours, a restart of up to a minute and 15 minutes of overload.
    init(seed: UInt64, duration: Double) {
        var chance = SeededRandom(seed: seed, stream: .outages)
        var incidents: [Incident] = []
        var start = 0.0
        while start < duration {
            let restart = start + chance.within(7_200...18_000)
            incidents.append(
                Incident(start: restart, end: restart + chance.within(20...60), status: 503, retryAfter: nil))
            let rush = restart + chance.within(3_600...18_000)
            incidents.append(
                Incident(start: rush, end: rush + chance.within(600...1_200), status: 429, retryAfter: 300))
            start += 12 * 3_600
        }
        self.incidents = incidents.filter { $0.start < duration }
    }

    /// Returns the error response at this time; `nil` if the collector accepts requests.
    func refusal(at time: Double) -> SendResult? {
        incidents.first { $0.start <= time && time < $0.end }.map { incident in
            .response(status: incident.status, retryAfter: incident.retryAfter.map { .seconds($0) }, body: [])
        }
    }
}
