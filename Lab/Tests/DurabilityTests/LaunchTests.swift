import Astrolabe
import AstrolabePlatform
import AstrolabeTestSupport
import Dispatch
import Foundation
import Testing

/// Launches that end before their first scheduled flush, in every way.
@Suite(.serialized) struct `A series of short launches` {
    private static let count = Thoroughness.count(6, thorough: 1_000)

    /// Launches the app so many times, most often for a short time; returns the most bytes of its files at any moment.
    private func launch(_ app: KilledApp) throws -> Int {
        let largest = Locked(0)
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "disk"))
        timer.schedule(deadline: .now(), repeating: .milliseconds(20))
        timer.setEventHandler {
            let bytes = app.diskBytes
            largest.withLock { $0 = max($0, bytes) }
        }
        timer.resume()
        defer { timer.cancel() }
        let chance = Chance()
        for _ in 0..<Self.count {
            let place = Double(chance.number(in: 0...999)) / 1_000
            let ways = ["return", "crash", "kill"]
            try app.launch(
                making: 10, endingAfter: Int(50 * pow(40, place * place)),
                by: ways[chance.number(in: 0...ways.count - 1)],
            )
        }
        return largest.withLock { $0 }
    }

    @Test func `loses nothing and takes little of the disk while the collector works`() throws {
        let collector = try TestCollector()
        let app = KilledApp(collector)
        let bytes = try launch(app)
        let before = Set(collector.log.delivered)
        let ledger = try app.finish()
        collector.kill()
        let delivered = Set(collector.log.delivered)
        print("\(Self.count) launches, \(before.count) sent before the last, \(bytes) B at most, \(ledger)")
        #expect(app.promised.count == Self.count * 10)
        #expect(app.promised.subtracting(delivered) == [])
        if Thoroughness.isThorough {
            #expect(before.count > app.promised.count / 2, "most do not wait for a run that lives long")
        }
        #expect(bytes < 8 << 20)
        #expect(ledger.isBalanced && ledger.pending == 0)
        #expect(ledger.dropped[.evicted] == nil)
    }

    @Test func `keeps what fits into its bounds while there is no collector, errors last of all to go`() throws {
        let collector = try TestCollector()
        collector.kill()
        let app = KilledApp(collector)
        let bytes = try launch(app)
        try collector.start()
        let ledger = try app.finish()
        collector.kill()
        let lost = app.promised.subtracting(collector.log.delivered)
        print(
            "\(Self.count) launches, \(app.promised.count) promised, \(lost.count) lost, \(bytes) B at most, \(ledger)")
        // The queue keeps 10,000 records, those of the SDK itself among them.
        #expect(lost.count <= max(0, ledger.created - 10_000))
        #expect(lost.count <= ledger.dropped[.evicted] ?? 0)
        // Of each five records of a launch, the fourth has low priority, and the fifth is an error.
        let places = lost.reduce(into: [:]) { places, number in places[(number & 0xFFFF) % 5, default: 0] += 1 }
        #expect(places[4] == nil, "\(places)")
        if lost.count <= Self.count * 2 { #expect(Set(places.keys).isSubset(of: [3]), "\(places)") }
        #expect(bytes < 24 << 20)
        #expect(ledger.isBalanced && ledger.pending == 0)
    }
}
