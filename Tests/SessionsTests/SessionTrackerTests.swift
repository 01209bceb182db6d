import AstrolabePlatform
import AstrolabeTestSupport
import Dispatch
import Foundation
import Testing

@testable import AstrolabeSessions

private let second: UInt64 = 1_000_000_000

/// A tracker with a real file and a time set by the test.
private struct Phone {
    let file = URL(fileURLWithPath: TestFolders.path("session") + ".json")
    let time = Locked<UInt64>(1_800_000_000 * second)
    let announced = Locked<[SessionAction]>([])

    func launch() -> SessionTracker {
        let tracker = SessionTracker(
            storage: .file(file),
            now: { time.withLock { SessionTime(wall: $0, steady: $0, boot: "boot") } },
            makeID: { UUID().uuidString.lowercased() },
            onChange: { action in
                if case .became = action { return }
                announced.withLock { $0.append(action) }
            })
        tracker.launch()
        return tracker
    }

    func pass(seconds: UInt64) { time.withLock { $0 += seconds * second } }
}

@Suite struct `The session across restarts` {
    @Test func `a restart within the limits keeps the id`() {
        let phone = Phone()
        let first = phone.launch().current?.id
        phone.pass(seconds: 600)
        #expect(phone.launch().current?.id == first)
    }

    @Test func `reading the session does not keep it alive`() {
        let phone = Phone()
        let tracker = phone.launch()
        let first = tracker.current?.id
        for _ in 0..<30 {
            phone.pass(seconds: 60)
            #expect(tracker.current?.id == first)
        }
        tracker.recordActivity()
        #expect(tracker.current?.id != first)
        #expect(tracker.current?.previousID == first)
    }

    @Test func `a session that is forgotten while it is stored leaves no file`() {
        let phone = Phone()
        let current = Locked<SessionTracker?>(nil)
        let files = Locked<[String]>([])
        let storage = SessionStorage(
            load: { nil },
            save: { session in
                // A refusal deletes all files before this one is written.
                current.withLock { $0 }?.forget()
                files.withLock { $0.append(session.id) }
            },
            remove: { files.withLock { $0 = [] } })
        let tracker = SessionTracker(
            storage: storage, now: { phone.time.withLock { SessionTime(wall: $0, steady: $0, boot: "boot") } },
            makeID: { UUID().uuidString.lowercased() }, onChange: { _ in })
        current.withLock { $0 = tracker }
        tracker.launch()
        tracker.enterBackground()
        tracker.recordActivity()
        #expect(files.withLock { $0 }.isEmpty && tracker.current == nil)
        current.withLock { $0 = nil }
    }

    @Test func `the end is announced before the next start`() {
        let phone = Phone()
        let tracker = phone.launch()
        tracker.reset()
        let kinds = phone.announced.withLock { actions in
            actions.map { if case .ended = $0 { "end" } else { "start" } }
        }
        #expect(kinds == ["start", "end", "start"])
    }

    @Test func `two concurrent resets keep the later session, and announce each end and start in order`() {
        let entered = DispatchSemaphore(value: 0)
        let told = Locked<[SessionAction]>([])
        let left = Locked<(@Sendable () -> Void)?>(nil)
        let tracker = SessionTracker(
            storage: .none, now: { SessionTime(wall: 1, steady: 1, boot: "") }, makeID: { UUID().uuidString },
            onChange: { action in
                if case .became = action { return }
                if case .ended = action,
                    let other = left.withLock({ other in
                        defer { other = nil }
                        return other
                    })
                {
                    DispatchQueue.global().async {
                        other()
                        entered.signal()
                    }
                    entered.wait()
                }
                told.withLock { $0.append(action) }
            })
        tracker.launch()
        left.withLock { $0 = { [weak tracker] in _ = tracker?.reset() } }
        tracker.reset()
        let actions = told.withLock { $0 }
        #expect(
            actions.map { if case .ended = $0 { "end" } else { "start" } } == ["start", "end", "start", "end", "start"])
        guard case .started(let last, .reset)? = actions.last else {
            Issue.record("expected a start at the end")
            return
        }
        #expect(last == tracker.current)
    }

    @Test(arguments: ["", "{\"id\": 7", "1\n", "1\nid\n\n1\n1\n1\n1\nmany\n0\n1\n1\nboot\n"])
    func `a damaged file begins a new session`(_ text: String) throws {
        let phone = Phone()
        _ = phone.launch()
        try Data(text.utf8).write(to: phone.file)
        #expect(phone.launch().current?.previousID == nil)
    }

    @Test func `a read-only folder still gives a session`() {
        let tracker = SessionTracker(
            storage: .file(URL(fileURLWithPath: "/proc/no-such-folder/session.json")),
            now: { SessionTime(wall: 1, steady: 1, boot: "") },
            makeID: { "only" }, onChange: { _ in })
        tracker.launch()
        #expect(tracker.current?.id == "only")
    }
}
