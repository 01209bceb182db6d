import Testing

@testable import AstrolabeAppHealth

/// Decisions of the hang detector in virtual time.
@Suite struct HangDetectorTests {
    /// Simulates a main thread whose run loop waits unless it hangs, and a watchdog that checks every 50 ms unless the
    /// process is stopped.
    private struct Stage {
        var detector = HangDetector(threshold: 250 * ms)
        var now: UInt64 = 1_000 * ms
        /// The passes of the run loop, and the periods in which the process does not run.
        var passes: [Range<UInt64>] = []
        var stops: [Range<UInt64>] = []
        /// For the next check.
        var waited: UInt64 = 0
        var isDetecting = true
        var found: [UInt64] = []
        var left: [UInt64] = []
        var begun = 0

        mutating func run(until end: UInt64) {
            while now < end {
                now += 50 * ms
                if let stop = stops.first(where: { $0.contains(now) }) { now = stop.upperBound }
                let long = passes.last { $0.upperBound <= now && $0.upperBound - $0.lowerBound >= 250 * ms }
                let observation = HangDetector.Observation(
                    now: now, pass: passes.first { $0.contains(now) }?.lowerBound ?? 0, longPass: long?.lowerBound ?? 0,
                    longPassEnd: long?.upperBound ?? 0, waited: waited, isDetecting: isDetecting)
                waited = 0
                for action in detector.process(observation) {
                    switch action {
                    case .begin: begun += 1
                    case .end(let duration): found.append(duration)
                    case .stop(let duration): left.append(duration)
                    case .none, .ongoing: break
                    }
                }
            }
        }
    }

    @Test func `clocks that cannot be read are harmless`() {
        var detector = HangDetector(threshold: 250 * ms)
        for now in [1_000 * ms, 0, 1_050 * ms, 0, 0, 1_100 * ms] {
            for waited in [0, 5_000 * ms] {
                let observation = HangDetector.Observation(
                    now: now, pass: 900 * ms, longPass: 100 * ms, longPassEnd: 950 * ms, waited: waited,
                    isDetecting: true)
                for action in detector.process(observation) {
                    if case .end(let duration) = action { #expect(duration <= 1_100 * ms) }
                }
            }
        }
    }

    @Test func `a thread that waits for work does not hang`() {
        var stage = Stage()
        stage.run(until: 60_000 * ms)
        #expect(stage.found == [])
        #expect(stage.begun == 0)
    }

    @Test(arguments: [300, 500, 2_000, 10_000])
    func `a hang is detected with its exact duration`(_ length: UInt64) {
        for shift in stride(from: UInt64(0), to: 50, by: 7) {
            var stage = Stage()
            stage.passes = [(2_000 + shift) * ms..<(2_000 + shift + length) * ms]
            stage.run(until: 20_000 * ms)
            #expect(stage.found == [length * ms])
        }
    }

    @Test func `hangs without a pause between them are told apart`() {
        var stage = Stage()
        stage.passes = [2_000 * ms..<2_300 * ms, 2_300 * ms..<2_700 * ms, 2_710 * ms..<3_110 * ms]
        stage.run(until: 10_000 * ms)
        #expect(stage.found == [300 * ms, 400 * ms, 400 * ms])
    }

    /// A pass of 600 ms wakes the watchdog, which looks 650 ms later, after the end of the pass or before it.
    @Test(arguments: [2_600 * ms, 2_660 * ms])
    func `a hang that woke a watchdog without a CPU is detected`(_ end: UInt64) {
        var stage = Stage()
        stage.passes = [2_000 * ms..<end]
        stage.run(until: 1_500 * ms)
        stage.detector.resume(at: 2_000 * ms)
        stage.now = 2_600 * ms
        stage.waited = 650 * ms
        stage.run(until: 5_000 * ms)
        #expect(stage.found == [end - 2_000 * ms])
    }

    /// The watchdog has slept since 1.5 s. The main thread or the watchdog runs first after the stop.
    @Test(arguments: [8_650 * ms, 8_800 * ms])
    func `a stop between the begin of a pass and the check that it caused is no hang`(_ end: UInt64) {
        var stage = Stage()
        stage.passes = [2_000 * ms..<end]
        stage.run(until: 1_500 * ms)
        stage.detector.resume(at: 2_000 * ms)
        stage.now = 8_600 * ms
        stage.run(until: 12_000 * ms)
        #expect(stage.begun == 0)
        #expect(stage.found == [])
    }

    @Test func `a threshold that is not positive is the default, and hangs can be turned off`() {
        var health = HealthConfiguration()
        for wrong in [Duration.zero, .seconds(-1)] {
            health.hangThresholds.hang = wrong
            health.hangThresholds.severe = wrong
            #expect(health.watchedHangs == HangThresholds(), "\(wrong)")
        }
        health.hangThresholds.hang = .seconds(1)
        #expect(health.watchedHangs?.hang == .seconds(1))
        health.watchesHangs = false
        #expect(health.watchedHangs == nil)
    }

    @Test func `a short pass is not a hang`() {
        var stage = Stage()
        stage.passes = [2_000 * ms..<2_180 * ms, 4_000 * ms..<4_249 * ms]
        stage.run(until: 10_000 * ms)
        #expect(stage.found == [])
    }

    @Test func `a stopped process does not hang, however long the stop`() {
        var stage = Stage()
        stage.stops = [2_000 * ms..<5_000 * ms, 6_000 * ms..<3_600_000 * ms]
        stage.passes = [5_990 * ms..<3_600_010 * ms]
        stage.run(until: 3_700_000 * ms)
        #expect(stage.found == [])
        #expect(stage.begun == 0)
    }

    @Test func `stopped time does not count towards a hang`() {
        var stage = Stage()
        stage.passes = [2_000 * ms..<9_000 * ms]
        stage.stops = [3_000 * ms..<8_000 * ms]
        stage.run(until: 20_000 * ms)
        #expect(stage.found.count == 1)
        let found = stage.found.first ?? 0
        #expect(found > 1_900 * ms && found < 2_100 * ms, "\(found)")
    }

    @Test func `hangs are not detected in the background`() {
        var stage = Stage()
        stage.run(until: 2_000 * ms)
        stage.isDetecting = false
        stage.passes = [3_000 * ms..<8_000 * ms]
        stage.run(until: 8_000 * ms)
        stage.isDetecting = true
        stage.run(until: 12_000 * ms)
        #expect(stage.found == [])
    }

    @Test func `a hang during which the app leaves the foreground has not ended`() {
        var stage = Stage()
        stage.passes = [2_000 * ms..<60_000 * ms]
        stage.run(until: 4_000 * ms)
        stage.isDetecting = false
        stage.run(until: 5_000 * ms)
        #expect(stage.begun == 1)
        #expect(stage.found == [])
        #expect(stage.left == [2_050 * ms])
        stage.isDetecting = true
        stage.run(until: 70_000 * ms)
        #expect(stage.found == [] && stage.left.count == 1, "the pass was under way when the app returned")
    }

    @Test func `a hang that ended before the app left the foreground has ended`() {
        var stage = Stage()
        stage.passes = [2_000 * ms..<2_990 * ms]
        stage.run(until: 2_950 * ms)
        #expect(stage.begun == 1)
        stage.isDetecting = false
        stage.run(until: 3_000 * ms)
        #expect(stage.left == [])
        #expect(stage.found == [990 * ms])
    }

    @Test func `work that was under way when the app became active is part of its start`() {
        var stage = Stage()
        stage.isDetecting = false
        stage.passes = [500 * ms..<3_000 * ms, 3_000 * ms..<3_400 * ms]
        stage.run(until: 2_000 * ms)
        stage.isDetecting = true
        stage.run(until: 10_000 * ms)
        #expect(stage.begun == 1)
        #expect(stage.found == [400 * ms])
    }

    @Test(arguments: [1, 32, 33, 100, 1_000])
    func `samples are spread over the whole hang`(_ checks: Int) {
        var sampling = HangSampling(places: 32, interval: 50 * ms)
        var times: [UInt64] = []
        for check in 0..<checks {
            let time = UInt64(check) * 50 * ms
            switch sampling.process(time) {
            case .wait: break
            case .take(let place):
                #expect(place == times.count)
                times.append(time)
            case .thinOut(let place):
                times = times.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
                #expect(place == times.count)
                times.append(time)
            }
        }
        #expect(times.count == sampling.count)
        #expect(times.count <= 32 && times.count >= min(checks, 16))
        let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(gaps.allSatisfy { $0 == sampling.interval }, "\(gaps)")
    }
}

private let ms: UInt64 = 1_000_000
