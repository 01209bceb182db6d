import AstrolabeDelivery
import AstrolabeDeviceConditions
import AstrolabeTelemetryModel
import Testing

@testable import FleetSimulator

@Suite(.timeLimit(.minutes(5))) struct `A device under one condition` {
    /// Records of all priorities, half an hour after the start; `event` begins before and ends after.
    private func live(under events: [DeviceTimeline.Event], until end: Double = 3_000) async throws -> FleetResults {
        var device = ScriptedDevice()
        for event in events { device.at(600, event) }
        for priority in Priority.allCases { device.at(1_800, .records(.event, priority, count: 10)) }
        device.at(end, .network(.wifi, .good))
        device.at(end, .power(Power(level: 0.8, source: .unplugged)))
        let results = try await device.live()
        #expect(results.isSound, "\(results.problems)")
        return results
    }

    /// Seconds after their making at which scripted records arrived, by priority.
    private func delay(_ results: FleetResults, _ priority: Priority) -> Double {
        let scripted = results.story?.arrivals.filter { $0.priority == priority && $0.made.rounded() == 1_800 } ?? []
        return scripted.map { $0.arrived - $0.made }.max() ?? .infinity
    }

    @Test func `on Wi-Fi sends within a flush interval`() async throws {
        let results = try await live(under: [])
        #expect(Priority.allCases.allSatisfy { delay(results, $0) < 31 })
        #expect(delay(results, .critical) < 1)
        #expect(results.bytes(over: .cellular) == 0)
    }

    @Test func `on cellular sends in batches, and counts its bytes`() async throws {
        let results = try await live(under: [.network(.cellular, .good)])
        #expect(delay(results, .normal) < 61)
        #expect(results.bytes(over: .cellular) > 0)
    }

    @Test func `offline keeps everything until the network is back`() async throws {
        let results = try await live(under: [.network(.offline, .dead)])
        #expect(Priority.allCases.allSatisfy { (1_200.0..<1_202).contains(delay(results, $0)) })
        #expect(results.bins.contains { $0.inQueue >= 40 })
    }

    @Test func `with a network that carries nothing loses nothing`() async throws {
        let results = try await live(under: [.network(.wifi, .dead)])
        #expect(Priority.allCases.allSatisfy { (1_200.0..<1_260).contains(delay(results, $0)) })
        #expect(results.lost == 0)
        #expect(results.traffic.failures > 10)
    }

    @Test func `in Low Power Mode on cellular waits for Wi-Fi, but for crashes`() async throws {
        let tired = Power(level: 0.5, source: .unplugged, isLowPowerMode: true)
        let results = try await live(under: [.network(.cellular, .good), .power(tired)])
        #expect(delay(results, .critical) < 1)
        #expect((1_200.0..<1_202).contains(delay(results, .high)))
        #expect((results.ledger.dropped[.notAdmitted] ?? 0) >= 20, "normal and low are not collected in minimal mode")
    }

    @Test func `in critical heat collects errors and crashes alone`() async throws {
        let results = try await live(under: [.heat(.critical)])
        #expect((results.ledger.dropped[.notAdmitted] ?? 0) >= 20)
        #expect(results.activityTotals[FleetResults.Activity.minimal.rawValue] > 2_900_000)
        #expect(delay(results, .critical) < 1)
    }

    @Test func `that is killed keeps for its next start what it had not sent`() async throws {
        var device = ScriptedDevice()
        device.at(600, .network(.offline, .dead))
        device.at(700, .records(.span, .normal, count: 25))
        device.at(700.5, .end(.kill))
        device.at(800, .network(.wifi, .good))
        device.at(900, .launch)
        let results = try await device.live()
        #expect(results.isSound, "\(results.problems)")
        #expect(results.ledger.pending == 0)
        #expect(results.story?.arrivals.count { $0.made.rounded() == 700 && $0.arrived > 900 } == 25)
    }

    @Test func `that crashes reports it first thing at its next start`() async throws {
        var device = ScriptedDevice()
        device.at(700, .records(.event, .normal, count: 25))
        device.at(700.5, .end(.crash))
        device.at(900, .launch)
        let results = try await device.live()
        #expect(results.isSound, "\(results.problems)")
        #expect(results.delays[.critical]?.total == 1)
        let afterwards = results.story?.arrivals.first { $0.arrived > 900 }
        #expect(afterwards?.priority == .critical)
    }

    @Test func `that dies while a request is on its way sends it again, at most once`() async throws {
        var (again, duplicates) = (0, 0)
        for offset in 0..<12 {
            var device = ScriptedDevice()
            device.at(700 + Double(offset) * 7.3, .records(.span, .normal, count: 25))
            device.at(700 + Double(offset) * 7.3, .scheduleKill)
            device.at(900, .launch)
            device.at(901, .records(.span, .normal, count: 1))
            // Chance decides whether the request had arrived: another past leads to another draw.
            for earlier in 0..<offset { device.at(10 + Double(earlier) * 35, .records(.metric, .normal, count: 1)) }
            let results = try await device.live()
            #expect(results.isSound, "\(results.problems)")
            #expect(results.killsInFlight == 1)
            #expect(results.arrivals.values.reduce(0, +) == results.collected)
            duplicates += results.duplicates[.kill] ?? 0
            if results.duplicates[.kill] ?? 0 > 0 { again += 1 }
        }
        #expect((1..<12).contains(again), "some had arrived, some had not")
        #expect(duplicates == again * 25)
    }

    @Test func `whose collector fails in every way for hours loses nothing, and crashes arrive first`() async throws {
        var device = ScriptedDevice()
        device.hours = 3
        device.outages = CollectorOutages(
            incidents: [503, 401, 404, 500, 429].enumerated().map { index, status in
                let start = 700 + Double(index) * 1_800
                return CollectorOutages.Incident(start: start, end: start + 1_800, status: status, retryAfter: nil)
            })
        for hour in 0..<5 {
            let start = 800 + Double(hour) * 1_800
            device.at(start, .records(.span, .normal, count: 50))
            device.at(start + 1, .records(.event, .high, count: 20))
        }
        device.at(9_000, .end(.crash))
        device.at(9_100, .launch)
        device.at(9_800, .records(.event, .high, count: 1))
        let results = try await device.live()
        #expect(results.isSound, "\(results.problems)")
        #expect(results.lost == 0)
        #expect(results.ledger.pending == 0)
        let afterwards = results.story?.arrivals.filter { $0.arrived > 9_700 } ?? []
        #expect(afterwards.count >= 351)
        #expect(afterwards.first?.priority == .critical)
    }

    @Test func `whose collector is away waits for it`() async throws {
        var device = ScriptedDevice()
        device.outages = CollectorOutages(incidents: [
            CollectorOutages.Incident(start: 700, end: 1_500, status: 429, retryAfter: 300)
        ])
        device.at(800, .records(.event, .high, count: 30))
        let results = try await device.live()
        #expect(results.isSound, "\(results.problems)")
        #expect(results.lost == 0)
        #expect(results.story?.arrivals.contains { $0.priority == .high && $0.arrived > 1_500 } == true)
    }
}
