import AstrolabeJournal
import AstrolabeOTLP
import AstrolabeOfflineQueue
import AstrolabePlatform
import AstrolabePolicy
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstrolabeWire
import Foundation
import Testing

@testable import AstrolabeDelivery

/// The flight recorder's ring, requests to promote a session, and what they cost.
@Suite(.timeLimit(.minutes(5))) struct FlightRecorderTests {
    private let collector = DecodingCollector()

    @Test func `a request sends the records of its session, marked, once and at normal priority`() async throws {
        let run = try RecorderPhone().run()
        for number in 0..<20 { run.record("span \(number)", in: number.isMultiple(of: 2) ? "session-a" : "session-b") }
        run.record("failed", in: "session-a", priority: .high)
        run.request("error", id: "p-1", session: "session-a")
        let delivery = try run.delivery(to: collector)
        await delivery.flush()
        let spans = collector.spans
        #expect(spans.map(\.name).sorted() == (["failed"] + (0..<10).map { "span \(2 * $0)" }).sorted())
        for span in spans {
            #expect(span.attributes["astrolabe.recorder.trigger"] == "error")
            #expect(span.attributes["astrolabe.recorder.id"] == "p-1")
            #expect(span.attributes["session.id"] == "session-a")
        }
        var ledger = await delivery.currentReport.ledger
        // The request waits for the minute after it.
        #expect(ledger.notSent == 11 && ledger.delivered == 11 && ledger.created == 22 && ledger.isBalanced)
        #expect(collector.events.isEmpty)

        run.advance(61)
        await delivery.flush()
        let event = try #require(collector.events.first)
        #expect(event.attributes["astrolabe.recorder.records"] == 11)
        #expect(event.attributes["astrolabe.recorder.refused"] == nil)
        #expect(collector.spans.count == 11 && collector.events.count == 1)
        ledger = await delivery.currentReport.ledger
        #expect(ledger.notSent == 10 && ledger.delivered == 12 && ledger.isBalanced)
    }

    @Test func `two requests of one session send each record once`() async throws {
        let run = try RecorderPhone().run()
        for number in 0..<5 { run.record("early \(number)", in: "session-s") }
        run.request("error", id: "p-1", session: "session-s")
        run.advance(30)
        for number in 0..<5 { run.record("late \(number)", in: "session-s") }
        run.request("app", id: "p-2", session: "session-s")
        let delivery = try run.delivery(to: collector)
        for _ in 0..<4 {
            await delivery.flush()
            run.advance(30)
        }
        #expect(collector.spans.count == 10 && Set(collector.spans.map(\.name)).count == 10)
        #expect(collector.spans.allSatisfy { $0.attributes["astrolabe.recorder.id"] == "p-1" })
        // The second found nothing that the first had left, and is the app's.
        #expect(collector.events.map { $0.attributes["astrolabe.recorder.records"] } == [10, 0])
        #expect(await delivery.currentReport.ledger.isBalanced)
    }

    @Test func `the window reaches back as far as it is configured, and a minute on`() async throws {
        let run = try RecorderPhone().run()
        run.record("too old", in: "session-s")
        run.advance(100)
        run.record("old", in: "session-s")
        run.advance(801)
        run.request("error", id: "p", session: "session-s")
        run.advance(60)
        run.record("just after", in: "session-s")
        run.advance(1)
        run.record("too late", in: "session-s")
        let delivery = try run.delivery(to: collector)
        await delivery.flush()
        #expect(collector.spans.map(\.name) == ["old", "just after"])
        #expect(await delivery.currentReport.ledger.notSent == 2)
    }

    @Test func `of sessions that have ended, one that was within a flow is sent`() async throws {
        let run = try RecorderPhone().run()
        let sessions = [
            ("abandoned", ["Home", "Cart"]), ("completed", ["Cart", "Confirmation"]), ("other", ["Cart details"]),
        ]
        for (session, screens) in sessions {
            for screen in screens { run.record("\(session) \(screen)", in: "session-\(session)", on: screen) }
        }
        run.advance(1_800)
        for session in ["abandoned", "completed", "other"] {
            run.request("flow", id: session, session: "session-\(session)", flow: ("Cart", "Confirmation"))
        }
        let delivery = try run.delivery(to: collector)
        await delivery.flush()
        run.advance(61)
        await delivery.flush()
        #expect(collector.spans.map(\.name) == ["abandoned Home", "abandoned Cart"])
        #expect(collector.events.map { $0.attributes["astrolabe.recorder.id"] } == ["abandoned"])
        #expect(collector.events.first?.attributes["astrolabe.recorder.flow.from"] == "Cart")
        let ledger = await delivery.currentReport.ledger
        #expect(ledger.notSent == 5 && ledger.isBalanced)
    }

    @Test func `a day's budget refuses the rest, says so on the event, and is new on the next day`() async throws {
        let run = try RecorderPhone().run()
        for number in 0..<40 { run.record("span \(number)", in: "session-s", padding: 1_000) }
        run.request("error", id: "p-1", session: "session-s")
        let delivery = try run.delivery(to: collector) { $0.recorder.dailyBytes = 10_000 }
        run.advance(61)
        await delivery.flush()
        let sent = collector.spans.count
        #expect((8...10).contains(sent))
        let event = try #require(collector.events.first)
        #expect(event.attributes["astrolabe.recorder.records"] == .int(Int64(sent)))
        #expect(event.attributes["astrolabe.recorder.refused"] == .int(Int64(40 - sent)))
        #expect(event.attributes["astrolabe.recorder.refusal"] == "daily_bytes")
        let ledger = await delivery.currentReport.ledger
        #expect(ledger.notSent == 40 - sent && ledger.isBalanced)

        run.advance(86_400)
        run.record("tomorrow", in: "session-s")
        run.request("error", id: "p-2", session: "session-s")
        await delivery.flush()
        #expect(collector.spans.last?.name == "tomorrow")
    }

    @Test func `a report says what the ring has, and what was promoted and refused today, also by an earlier run`()
        async throws
    {
        let phone = RecorderPhone()
        let run = try phone.run()
        let began = Date(timeIntervalSince1970: Double(run.now) / 1e9)
        run.record("other", in: "session-t")
        run.advance(5)
        for number in 0..<40 { run.record("span \(number)", in: "session-s", padding: 1_000) }
        let delivery = try run.delivery(to: collector) { $0.recorder.dailyBytes = 10_000 }
        var report = try #require(await delivery.currentReport.recorder)
        #expect(report.records == 41 && report.oldest == began && report.isWithinHour)
        #expect((40_000...report.capacity).contains(report.bytes))
        #expect(report.promoted == [:] && report.promotedBytes == 0 && report.refused == 0)
        run.request("error", id: "p-1", session: "session-s")
        await delivery.flush()
        let sent = collector.spans.count
        report = try #require(await delivery.currentReport.recorder)
        #expect(report.records == 42 - sent && report.promoted == ["error": sent] && report.refused == 40 - sent)
        #expect(report.promotedBytes >= report.dailyBytes && report.dailyBytes == 10_000)
        run.end()

        let next = try phone.run()
        let later = try next.delivery(to: collector) { $0.recorder.dailyBytes = 10_000 }
        await later.flush()
        report = try #require(await later.currentReport.recorder)
        #expect(report.records == 0 && report.oldest == nil)
        #expect(report.promoted == ["error": sent] && report.refused == 40 - sent)
        next.advance(86_400)
        report = try #require(await later.currentReport.recorder)
        #expect(report.promoted == [:] && report.promotedBytes == 0 && report.refused == 0)
    }

    @Test func `a day's account that cannot be read is empty`() {
        var day = RecorderDay(at: 5 * RecorderDay.length, stored: [])
        day.bytes = 7
        day.promoted = ["run_end": 3]
        #expect(RecorderDay(at: 5 * RecorderDay.length + 1, stored: day.stored) == day)
        for text in ["", "5", "5 x 0", "6 7 0", "\u{0}\u{0}\n7 7 7"] {
            let read = RecorderDay(at: 5 * RecorderDay.length, stored: Array(text.utf8))
            #expect(read.bytes == 0 && read.promoted.isEmpty, "\(text)")
        }
    }

    @Test func `a plan may give it another budget of a day, and take that back`() async throws {
        let run = try RecorderPhone().run()
        run.record("refused", in: "session-s", padding: 1_000)
        run.request("error", id: "p-1", session: "session-s")
        let delivery = try run.delivery(to: collector)
        var plan = DeliveryPlan(flushInterval: 3_600, upload: UploadPlan(.immediate, canSend: true))
        plan.recorderDailyBytes = 0
        await delivery.apply(plan)
        await delivery.flush()
        #expect(collector.spans.isEmpty)
        plan.recorderDailyBytes = nil
        await delivery.apply(plan)
        await delivery.flush()
        #expect(collector.spans.map(\.name) == ["refused"])
    }

    @Test func `a ring that has written its bytes of the hour is turned off until the next one`() async throws {
        let run = try RecorderPhone().run()
        let states = Locked<[Bool]>([])
        var hooks = DeliveryHooks()
        hooks.onRecorderBudget = { isKept in states.withLock { $0.append(isKept) } }
        let delivery = try run.delivery(to: collector, hooks: hooks) { $0.recorder.hourlyBytes = 2 << 20 }
        for _ in 0..<1_000 { run.record("span", in: "session-s", padding: 1_000) }
        await delivery.promote()
        for _ in 0..<2_000 { run.record("span", in: "session-s", padding: 1_000) }
        await delivery.promote()
        run.advance(3_600)
        await delivery.promote()
        #expect(states.withLock { $0 } == [true, false, true])
    }

    @Test func `a request survives a kill, and the next run performs it`() async throws {
        let phone = RecorderPhone()
        let killed = try phone.run()
        for number in 0..<10 { killed.record("span \(number)", in: "session-s") }
        killed.request("error", id: "p", session: "session-s")
        killed.end()
        let next = try phone.run()
        next.record("of the next run", in: "session-t")
        let delivery = try next.delivery(to: collector)
        await delivery.flush()
        #expect(collector.spans.map(\.name) == (0..<10).map { "span \($0)" })
        #expect(try #require(collector.events.first).attributes["astrolabe.recorder.records"] == 10)
        let ledger = await delivery.currentReport.ledger
        #expect(ledger.created == 12 && ledger.delivered == 11 && ledger.notSent == 1 && ledger.isBalanced)
        #expect(phone.ringRuns == 1)
    }

    @Test func `a previous run stays until its end is reported, and its crash asks for its session`() async throws {
        let phone = RecorderPhone()
        let crashed = try phone.run()
        for number in 0..<10 { crashed.record("span \(number)", in: "session-s") }
        crashed.end()
        let next = try phone.run()
        let isReported = Locked(false)
        var hooks = DeliveryHooks()
        hooks.hasReportedRuns = { isReported.withLock { $0 } }
        let delivery = try next.delivery(to: collector, hooks: hooks)
        await delivery.flush()
        #expect(collector.spans.isEmpty && phone.ringRuns == 2)
        next.request("crash", id: "p", session: "session-s")
        isReported.withLock { $0 = true }
        await delivery.flush()
        #expect(collector.spans.count == 10)
        #expect(collector.spans.allSatisfy { $0.attributes["astrolabe.recorder.trigger"] == "crash" })
        #expect(phone.ringRuns == 1)
        let ledger = await delivery.currentReport.ledger
        #expect(ledger.created == 11 && ledger.delivered == 10 && ledger.isBalanced)
    }

    @Test func `a run whose end is no trigger leaves its records unsent, and its files go`() async throws {
        let phone = RecorderPhone()
        for launch in 0..<5 {
            let run = try phone.run()
            for number in 0..<10 { run.record("span \(launch) \(number)", in: "session-\(launch)") }
            run.end()
        }
        let delivery = try phone.run().delivery(to: collector)
        await delivery.flush()
        #expect(collector.spans.isEmpty && phone.ringRuns == 1)
        let ledger = await delivery.currentReport.ledger
        #expect(ledger.created == 50 && ledger.notSent == 50 && ledger.isBalanced)
    }

    @Test func `the previous runs of a session that goes on stay for its requests`() async throws {
        let phone = RecorderPhone()
        for name in ["first", "second"] {
            let run = try phone.run()
            run.record(name, in: "session-s")
            run.record("other", in: "session-t")
            run.end()
        }
        let run = try phone.run()
        var hooks = DeliveryHooks()
        let goesOn = Locked(true)
        hooks.continuesSession = { goesOn.withLock { $0 } }
        let delivery = try run.delivery(to: collector, hooks: hooks)
        await delivery.flush()
        run.advance(900)
        run.record("third", in: "session-s")
        run.request("error", id: "p", session: "session-s")
        await delivery.flush()
        #expect(collector.spans.map(\.name) == ["first", "second", "third"] && phone.ringRuns == 3)
        goesOn.withLock { $0 = false }
        await delivery.flush()
        #expect(phone.ringRuns == 1)
        let ledger = await delivery.currentReport.ledger
        #expect(ledger.delivered == 3 && ledger.notSent == 3 && ledger.isBalanced)
    }

    @Test func `a kill between the queue and the ring sends nothing twice`() async throws {
        let phone = RecorderPhone()
        let run = try phone.run()
        for number in 0..<10 { run.record("span \(number)", in: "session-s") }
        run.request("error", id: "p", session: "session-s")
        let before = try phone.folder.copy()
        await (try run.delivery(to: DecodingCollector(isAway: true))).flush()
        // The queue after the transfer with the ring before it.
        let torn = try phone.folder.copy()
        try FileManager.default.removeItem(atPath: torn.path + "/recorder")
        try PrivateFiles.move(before.path + "/recorder", to: torn.path + "/recorder")
        let delivery = try RecorderPhone(folder: torn).run().delivery(to: collector)
        await delivery.flush()
        #expect(collector.spans.count == 10 && Set(collector.spans.map(\.name)).count == 10)
        #expect(await delivery.currentReport.ledger.isBalanced)
    }

    #if os(macOS) || os(Linux)
    /// Kills at any point: while the ring is written, and while records move to the queue.
    @Test func `over kills each promised session arrives once, and the ledger balances`() async throws {
        for round in 0..<Thoroughness.count(4, thorough: 200) {
            let phone = RecorderPhone()
            let promises = 1 + round * 37 % 150
            let messages = try KilledProcess.messages(of: ["recorder", phone.folder.path], killAfter: promises)
            let collector = DecodingCollector()
            let delivery = try phone.run(queueClock: .system).delivery(to: collector)
            await delivery.flush()
            await delivery.flush()
            let names = collector.spans.map(\.name)
            #expect(Set(names).count == names.count, "kill \(round): a span came twice")
            let sessions = messages.map(\.first)
            let expected = sessions.flatMap { session in (0..<5).map { "\(session)-\($0)" } }
            #expect(Set(expected).subtracting(names).isEmpty, "kill \(round) after \(promises) promises")
            #expect(names.allSatisfy { (Int($0.split(separator: "-")[0]) ?? 1).isMultiple(of: 2) }, "kill \(round)")
            let events = collector.events.compactMap { $0.attributes["astrolabe.recorder.id"]?.stringValue }
            #expect(Set(events).count == events.count, "kill \(round)")
            #expect(Set(sessions.map { "promotion-\($0)" }).subtracting(events).isEmpty, "kill \(round)")
            let ledger = await delivery.currentReport.ledger
            #expect(ledger.isBalanced && ledger.pending == 0, "kill \(round): \(ledger)")
        }
    }
    #endif

    @Test func `a request is not finished before previous runs are reported`() async throws {
        let run = try RecorderPhone().run()
        run.record("early", in: "session-s")
        run.request("crash", id: "p", session: "session-s")
        run.advance(61)
        let isReported = Locked(false)
        var hooks = DeliveryHooks()
        hooks.hasReportedRuns = { isReported.withLock { $0 } }
        let delivery = try run.delivery(to: collector, hooks: hooks)
        await delivery.flush()
        #expect(collector.spans.map(\.name) == ["early"] && collector.events.isEmpty)
        isReported.withLock { $0 = true }
        await delivery.flush()
        #expect(collector.events.map { $0.attributes["astrolabe.recorder.id"] } == ["p"])
    }

    @Test func `without a queue nothing is promoted, and what earlier runs left has a bound`() async throws {
        let phone = RecorderPhone(capacity: 1 << 20)
        // A folder in the place of the database.
        try FileManager.default.createDirectory(
            atPath: phone.folder.path + "/queue.db", withIntermediateDirectories: true)
        for number in 0..<3 {
            let run = try phone.run()
            for record in 0..<500 { run.record("\(number)-\(record)", in: "session-s", padding: 1_000) }
            run.request("error", id: "p-\(number)", session: "session-s")
            run.end()
        }
        let run = try phone.run()
        let delivery = try run.delivery(to: collector)
        await delivery.flush()
        #expect(collector.spans.isEmpty)
        let left = try #require(run.sink.ring).statistics().earlier.map(\.pending).reduce(0, +)
        #expect((500...1_000).contains(left))
        #expect(await delivery.currentReport.ledger.isBalanced)
    }

    @Test func `what the ring overwrites is counted as not sent`() async throws {
        let run = try RecorderPhone(capacity: 1 << 20).run()
        for number in 0..<3_000 { run.record("span \(number)", in: "session-s", padding: 1_000) }
        run.request("error", id: "p", session: "session-s")
        let delivery = try run.delivery(to: collector)
        await delivery.flush()
        let names = collector.spans.map(\.name)
        #expect((300...1_000).contains(names.count))
        #expect(names == (3_000 - names.count..<3_000).map { "span \($0)" })
        let ledger = await delivery.currentReport.ledger
        #expect(ledger.created == 3_001 && ledger.notSent == 3_001 - names.count && ledger.isBalanced)
    }

    @Test func `events that the mode does not collect go to the ring while the recorder is on`() async throws {
        let run = try RecorderPhone().run()
        run.sink.admit(.minimal)
        run.event("quiet", in: "session-s")
        run.sink.record(inRing: false)
        run.event("dropped", in: "session-s")
        #expect(run.sink.notAdmittedCount == 1)
        run.request("app", id: "p", session: "session-s", isOfApp: true)
        run.advance(61)
        let delivery = try run.delivery(to: collector)
        await delivery.flush()
        #expect(collector.events.map(\.eventName) == ["quiet", "astrolabe.recorder.promotion"])
        #expect(await delivery.currentReport.ledger.isBalanced)
    }

    @Test func `a request to a ring without records is none, and the app's is an event`() async throws {
        let run = try RecorderPhone().run()
        run.request("error", id: "p-1", session: "session-s")
        run.request("app", id: "p-2", session: "session-s", isOfApp: true)
        let delivery = try run.delivery(to: collector)
        await delivery.flush()
        #expect(collector.events.map { $0.attributes["astrolabe.recorder.id"] } == ["p-2"])
        let ledger = await delivery.currentReport.ledger
        #expect(ledger.created == 1 && ledger.delivered == 1)
    }
}
