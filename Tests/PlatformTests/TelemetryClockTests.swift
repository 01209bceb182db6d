import AstrolabePlatform
import Foundation
import Testing

@Suite struct TelemetryClockTests {
    @Test func `the anchored clock never decreases on any thread`() {
        let clock = TelemetryClock.anchored()
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            let times = (0..<20_000).map { _ in clock.now }
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
        }
    }

    @Test func `it returns the time of day`() {
        let tolerance: UInt64 = 5_000_000_000
        let before = SystemTime.wall
        let now = TelemetryClock.anchored().now
        let after = SystemTime.wall
        #expect((before - tolerance...after + tolerance).contains(now))
    }

    @Test func `two anchored clocks agree`() {
        let first = TelemetryClock.anchored()
        let second = TelemetryClock.anchored()
        let tolerance: UInt64 = 1_000_000_000
        let before = first.now
        let between = second.now
        let after = first.now
        #expect((before - tolerance...after + tolerance).contains(between))
    }

    @Test func `a custom clock is read each time`() {
        let time = Locked<UInt64>(0)
        let clock = TelemetryClock {
            time.withLock {
                $0 += 7
                return $0
            }
        }
        #expect([clock.now, clock.now, clock.now] == [7, 14, 21])
    }
}
