import Testing

@testable import ConsoleModel

/// The completeness of a time, computed from made-up arrivals.
@Suite struct `The completeness of a time` {
    private static let slot = ArrivalFacts.slot
    private static let hour = 4 * ArrivalFacts.slot
    /// Noon of a day, and ten days before it.
    private static let now: Int64 = 20_000 * 96 * ArrivalFacts.slot + 48 * ArrivalFacts.slot
    private static let days: Int64 = 10

    /// 1,000 records in each slot, of which 200 arrive two hours late, and 100 phones, of which 30 are silent.
    ///
    /// - Parameter outage: The slots before the present in which nothing arrived; what was due then comes later.
    private static func facts(outage: Int64 = 0, isEvidence: Bool = true) -> ArrivalFacts {
        let last = now / slot - 1
        var facts = ArrivalFacts()
        for place in (last - days * 96)...last {
            for (delay, records) in [(Int64(0), 800), (8, 200)] {
                let arrival = place + delay
                guard arrival <= last - outage else { continue }
                facts.cells.append(
                    ArrivalFacts.Cell(slot: place, arrival: arrival, isEvidence: isEvidence, records: records))
            }
        }
        let end = now - outage * slot
        for phone in Int64(0)..<100 {
            facts.phones.append(
                ArrivalFacts.Phone(
                    firstReport: now - days * 24 * hour, lastReport: phone < 30 ? end - 5 * hour : end, held: 0,
                    heldFrom: 0, heldTo: 0))
        }
        return facts
    }

    private static func bucket(
        _ facts: ArrivalFacts, hoursAgo: Int64, _ sourceLocation: SourceLocation = #_sourceLocation,
    ) throws -> BucketCompleteness {
        let end = now - hoursAgo * hour
        return try #require(
            Completeness(facts, now: now).bucket(from: end - hour, to: end), sourceLocation: sourceLocation)
    }

    @Test func `is estimated from the delays of earlier days while phones are silent`() throws {
        let recent = try Self.bucket(Self.facts(), hoursAgo: 1)
        #expect(abs(recent.share - 0.8) < 0.02, "\(recent)")
        #expect(recent.isEstimated && recent.silent == 30 && !recent.isRunning)
        let old = try Self.bucket(Self.facts(), hoursAgo: 4)
        #expect(old.isComplete, "\(old)")
    }

    @Test func `is never less than what is expected of the silent phones`() throws {
        var facts = Self.facts()
        facts.phones = facts.phones.map { phone in
            ArrivalFacts.Phone(
                firstReport: phone.firstReport, lastReport: Self.now, held: 0, heldFrom: 0, heldTo: 0)
        }
        let bucket = try Self.bucket(facts, hoursAgo: 1)
        #expect(bucket.share == 1 && bucket.silent == 0, "all phones have reported, and hold nothing: \(bucket)")
    }

    @Test func `knows an outage of the console, in which nothing could arrive`() throws {
        let during = try Self.bucket(Self.facts(outage: 12), hoursAgo: 1)
        #expect(during.share < 0.05, "\(during)")
        #expect(during.isEstimated && during.silent == 100)
        let before = try Self.bucket(Self.facts(outage: 12), hoursAgo: 3)
        #expect(abs(before.share - 0.8) < 0.03, "the delay does not count the outage: \(before)")
    }

    @Test func `counts what phones say they hold, which is no estimate`() throws {
        var facts = Self.facts(isEvidence: false)
        let held = ArrivalFacts.Phone(
            firstReport: Self.now - 24 * Self.hour, lastReport: Self.now, held: 800,
            heldFrom: Self.now - 2 * Self.hour, heldTo: Self.now - Self.hour - 1)
        facts.phones.append(held)
        facts.drops = [ArrivalFacts.Drop(slot: Self.now / Self.slot - 6, records: 7)]
        let bucket = try Self.bucket(facts, hoursAgo: 1)
        #expect(bucket.pending == 800 && bucket.holding == 1 && bucket.dropped == 7)
        #expect(!bucket.isEstimated && abs(bucket.share - 3_200.0 / 4_000) < 0.001, "\(bucket)")
        #expect(bucket.sentence?.contains("1 phone holds 800 records") == true)
    }

    @Test func `is known up to the present, and not before the first arrival`() throws {
        let completeness = Completeness(Self.facts(), now: Self.now)
        let running = try #require(completeness.bucket(from: Self.now - Self.slot, to: Self.now + Self.hour))
        #expect(running.isRunning && running.end == Self.now)
        #expect(completeness.bucket(from: Self.now, to: Self.now + Self.hour) == nil)
        let early = Self.now - 30 * 24 * Self.hour
        #expect(completeness.bucket(from: early, to: early + Self.hour) == nil)
        #expect(Completeness(ArrivalFacts(), now: Self.now).bucket(from: early, to: early + Self.hour) == nil)
    }

    @Test func `counts the phones that were active, and those that have reported since`() throws {
        let end = Self.now - Self.hour
        let number = end / Self.hour - 1
        let active = [
            ActivePhone(hour: number - 1, phone: 9, lastReport: 0),
            ActivePhone(hour: number, phone: 1, lastReport: end),
            ActivePhone(hour: number, phone: 2, lastReport: end - 1),
            ActivePhone(hour: number + 1, phone: 3, lastReport: 0),
        ]
        let window = try #require(
            Completeness(Self.facts(), now: Self.now).window(
                from: end - Self.hour, to: end, steps: [(end - Self.hour, end)], active: active))
        #expect(window.total.active == 2 && window.total.reported == 1)
        #expect(window.steps == [window.total])
    }

    @Test func `of two times is compared, and a difference is named`() throws {
        let completeness = Completeness(Self.facts(), now: Self.now)
        func window(_ hoursAgo: Int64) throws -> WindowCompleteness {
            let end = Self.now - hoursAgo * Self.hour
            return try #require(completeness.window(from: end - Self.hour, to: end, steps: [], active: []))
        }
        let unequal = QueryCompleteness(window: try window(1), comparison: try window(5))
        #expect(unequal.inequality?.contains("about 80 % of this one has arrived") == true)
        #expect(unequal.inequality?.contains("100 % of the one before") == true)
        #expect(QueryCompleteness(window: try window(6), comparison: try window(5)).inequality == nil)
        #expect(QueryCompleteness(window: try window(1), comparison: nil).inequality == nil)
        for (share, isTaken) in [(0.8, true), (0.7, true), (0.6, false), (0, false), (1, false)] {
            var equal = unequal
            equal.compare(asOf: 7, arrived: share)
            #expect((equal.comparedAsOf == 7) == isTaken, "\(share)")
            #expect((equal.comparison?.total.share == share) == (isTaken || share == 1), "\(share)")
            #expect((equal.comparisonNote == unequal.inequality) == !isTaken, "\(share)")
            if share == 0.8 { #expect(equal.inequality == nil) }
        }
    }
}
