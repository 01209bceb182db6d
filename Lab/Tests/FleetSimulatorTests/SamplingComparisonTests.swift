import AstrolabeDelivery
import AstrolabeJournal
import AstrolabeTestSupport
import Foundation
import Testing

@testable import FleetSimulator

@Suite(.timeLimit(.minutes(5))) struct `A comparison of sampling` {
    private func compared(devices: Int = 3, seed: UInt64 = 11, jobs: Int = 1) async throws -> SamplingResults {
        let settings = FleetSettings(devices: devices, hours: 12, seed: seed, jobs: jobs)
        var comparison = SamplingComparison(settings, badShare: 0.5)
        comparison.badShares = [0.5]
        return try await comparison.run(costs: ScriptedSession.costs)
    }

    @Test func `comes out the same for the same seed, however many phones run at a time`() async throws {
        let results = try await compared()
        #expect(try await compared(jobs: 3) == results)
        #expect(try await compared(seed: 12) != results)
    }

    @Test func `has more bad sessions in full than a head rate, for fewer bytes than all`() async throws {
        let results = try await compared()
        let part = try #require(results.parts.first)
        let (everything, recorder) = (part.everything, part.tally(of: .recorderAlone))
        #expect(everything.all.count > 5)
        #expect(everything.all.count == recorder.all.count)
        #expect(recorder.tracesSent > 0)
        #expect(recorder.sent < everything.sent)
        #expect(recorder.all.full > part.tally(of: SamplingScheme(rate: .fixed(0.1), hasRecorder: false)).all.full)
        #expect(recorder.ringWritten > 0 && everything.ringWritten == 0)
        // Each session that is not in full has one reason.
        for tally in part.tallies { #expect(tally.missing.values.reduce(0, +) == tally.all.count - tally.all.full) }
    }

    @Test func `has every scheme in its table, its JSON and its chart`() async throws {
        let results = try await compared(devices: 1)
        let json = try JSONSerialization.jsonObject(with: Data(results.json().utf8)) as? [String: Any]
        let share = try #require((json?["shares"] as? [[String: Any]])?.first)
        let names = (share["schemes"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
        #expect(names == SamplingScheme.all.map(\.label))
        for scheme in SamplingScheme.all {
            #expect(results.table.contains(scheme.label))
            #expect(results.chart.contains(">\(scheme.label)</text>"))
        }
        #expect(results.chart.hasPrefix("<svg ") && results.chart.hasSuffix("</svg>\n"))
    }

    @Test func `measures records and requests with the SDK`() async throws {
        let costs = try await RecordCosts.measured()
        for part in RecordCosts.Part.allCases {
            #expect(costs.payload(part) > 20)
            #expect((32...40).contains(costs.frame(part) - costs.payload(part)))
            let sizes = [1, 2, 3, 100, 512].map { costs.sent(part, $0) }
            #expect(sizes == sizes.sorted() && sizes[0] > 50)
            #expect(sizes[4] < 512 * costs.payload(part) / 2, "requests are compressed")
            #expect(costs.sent(part, 1_024) == 2 * sizes[4])
        }
        #expect(costs.payload(.promotedSpan) > costs.payload(.span))
    }
}

@Suite struct `A bad session` {
    @Test(arguments: SamplingFault.allCases)
    func `is in full with a ring that holds everything, and with a head rate only if it is chosen`(
        fault: SamplingFault
    ) {
        let session = ScriptedSession(fault: fault)
        for (scheme, full) in [
            (SamplingScheme.recorderAlone, 1), (SamplingScheme.everything, 1),
            (SamplingScheme(rate: .fixed(0.1), hasRecorder: false), 0),
        ] {
            let tally = session.run(scheme)
            #expect(tally.sessions[fault] == SamplingTally.Sessions(count: 1, full: full, whole: full))
            let missing: [RecordFate: Int] = full == 1 ? [:] : [.sampledOut: 1]
            #expect(tally.missing == missing)
        }
    }

    @Test func `that is longer than the window is in full with the recorder, and not whole`() {
        let session = ScriptedSession(seconds: 1_800)
        #expect(session.run(.recorderAlone).all == SamplingTally.Sessions(count: 1, full: 1, whole: 0))
        #expect(session.run(.everything).all == SamplingTally.Sessions(count: 1, full: 1, whole: 1))
        let flow = ScriptedSession(seconds: 1_800, fault: .abandonedFlow)
        #expect(flow.run(.recorderAlone).all.whole == 1, "a flow is promoted from its beginning")
    }

    @Test func `whose ring has overwritten the beginning of its window is not in full`() {
        var session = ScriptedSession()
        session.limits.segmentBytes = 4_096
        session.limits.capacity = 8 * 4_096
        #expect(session.run(.recorderAlone).missing == [.overwritten: 1])
        session.limits.capacity = 64 * 4_096
        #expect(session.run(.recorderAlone).all.full == 1)
    }

    @Test func `is not in full beyond the budgets of a day and of an hour, and beyond a trigger's limit`() {
        var session = ScriptedSession()
        session.limits.dailyBytes = 10_000
        let tally = session.run(.recorderAlone)
        #expect(tally.missing == [.dailyBytes: 1])
        #expect(tally.tracesSent > 0 && tally.tracesSent <= 10_000)

        session.limits = RecorderLimits()
        session.limits.segmentBytes = 4_096
        session.limits.hourlyBytes = 20_000
        #expect(session.run(.recorderAlone).missing == [.hourlyBytes: 1])

        session.limits = RecorderLimits()
        session.limits.triggersPerHour = 0
        #expect(session.run(.recorderAlone).missing == [.inRing: 1])
    }

    @Test func `is not in full if the recorder was off, and is over any number of starts`() {
        #expect(ScriptedSession(actionWithoutRecorder: 50).run(.recorderAlone).missing == [.recorderOff: 1])
        #expect(ScriptedSession(restart: 301).run(.recorderAlone).all.full == 1)
        #expect(ScriptedSession(restart: 301, again: 351).run(.recorderAlone).all.full == 1)
        // The start that notices the end of a session still has the ring of the run before.
        let flow = ScriptedSession(fault: .abandonedFlow, restart: 2_400.2)
        #expect(flow.run(.recorderAlone).all.full == 1)
    }

    @Test func `waits on a phone that is offline, which drops its oldest records beyond the queue's bounds`() {
        var session = ScriptedSession(outcome: .isBlocked)
        for scheme in [SamplingScheme.everything, .recorderAlone] {
            #expect(session.run(scheme).missing == [.waiting: 1])
            #expect(session.run(scheme).sent == 0)
        }
        session.limits.queueRecords = 50
        #expect(session.run(.everything).missing == [.evicted: 1])
    }

    @Test func `costs the bytes of its records and requests`() {
        let session = ScriptedSession(seconds: 30)
        // Three actions of three spans and an event, in one request for spans and one for events.
        let everything = session.run(.everything)
        #expect(everything.tracesSent == 200 + 80 * 9)
        #expect(everything.othersSent == 200 + 80 * 3)
        #expect(everything.written == 12 * 432)
        // In the ring with their headers, and in the queue without.
        let recorder = session.run(.recorderAlone)
        #expect(recorder.tracesSent == everything.tracesSent)
        #expect(recorder.ringWritten == 9 * 432)
        #expect(recorder.stored == 3 * 432 + 9 * 400)
    }
}

@Suite struct `The model of the ring` {
    @Test func `keeps what the SDK's ring keeps, to within two segments`() throws {
        let directory = TemporaryDirectory()
        let segment = 4_096
        var settings = JournalConfiguration(directory: directory.path)
        (settings.segmentSize, settings.firstSegmentSize, settings.maximumBytes) = (segment, segment, 16 * segment)
        settings.segmentsAhead = 1
        settings.preparesOnDemand = true
        settings.overwrittenOutcome = .notSent
        let ring = try RecordJournal(settings, header: [1])
        var limits = RecorderLimits()
        (limits.segmentBytes, limits.capacity) = (segment, 16 * segment)
        var model = RingModel(limits)
        model.begin()
        var places: [RingModel.Place] = []
        let record = [UInt8](repeating: 7, count: 200)
        let size = RecordFrame.size(length: record.count)
        for number in 0..<2_000 {
            _ = record.withUnsafeBytes { bytes in
                ring.append(bytes, kind: 1, priority: 1, tag: 0, time: UInt64(number))
            }
            if ring.needsRoom { ring.makeRoom() }
            places.append(model.append(size))
        }
        let lease = try #require(ring.lease(of: ring.run.id, kind: 1) { _ in true })
        let kept = places.count { model.holds($0) }
        #expect(abs(lease.records.count - kept) <= 2 * segment / size)
    }
}
