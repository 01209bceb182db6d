import AstrolabeTelemetryModel
import Foundation
import Testing

@testable import TelemetryBoards
@testable import TelemetryConsole

/// Alerts hear of what arrived late, over a real SQLite file and a virtual clock.
@Suite(.timeLimit(.minutes(2)))
struct LateAlertTests {
    /// A phone that is offline for 3 hours, 26 hours or 6 days, and a console that may restart before the crash arrives
    /// and while its alert fires.
    @Test(arguments: [3, 26, 144] as [UInt64], [false, true])
    func `the alert that ships hears of a late crash once, with both times`(hours: UInt64, restarts: Bool) async throws
    {
        let scene = try await AlertScene()
        let name = "The app crashes"
        // Taps arrive all the time.
        func pass() async throws -> [AlertMonitor.Change] {
            try await scene.ingest([LogRecordData(timeUnixNano: scene.now, severityNumber: 9, eventName: "tap")])
            let changes = await scene.changes(of: name)
            scene.advance(by: 10 * AlertScene.minute)
            return changes
        }
        #expect(try await pass().isEmpty)
        #expect(try await pass().isEmpty)
        if restarts { try await scene.restart() }
        let happened = scene.now - hours * AlertScene.hour
        try await scene.ingest([AlertScene.crash(at: happened)])
        let learned = scene.now
        var changes = try await pass()
        #expect(changes.map(\.change) == [.fired])
        let fired = try #require(changes.first)
        #expect(fired.event.happened.map { abs($0 - Int64(happened)) < 1_000 } == true)
        #expect(fired.event.time == Int64(learned))
        let message = AlertMessage(fired, incident: "1", link: nil)
        #expect(message.happenedUs.map { abs($0 - Int64(happened / 1_000)) < 2 } == true)
        #expect(message.sinceUs == Int64(learned / 1_000))
        #expect(message.text.contains(". Happened 2026-") && message.text.contains(", learned 2026-"))
        for pause in 0..<8 {
            if restarts, pause == 2 { try await scene.restart() }
            changes += try await pass()
        }
        #expect(changes.map(\.change) == [.fired, .recovered])
        await scene.close()
    }

    @Test
    func `a crash that arrives while no console runs is heard at the next start, and one of the same group after it`()
        async throws
    {
        let scene = try await AlertScene()
        #expect(await scene.changes(of: "The app crashes").isEmpty)
        // It arrived after the last evaluation, and the console ended at once.
        scene.advance(by: AlertScene.minute)
        try await scene.ingest([AlertScene.crash(at: scene.now - 30 * AlertScene.hour)])
        scene.advance(by: 9 * AlertScene.hour)
        try await scene.restart()
        #expect(await scene.changes(of: "The app crashes").map(\.change) == [.fired])
        scene.advance(by: 2 * AlertScene.hour)
        #expect(await scene.changes(of: "The app crashes").map(\.change) == [.recovered])
        try await scene.ingest([AlertScene.crash(at: scene.now - 30 * AlertScene.hour)])
        scene.advance(by: AlertScene.minute)
        #expect(await scene.changes(of: "The app crashes").map(\.change) == [.fired])
        await scene.close()
    }

    @Test
    func `a window that crossed the threshold before is not news when more arrives of it`() async throws {
        let scene = try await AlertScene(
            board: "title: Mine\nalerts:\n  - {name: Many, query: count of events, above: 1, window: 10m}\n")
        let day = scene.now - 24 * AlertScene.hour
        func late(_ count: Int) async throws -> [AlertState.Change] {
            try await scene.ingest((0..<count).map { AlertScene.crash(at: day + UInt64($0), type: "\(scene.now)") })
            scene.advance(by: AlertScene.minute)
            let changes = await scene.changes(of: "Many").map(\.change)
            scene.advance(by: 30 * AlertScene.minute)
            return changes
        }
        #expect(try await late(1) == [], "one is not many")
        #expect(try await late(1) == [.fired], "the window has two")
        #expect(try await late(3) == [.recovered], "it had crossed before")
        await scene.close()
    }

    @Test
    func `an alert distinguishes that nothing happened from that nothing arrived`() async throws {
        let rule = "{name: Orders, query: count of events where name = purchase, below: 1, window: 10m, webhook: $HOOK}"
        let scene = try await AlertScene(board: "title: Mine\nalerts:\n  - \(rule)\n")
        func silentSince() async -> Int64? {
            await scene.monitor.snapshot().first { $0.rule.name == "Orders" }?.silentSince
        }
        try await scene.ingest([AlertScene.crash(at: scene.now)])
        let fired = await scene.changes(of: "Orders")
        #expect(fired.map(\.change) == [.fired])
        #expect(await silentSince() == nil)
        #expect(AlertMessage(try #require(fired.first), incident: "1", link: nil).silentSinceUs == nil)
        scene.advance(by: 20 * AlertScene.minute)
        #expect(await scene.changes(of: "Orders").isEmpty)
        #expect(await silentSince() == Int64(AlertScene.start))
        try await scene.ingest([LogRecordData(timeUnixNano: scene.now, severityNumber: 9, eventName: "purchase")])
        scene.advance(by: AlertScene.minute)
        #expect(await scene.changes(of: "Orders").map(\.change) == [.recovered])
        scene.advance(by: 30 * AlertScene.minute)
        let silent = try #require(await scene.changes(of: "Orders").first)
        #expect(
            AlertMessage(silent, incident: "2", link: nil).text.contains(". Nothing arrived since 2026-"))
        await scene.close()
    }

    @Test
    func `a mute alert begins no notice until the mute ends, and its history and acknowledgement outlive a restart`()
        async throws
    {
        let rule = "{name: Crashes, query: count of events by name, above: 0, window: 1h, webhook: $HOOK}"
        let scene = try await AlertScene(board: "title: Mine\nalerts:\n  - \(rule)\n")
        let id = AlertName(board: "mine", alert: "Crashes")
        let muted = await scene.monitor.change(id, muteSeconds: 600, isAcknowledged: nil)
        #expect(muted?.care.mutedUntil == Int64(scene.now + 10 * AlertScene.minute))
        try await scene.ingest([AlertScene.crash(at: scene.now)])
        #expect(await scene.changes(of: "Crashes").map(\.change) == [.fired])
        #expect(await scene.notices.book.notices.isEmpty)
        let acknowledged = await scene.monitor.change(id, muteSeconds: nil, isAcknowledged: true)
        #expect(acknowledged?.care.acknowledged == Int64(scene.now))
        try await scene.restart()
        let care = await scene.monitor.snapshot().first { $0.id == id }?.care
        #expect(care?.history.map(\.change) == [.fired])
        #expect(care?.acknowledged == Int64(AlertScene.start))
        scene.advance(by: 11 * AlertScene.minute)
        #expect(await scene.changes(of: "Crashes").map(\.change) == [.fired])
        #expect(await scene.notices.book.notices.count == 1)
        scene.advance(by: 2 * AlertScene.hour)
        #expect(await scene.changes(of: "Crashes").map(\.change) == [.recovered])
        let last = await scene.monitor.snapshot().first { $0.id == id }?.care
        #expect(last?.history.map(\.change) == [.recovered, .fired, .fired])
        #expect(last?.acknowledged == nil)
        let other = AlertName(board: "mine", alert: "?")
        let unknown = await scene.monitor.change(other, muteSeconds: 1, isAcknowledged: nil)
        #expect(unknown?.id == nil)
        await scene.close()
    }

    @Test
    func `a restart repeats no notice but one that was lost`() async throws {
        let rule = "{name: Crashes, query: count of events by name, above: 0, window: 1h, webhook: $HOOK}"
        let scene = try await AlertScene(board: "title: Mine\nalerts:\n  - \(rule)\n")
        try await scene.ingest([AlertScene.crash(at: scene.now)])
        #expect(await scene.changes(of: "Crashes").map(\.change) == [.fired])
        try await scene.restart()
        #expect(await scene.changes(of: "Crashes").isEmpty)
        #expect(await scene.notices.book.notices.count == 1)
        try scene.loseNotices()
        try await scene.restart()
        #expect(await scene.changes(of: "Crashes").map(\.change) == [.fired])
        #expect(await scene.notices.book.notices.count == 1)
        await scene.close()
    }
}
