import Testing

@testable import FleetSimulator

/// When the records of simulated phones arrive.
@Suite struct `The arrivals of a phone's records` {
    private static let outage = 21_600.0..<32_400.0
    private static let phones: [PhoneArrivals] = {
        let simulation = ArrivalSimulation(FleetSettings(devices: 6), outage: outage)
        return (0..<6).map { simulation.phone($0) }
    }()

    @Test func `are in the order in which they were recorded, and none is within an outage`() {
        for phone in Self.phones {
            let arrivals = phone.batches.map { $0.arrived ?? .infinity }
            #expect(arrivals == arrivals.sorted())
            // A request takes a second.
            #expect(arrivals.allSatisfy { !Self.outage.contains($0 - 1) })
        }
        #expect(Self.phones.contains { $0.batches.contains { $0.arrived != nil } })
        #expect(Self.phones.contains { $0.batches.contains { Self.outage.contains($0.recorded) } })
    }

    @Test func `come with a report of what the phone holds still`() {
        for phone in Self.phones {
            for report in phone.reports {
                // Later ones were recorded after it.
                let waiting = phone.batches.filter { batch in
                    batch.recorded <= report.heldTo && (batch.arrived ?? .infinity) > report.time
                }
                #expect(waiting.reduce(0) { $0 + $1.records } == report.held)
                #expect(report.heldFrom <= report.heldTo)
            }
        }
    }

    @Test func `are the same for the same seed`() {
        let again = ArrivalSimulation(FleetSettings(devices: 6), outage: Self.outage).phone(3)
        #expect(again.batches.map(\.arrived) == Self.phones[3].batches.map(\.arrived))
    }
}
