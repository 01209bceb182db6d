import AstrolabeDelivery
import AstrolabeDeviceConditions
import AstrolabeOfflineQueue
import AstrolabeTelemetryModel
import Testing

@testable import FleetSimulator

@Suite(.timeLimit(.minutes(5))) struct `A day in airplane mode with 12,000 records` {
    /// In each of 1,000 minutes 3 low, 7 normal, and by turns 1 or 2 high, with 1 critical in every tenth.
    private static let minutes = 1_000

    private static func day() -> ScriptedDevice {
        var device = ScriptedDevice()
        device.hours = 24
        device.at(2, .network(.offline, .dead))
        for minute in 0..<minutes {
            let time = 60.0 * Double(minute + 1)
            device.at(time, .records(.event, .low, count: 3))
            device.at(time, .records(minute % 2 == 0 ? .span : .metric, .normal, count: 7))
            device.at(time, .records(.event, .high, count: minute % 10 == 0 ? 1 : 2))
            if minute % 10 == 0 { device.at(time, .records(.event, .critical, count: 1)) }
        }
        device.at(23 * 3_600, .network(.wifi, .good))
        return device
    }

    @Test func `evicts exactly the oldest of the lowest priority, and delivers the rest in order`() async throws {
        let results = try await Self.day().live()
        let extra = results.extraRecords
        let scripted = 12_000
        #expect(results.ledger.created == scripted + extra)
        let excess = scripted + results.queuedExtra - QueueConfiguration().maximumRecords
        #expect(results.ledger.dropped == [.evicted: excess])
        #expect(results.ledger.delivered == results.ledger.created - excess)
        #expect(results.ledger.isBalanced)
        #expect(results.isSound, "\(results.problems)")

        let story = try #require(results.story)
        let landed = story.arrivals.filter { $0.arrived > 82_800 }
        // Of each kind all critical ones first, then the high, then the normal, then the low.
        for (kind, arrivals) in Dictionary(grouping: landed, by: \.kind) {
            let order = arrivals.map(\.priority.rawValue)
            #expect(order == order.sorted(by: >), "\(kind)")
        }
        #expect(landed.first?.priority == .critical)
        let kept = Dictionary(grouping: landed, by: \.priority)
        #expect(kept[.critical]?.count == 100)
        #expect(kept[.high]?.count == 1_900 + results.extraRecords - results.arrivedBefore(60))
        #expect(kept[.low]?.count == 3_000 - excess)
        for (priority, arrivals) in kept where priority != .normal {
            let times = arrivals.map(\.made)
            #expect(times == times.sorted(), "\(priority)")
        }
        // Of the low ones the oldest are gone: those that came are the youngest 3,000 less the excess.
        let low = (0..<Self.minutes).flatMap { minute in Array(repeating: 60.0 * Double(minute + 1), count: 3) }
        #expect((kept[.low] ?? []).map { $0.made.rounded() } == Array(low.dropFirst(excess)))

        // What waits is counted on the way.
        let most = QueueConfiguration().maximumRecords
        let waiting = results.bins.map { $0.inQueue + $0.inJournal }
        #expect(waiting.max() ?? 0 >= most)
        #expect(results.bins.allSatisfy { $0.inQueue <= most })
        #expect(waiting.last == 0)
    }
}

extension FleetResults {
    /// Records that the device made of itself: changes of its network and its life.
    var extraRecords: Int { made.values.reduce(0, +) - 12_000 }

    /// Those of them that came to wait in the queue.
    var queuedExtra: Int { extraRecords - arrivedBefore(60) - arrivedAfter(82_800) }

    fileprivate func arrivedBefore(_ time: Double) -> Int { story?.arrivals.count { $0.arrived < time } ?? 0 }

    /// Made after landing, so never in the queue.
    private func arrivedAfter(_ time: Double) -> Int { story?.arrivals.count { $0.made >= time } ?? 0 }
}
