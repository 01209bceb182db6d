import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeAppHealth

/// Late frames by screen and threshold.
@Suite struct FrameTests {
    private let home = JankCounter.Screen(name: "Home", id: "home")
    private let cart = JankCounter.Screen(name: "Cart", id: "cart")
    private let interval: UInt64 = 16_666_667

    @Test func `a monitor that measures no frames calls what waits for the first one`() {
        let monitor = FrameMonitor()
        let frames = Locked(0)
        monitor.observe { frames.withLock { $0 += 1 } }
        monitor.record(began: .zero, promised: .milliseconds(16), ended: .milliseconds(900))
        #expect(frames.withLock { $0 } == 1)
    }

    @Test func `the display link pauses when nothing moves, and the work that ends the pause is a frame`() {
        var pace = DisplayRefreshRate()
        var now = 10.0
        for _ in 0..<100 {
            #expect(pace.pass(from: now, to: now + 0.004) == .none)
            #expect(pace.tick(interval: 1.0 / 60) == .none)
            now += 1.0 / 60
        }
        var ticks = 0
        while pace.tick(interval: 1.0 / 60) == .none, ticks < 1_000 {
            #expect(pace.pass(from: now, to: now + 0.000_05) == .none)
            ticks += 1
            now += 1.0 / 60
        }
        #expect(ticks + 1 == DisplayRefreshRate.idleFrames)
        #expect(pace.pass(from: now, to: now + 0.000_1) == .none)
        guard case .resume(let frame) = pace.pass(from: now, to: now + 0.08) else {
            Issue.record("the pause did not end")
            return
        }
        var tally = JankCounter()
        _ = tally.add(
            duration: nanoseconds(frame.ended - frame.began), promised: nanoseconds(frame.promised - frame.began),
            on: home, at: 1_000 * ms)
        #expect(tally.close(at: 1_000 * ms).map(\.late) == [1])
        #expect(pace.tick(interval: 1.0 / 60) == .none)
    }

    @Test func `frames on time are not reported`() {
        var tally = JankCounter()
        for number in 1...1_000 as ClosedRange<UInt64> {
            let reports = tally.add(duration: 9 * ms, promised: interval, on: home, at: number * interval)
            #expect(reports == [])
        }
        #expect(tally.close(at: 1_001 * interval) == [])
    }

    @Test func `slow and frozen frames are reported when their screen ends`() {
        var tally = JankCounter()
        let frames: [UInt64] = [10, 20, 16, 18, 800, 5]
        var now: UInt64 = 1_000 * ms
        for frame in frames {
            now += frame * ms
            #expect(tally.add(duration: frame * ms, promised: interval, on: home, at: now) == [])
        }
        let reports = tally.add(duration: 4 * ms, promised: interval, on: cart, at: now + 4 * ms)
        #expect(reports.map(\.late) == [3, 1])
        #expect(reports.map(\.threshold) == [16_700_000, 700_000_000])
        #expect(reports.allSatisfy { $0.screen == home && $0.frames == 6 && $0.longest == 800 * ms })
        #expect(reports.allSatisfy { $0.period == 873 * ms })
        #expect(tally.close(at: now + 5 * ms) == [])
    }

    @Test func `a frame with a later deadline is not late`() {
        var tally = JankCounter()
        _ = tally.add(duration: 30 * ms, promised: 33 * ms, on: home, at: 100 * ms)
        #expect(!tally.isLate)
        _ = tally.add(duration: 35 * ms, promised: 33 * ms, on: home, at: 200 * ms)
        #expect(tally.close(at: 200 * ms).map(\.late) == [1])
    }

    @Test(arguments: [30.0, 40, 48, 50, 60, 120])
    func `frames exactly on time are not late at any rate`(_ rate: Double) {
        var deadlines = FrameDeadline()
        var tally = JankCounter()
        var frames = 0
        for number in 0..<2_000 {
            let frame = deadlines.call(at: Double(number) / rate, target: Double(number + 1) / rate)
            guard let frame else { continue }
            frames += 1
            let ended = nanoseconds(frame.ended)
            let began = nanoseconds(frame.began)
            let reports = tally.add(
                duration: ended - began, promised: nanoseconds(frame.promised) - began, on: home, at: ended)
            #expect(reports == [])
            #expect(!tally.isLate, "\(frame)")
        }
        #expect(frames == 1_999)
    }

    @Test func `a frame that misses its deadline is late at any rate`() {
        for rate in [30.0, 40, 48, 50, 60] {
            var deadlines = FrameDeadline()
            var tally = JankCounter()
            #expect(deadlines.call(at: 1, target: 1 + 1 / rate) == nil)
            // It was shown one frame later than due.
            guard let frame = deadlines.call(at: 1 + 2 / rate, target: 1 + 3 / rate) else { continue }
            let began = nanoseconds(frame.began)
            _ = tally.add(
                duration: nanoseconds(frame.ended) - began, promised: nanoseconds(frame.promised) - began, on: home,
                at: nanoseconds(frame.ended))
            #expect(tally.isLate, "\(rate)")
        }
    }

    private func nanoseconds(_ duration: Duration) -> UInt64 { UInt64(duration / .nanoseconds(1)) }

    @Test func `a period ends after ten seconds`() {
        var tally = JankCounter()
        var reports: [JankCounter.Report] = []
        for second in 1...25 as ClosedRange<UInt64> {
            reports += tally.add(duration: 50 * ms, promised: interval, on: home, at: second * 1_000 * ms)
        }
        reports += tally.close(at: 25_000 * ms)
        #expect(reports.map(\.late).reduce(0, +) == 25)
        #expect(reports.count == 3)
        #expect(reports.allSatisfy { $0.period <= JankCounter.periodLimit })
    }

    @Test func `only starts that the user waited for count`() {
        var tracker = LaunchTracker(process: 1_000 * ms)
        tracker.finishStart(begunAt: 1_200 * ms, at: 1_203 * ms)
        tracker.move(to: .active, at: 1_250 * ms)
        let cold = LaunchTracker.Launch.cold(
            process: 1_000 * ms, sdk: 1_200 * ms, started: 1_203 * ms, firstFrame: 1_400 * ms)
        #expect(tracker.showFrame(at: 1_400 * ms) == cold)
        #expect(tracker.showFrame(at: 1_420 * ms) == nil)
        tracker.move(to: .inactive, at: 2_000 * ms)
        #expect(tracker.showFrame(at: 2_010 * ms) == nil)
        tracker.move(to: .background, at: 2_100 * ms)
        #expect(tracker.showFrame(at: 2_110 * ms) == nil)
        tracker.move(to: .inactive, at: 9_000 * ms)
        tracker.move(to: .active, at: 9_050 * ms)
        #expect(tracker.showFrame(at: 9_060 * ms) == .warm(returned: 9_000 * ms, firstFrame: 9_060 * ms))
        #expect(tracker.showFrame(at: 9_070 * ms) == nil)
    }

    @Test(arguments: [30_000, 7_200_000])
    func `the launch of a prewarmed process counts from the app's own launch`(pause: UInt64) {
        // The SDK starts in `main`, which a prewarmed process runs long before the tap.
        var tracker = LaunchTracker(process: 1_000 * ms, prewarming: "1")
        tracker.finishStart(begunAt: 1_200 * ms, at: 1_203 * ms)
        let tap = (1_203 + pause) * ms
        tracker.finishLaunching(at: tap)
        tracker.move(to: .active, at: tap + 50 * ms)
        #expect(tracker.showFrame(at: tap + 200 * ms) == .prewarmed(launched: tap, firstFrame: tap + 200 * ms))
        #expect(tracker.showFrame(at: tap + 216 * ms) == nil)

        // A start after the app's launch has no known beginning.
        var late = LaunchTracker(process: 1_000 * ms, prewarming: "1")
        late.finishStart(begunAt: tap, at: tap + 3 * ms)
        #expect(late.showFrame(at: tap + 200 * ms) == nil)

        // Without prewarming, nobody waits for hours.
        var other = LaunchTracker(process: 1_000 * ms, prewarming: "0")
        other.finishStart(begunAt: 7_200_000 * ms, at: 7_200_003 * ms)
        #expect(other.showFrame(at: 7_200_200 * ms) == nil)
    }

    @Test func `a start in the background does not count`() {
        var tracker = LaunchTracker(process: 1_000 * ms)
        tracker.finishStart(begunAt: 1_200 * ms, at: 1_203 * ms)
        tracker.move(to: .background, at: 1_250 * ms)
        #expect(tracker.showFrame(at: 1_400 * ms) == nil)
    }
}

private let ms: UInt64 = 1_000_000
