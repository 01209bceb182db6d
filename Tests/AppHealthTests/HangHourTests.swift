import AstrolabeSeededRandomness
import AstrolabeTestSupport
import Testing

@testable import AstrolabeAppHealth

/// An hour of a phone in virtual time. The process is stopped, the device sleeps, the app enters and leaves the
/// background, a debugger attaches, and the watchdog sleeps until a pass begins and wakes late.
@Suite struct HangHourTests {
    /// The system reports waiting times for the even seeds.
    @Test(arguments: 1...UInt64(Thoroughness.count(2, thorough: 12)))
    func `an hour without a hang reports none`(_ seed: UInt64) {
        var phone = VirtualPhone(seed: seed)
        phone.run(for: 3_600_000 * ms)
        #expect(phone.begun == 0)
        #expect(phone.found == [])
        // The contents of the hour.
        #expect(phone.stops > 200 && phone.sleeps > 200, "\(phone.stops) stops, \(phone.sleeps) sleeps")
        #expect(phone.stopsBeforeWake > 50, "\(phone.stopsBeforeWake) stops of a process whose watchdog was woken")
        #expect(phone.trips > 20 && phone.passes > 5_000, "\(phone.trips) trips, \(phone.passes) passes")
    }

    @Test(arguments: 1...UInt64(Thoroughness.count(4, thorough: 12)))
    func `the one hang in such an hour is detected`(_ seed: UInt64) throws {
        var phone = VirtualPhone(seed: seed)
        phone.run(for: phone.random(100_000, 1_000_000) * ms)
        phone.comeBack()
        let length = phone.random(300, 5_000) * ms
        phone.hang(for: length)
        phone.run(for: 300_000 * ms)
        try #require(phone.found.count == 1)
        let found = phone.found[0]
        #expect(found + 60 * ms >= length && found <= length + 60 * ms, "\(found / ms) of \(length / ms) ms")
    }
}

private let ms: UInt64 = 1_000_000

/// A main thread, a watchdog and their environment, in steps of 5 ms in which the process runs.
private struct VirtualPhone {
    private var generator: SeededGenerator
    private var detector = HangDetector(interval: HangWatchdog.interval, threshold: 250 * ms)
    private var pace = WatchPace()
    /// True while the watchdog sleeps until a pass begins, and whether one would wake it.
    private var isAsleep = false
    private var isAwaiting = false
    /// When it was woken; `nil` if that is now.
    private var wokenAt: UInt64?
    /// Nanoseconds since boot.
    private var now: UInt64 = 5_000_000 * ms
    private var nextCheck: UInt64 = 0
    /// The watchdog's remaining and elapsed waiting time for a CPU, and whether the system reports it.
    private var late: UInt64 = 0
    private var waited: UInt64 = 0
    private let tellsWaiting: Bool
    /// When the pass under way began, for how many nanoseconds it must still run, and the last long one.
    private var pass: UInt64 = 0
    private var work: UInt64 = 0
    private var long: (began: UInt64, end: UInt64) = (0, 0)
    private var isDetecting = true
    private var isInForeground = true
    private var detectsAgainAt: UInt64 = 0

    private(set) var found: [UInt64] = []
    private(set) var begun = 0
    private(set) var stops = 0
    /// Those after a pass began and before the watchdog that it woke has run.
    private(set) var stopsBeforeWake = 0
    private(set) var sleeps = 0
    private(set) var trips = 0
    private(set) var passes = 0

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        tellsWaiting = seed.isMultiple(of: 2)
    }

    mutating func random(_ least: UInt64, _ most: UInt64) -> UInt64 {
        UInt64.random(in: least...most, using: &generator)
    }

    private mutating func happens(onceIn times: UInt64) -> Bool { random(1, times) == 1 }

    mutating func run(for duration: UInt64) {
        let end = now + duration
        while now < end {
            step()
            // On average a stop every 4 s, and a background period or a debugger every 30 s.
            if happens(onceIn: 800) { stop() }
            if isAwaiting, happens(onceIn: 100) { stopBeforeWake() }
            if isDetecting, happens(onceIn: 6_000) { leave() }
        }
    }

    /// Returns to the foreground for four undisturbed seconds.
    mutating func comeBack() {
        detectAgain()
        for _ in 0..<800 { step(isCalm: true) }
    }

    mutating func hang(for duration: UInt64) {
        endPass()
        beginPass(duration)
        while pass != 0 { step(isCalm: true) }
        for _ in 0..<100 { step(isCalm: true) }
    }

    private mutating func step(isCalm: Bool = false) {
        now += 5 * ms
        if !isDetecting, now >= detectsAgainAt { detectAgain() }
        // After a stop, either of the two may run first.
        let isWatchdogFirst = happens(onceIn: 2)
        if isWatchdogFirst { check(isCalm) }
        work -= min(work, 5 * ms)
        if pass != 0, work == 0 { endPass() }
        if pass == 0, happens(onceIn: 10) {
            beginPass(!isCalm && happens(onceIn: 20) ? random(10, 80) * ms : random(1, 10) * ms)
        }
        if !isWatchdogFirst { check(isCalm) }
    }

    private mutating func beginPass(_ duration: UInt64) {
        passes += 1
        (pass, work) = (now, duration)
        if isAwaiting { wake() }
    }

    private mutating func wake() { (nextCheck, isAwaiting, wokenAt) = (now, false, now) }

    /// Returning to the foreground wakes the watchdog, and the end of a debugger does not.
    private mutating func detectAgain() {
        isDetecting = true
        if !isInForeground { wake() }
        isInForeground = true
    }

    private mutating func endPass() {
        if pass != 0, now - pass >= detector.threshold { long = (pass, now) }
        (pass, work) = (0, 0)
    }

    private mutating func check(_ isCalm: Bool) {
        guard now >= nextCheck else { return }
        guard late < 5 * ms else {
            late -= 5 * ms
            waited += 5 * ms
            return
        }
        defer { waited = 0 }
        if isAsleep { detector.resume(at: wokenAt ?? now) }
        wokenAt = nil
        late = isCalm ? random(0, 5) * ms : lateness
        if isAsleep { pace.wake(isNeeded: !isAwaiting) }
        let next = pace.check(passes: UInt64(passes), isInPass: pass != 0)
        isAsleep = !isDetecting || next == .whenNeeded
        isAwaiting = isAsleep && isInForeground
        // In the background it sleeps until the return.
        nextCheck = now + (isAsleep ? isInForeground ? 60_000 * ms : 3_600_000 * ms : HangWatchdog.interval)
        let observation = HangDetector.Observation(
            now: now, pass: pass, longPass: long.began, longPassEnd: long.end, waited: tellsWaiting ? waited : 0,
            isDetecting: isDetecting)
        for action in detector.process(observation) {
            switch action {
            case .begin: begun += 1
            case .end(let duration), .stop(let duration): found.append(duration)
            case .none, .ongoing: break
            }
        }
    }

    /// The delay of the watchdog's wake-up because other threads run.
    private var lateness: UInt64 {
        mutating get {
            if happens(onceIn: 100) { return random(100, 3_000) * ms }
            return happens(onceIn: 10) ? random(5, 100) * ms : random(0, 5) * ms
        }
    }

    /// Stops the process for milliseconds to minutes; in half of the cases again before it has recovered.
    private mutating func stop() {
        repeat {
            let most: UInt64 = happens(onceIn: 100) ? 300_000 : happens(onceIn: 10) ? 10_000 : 1_000
            let length = random(5, most) * ms
            now += length
            if happens(onceIn: 2) {
                // The device slept, so timers stood still.
                nextCheck += length
                sleeps += 1
            } else {
                stops += 1
            }
            for _ in 0..<random(1, 10) { step() }
        } while happens(onceIn: 2)
    }

    /// Stops the process between the begin of a pass and the check of the watchdog that it woke.
    private mutating func stopBeforeWake() {
        stopsBeforeWake += 1
        endPass()
        beginPass(random(1, 80) * ms)
        now += random(5, 10_000) * ms
        // The pass may end first.
        if happens(onceIn: 2) { endPass() }
        for _ in 0..<random(1, 10) { step() }
    }

    /// Suspends detection for some time, in which the main thread may hang.
    private mutating func leave() {
        trips += 1
        isDetecting = false
        isInForeground = happens(onceIn: 2)
        detectsAgainAt = now + random(100, 10_000) * ms
        // The app checks immediately when detection is suspended.
        (nextCheck, late, isAwaiting) = (now, 0, false)
        check(true)
        guard happens(onceIn: 2) else { return }
        let end = min(now + random(300, 5_000) * ms, detectsAgainAt - min(detectsAgainAt, 100 * ms))
        if end > now { hang(for: end - now) }
        for _ in 0..<20 { step(isCalm: true) }
    }
}
