import AstrolabeDelivery
import AstrolabePlatform
import AstrolabePolicy
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Foundation
import Testing

@testable import FleetSimulator

@Suite(.timeLimit(.minutes(10))) struct `A fleet` {
    @Test func `comes out the same for the same seed, however many devices run at a time`() async throws {
        let (devices, hours) = Thoroughness.isThorough ? (12, 12) : (4, 8)
        let tables = try await [1, 2, 5].asyncMap { jobs in
            try await FleetSimulation(FleetSettings(devices: devices, hours: hours, seed: 11, jobs: jobs)).run().table
        }
        #expect(tables[0] == tables[1])
        #expect(tables[0] == tables[2])
        let other = FleetSettings(devices: devices, hours: hours, seed: 12)
        #expect(try await FleetSimulation(other).run().table != tables[0])
    }

    /// A day of 50 devices in a thorough run.
    @Test func `of random devices accounts for every record of each`() async throws {
        let devices = Thoroughness.count(6, thorough: 50)
        let results = try await FleetSimulation(FleetSettings(devices: devices, seed: 23)).run()
        #expect(results.isSound, "\(results.problems)")
        #expect(results.devices == devices)
        #expect(results.unbalancedDevices == 0)
        #expect(results.balanceChecks > 10 * devices)
        #expect(results.ledger.isBalanced)
        // The model is worth its name: each of these happens to somebody.
        #expect(results.ends.values.allSatisfy { $0 > 0 } && results.ends.count == 3)
        #expect(results.killsInFlight > 0)
        #expect(results.delays.count == 4)
        #expect(results.activityTotals.count { $0 > 0 } >= 5)
        #expect(results.bins.contains { $0.inQueue > 0 })
        #expect(results.traffic.refusals > 0)
    }

    @Test func `sends less under a remote policy of lower rates, and shows both beside each other`() async throws {
        var settings = FleetSettings(devices: 3, hours: 8, seed: 5)
        let before = try await FleetSimulation(settings).run()
        var remote = RemotePolicy(version: 1, hash: "")
        remote.samplingRates = ModeTable(full: 0, normal: 0, reduced: 0, minimal: 0)
        settings.remote = remote
        let after = try await FleetSimulation(settings).run()
        #expect(after.isSound, "\(after.problems)")
        #expect(after.collected < before.collected)
        #expect(after.bytesTotal < before.bytesTotal)
        let comparison = before.comparison(with: after, titles: ("without", "with"))
        #expect(comparison.contains("without") && comparison.contains("sampled out"))
        for results in [before, after] {
            let figures = results.figures[0].figures
            #expect(figures.allSatisfy { comparison.contains($0.value) }, "\(comparison)")
        }
    }

    @Test func `leaves nothing behind in its folder`() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/fleet-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var settings = FleetSettings(devices: 3, hours: 6)
        settings.folder = folder
        _ = try await FleetSimulation(settings).run()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }

    @Test func `has every figure in its table`() async throws {
        let results = try await FleetSimulation(FleetSettings(devices: 3, hours: 12, seed: 3)).run()
        let figures = results.figures.flatMap(\.figures)
        #expect(figures.count > 25)
        for figure in figures {
            #expect(results.table.contains(figure.label) && results.table.contains(figure.value), "\(figure)")
        }
    }

    @Test func `says so where an invariant fails`() {
        var results = FleetResults(duration: 3_600)
        #expect(results.isSound)
        results.problems = [FleetResults.Problem(device: 4, text: "a <wrong> record")]
        #expect(!results.isSound)
        #expect(results.table.contains("device 4: a <wrong> record"))
    }

    @Test func `reports progress up to its last device`() async throws {
        let seen = Seen()
        _ = try await FleetSimulation(FleetSettings(devices: 5, hours: 2)).run { seen.add($0.devices) }
        #expect(seen.all.sorted() == [1, 2, 3, 4, 5])
        let line = FleetProgressLine()
        let half = FleetProgress(devices: 5, of: 10, records: 12_345)
        #expect(line.text(for: half, isTerminal: false) == "5 of 10 phones, 12,345 records")
        #expect(line.text(for: half, isTerminal: false) == nil, "it is not said twice")
    }
}

/// Numbers from any thread.
private final class Seen: Sendable {
    private let numbers = Locked<[Int]>([])
    var all: [Int] { numbers.withLock { $0 } }
    func add(_ number: Int) { numbers.withLock { $0.append(number) } }
}

extension Array {
    func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
