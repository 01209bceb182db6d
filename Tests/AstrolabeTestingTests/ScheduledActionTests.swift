import AstrolabePlatform
import AstrolabeTesting
import Testing

struct ScheduledActionTests {
    private let clock = TestClock()
    private let log = Locked<[String]>([])

    private func write(_ note: String) { log.withLock { $0.append("\(note) at \(clock.now.offset)") } }

    private func schedule(_ note: String, at seconds: Int) -> ScheduledAction {
        clock.schedule(at: TestClock.Instant(offset: .seconds(seconds))) { [self] in write(note) }
    }

    @Test func `actions run while the clock moves, in order, each at its own moment`() {
        _ = schedule("second", at: 20)
        _ = schedule("first", at: 10)
        _ = schedule("third", at: 20)
        clock.advance(by: .seconds(19))
        #expect(log.withLock { $0 } == ["first at 10.0 seconds"])
        clock.advance(by: .seconds(100))
        #expect(
            log.withLock { $0 }
                == ["first at 10.0 seconds", "second at 20.0 seconds", "third at 20.0 seconds"]
        )
        #expect(clock.now.offset == .seconds(119))
    }

    @Test func `an action that is cancelled does not run`() {
        let first = schedule("first", at: 10)
        let second = schedule("second", at: 10)
        first.cancel()
        clock.advance(by: .seconds(10))
        second.cancel()
        #expect(log.withLock { $0 } == ["second at 10.0 seconds"])
    }

    @Test func `an action whose moment has passed runs at once`() {
        clock.advance(by: .seconds(10))
        _ = schedule("now", at: 10)
        #expect(log.withLock { $0 } == ["now at 10.0 seconds"])
        #expect(clock.nextDeadline == nil)
    }

    @Test func `an action may schedule others and move the clock`() {
        clock.schedule(at: TestClock.Instant(offset: .seconds(1))) { [self] in
            _ = schedule("between", at: 2)
            _ = schedule("far", at: 60)
            clock.advance(by: .seconds(3))
            write("back")
        }
        clock.advance(by: .seconds(5))
        #expect(log.withLock { $0 } == ["between at 2.0 seconds", "back at 4.0 seconds"])
        #expect(clock.now.offset == .seconds(5))
    }
}
