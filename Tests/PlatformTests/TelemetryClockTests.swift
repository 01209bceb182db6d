import AstrolabePlatform
import Foundation
import Testing

@Suite struct TelemetryClockTests {
    @Test func `the anchored clock never decreases on any thread`() {
        let clock = TelemetryClock.anchored()
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            var last = clock.now
            for _ in 0..<20_000 {
                let now = clock.now
                #expect(now >= last)
                last = now
            }
        }
    }

    @Test func `it returns the time of day`() {
        let before = UInt64(Date().timeIntervalSince1970 * 1e9)
        let now = TelemetryClock.anchored().now
        #expect(now > before &- 5_000_000_000 && now < before &+ 60_000_000_000)
    }

    @Test func `two anchored clocks agree`() {
        let first = TelemetryClock.anchored()
        let second = TelemetryClock.anchored()
        let difference = Int64(bitPattern: second.now &- first.now)
        #expect(abs(difference) < 1_000_000_000)
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
