import AstrolabeAppHealth
import AstrolabeSeededRandomness
import AstrolabeSemantics
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Foundation
import Testing

/// Main threads that really hang; how long they did is what they say themselves.
///
/// What the detector decides is tested in virtual time: `HangDetectorTests` and `HangHourTests` of the SDK.
@Suite(.timeLimit(.minutes(10))) struct HangTests {
    /// Seconds by which a duration may be wrong, for what the test itself does in the pass of the run loop.
    private static func tolerance(_ truth: Double) -> Double { max(truth * 0.1, 0.03) }

    /// Seconds by which the duration of a single hang may be wrong. A thread that does not run for a while cannot tell
    /// a busy machine from a stopped process, and another thread of the app has measured how long that was.
    private static func tolerance(_ truth: CrashingApp.TrueHang) -> Double {
        tolerance(truth.duration) + truth.disturbance
    }

    @Test func `a hang is told with its duration, its stack and the screen of its beginning`() throws {
        let app = try CrashingApp()
        try app.run("hang-of-1500")
        let truth = try #require(app.trueHangs.first)
        let hang = try app.events.hang(truth)
        let duration = hang["astrolabe.hang.duration"]?.doubleValue ?? 0
        #expect(truth.error(of: duration) < Self.tolerance(truth), "\(duration) of \(truth)")
        #expect(hang.text("astrolabe.hang.severity") == (duration < 2 ? "hang" : "severe"))
        #expect(hang.severityNumber == (duration < 2 ? Severity.warn : .error).rawValue)
        #expect(hang["astrolabe.hang.has_ended"]?.boolValue == true)
        #expect(hang.text("session.id") == app.note("session"))
        #expect(hang.text("app.screen.name") == "ProductDetail")
        #expect(hang.text("app.build_id").count == 40)
        let samples = hang["astrolabe.hang.samples"]?.list ?? []
        #expect(samples.count > 1, "how many depends on the machine")
        for sample in [samples.first, samples.last].compactMap(\.self) {
            let functions = try Symbols.functions(of: sample, in: hang)
            #expect(functions.contains { $0.contains("HealthFixture") }, "\(functions)")
        }
        #expect(app.note("span") == "\(hang.traceID) \(hang.spanID)")
    }

    @Test func `a hang that never ended is told at the next start, and so is that it ended the run`() throws {
        let app = try CrashingApp()
        try app.run("hang-until-killed")
        let end = Date().timeIntervalSince1970
        let truth = try #require(app.trueHangs.first)
        let events = try app.report()
        let hang = try events.hang(truth)
        #expect(hang["astrolabe.hang.has_ended"]?.boolValue == false)
        #expect(hang.text("astrolabe.hang.severity") == "severe")
        // It was last seen at the last look before the kill.
        let duration = hang["astrolabe.hang.duration"]?.doubleValue ?? 0
        #expect(duration > 2 && duration > truth.duration - Self.tolerance(truth), "\(duration) of \(truth)")
        #expect(Double(hang.timeUnixNano) / 1e9 + duration < end, "\(duration) of \(truth)")
        #expect(hang.text("session.id") == app.note("session"))
        #expect(hang["astrolabe.hang.samples"]?.list.isEmpty == false)
        let ends = events.named(EventName.runEnd)
        #expect(ends.map { $0.text("astrolabe.run.end.reason") } == ["hang"])
        #expect(ends.map { $0.text("session.id") } == [app.note("session")])
    }

    @Test func `a launch that blocks the main thread is a slow start and no hang`() throws {
        let app = try CrashingApp()
        try app.run("hang-at-launch")
        let truth = try #require(app.trueHangs.first)
        #expect(truth.duration > 1)
        #expect(app.events.named(EventName.hang).filter { truth.isTold(by: $0) } == [])
    }

    @Test func `an idle app wakes the watchdog at most once in three seconds, and never in the background`() throws {
        let app = try CrashingApp()
        try app.run("idle")
        let wakeUps = app.note("wake-ups").split(separator: " ").compactMap { Int($0) }
        try #require(wakeUps.count == 2)
        #expect(wakeUps[0] <= 1)
        #expect(wakeUps[1] == 0)
    }

    @Test(.enabled(if: Thoroughness.isThorough, "a minute in front and one in the background; run with --thorough"))
    func `an idle app is woken less than five times a minute in front, and at most twice in the background`() throws {
        let app = try CrashingApp()
        try app.run("idle", environment: ["FIXTURE_IDLE_SECONDS": "60"])
        let wakeUps = app.note("wake-ups").split(separator: " ").compactMap { Int($0) }
        try #require(wakeUps.count == 2)
        print("wake-ups of an idle app in a minute: \(wakeUps[0]) in front, \(wakeUps[1]) in the background")
        #expect(wakeUps[0] < 5)
        #expect(wakeUps[1] <= 2)
    }

    /// The app's limit is three, and it hangs six times.
    @Test func `a session that hangs all the time records as many hangs as its limit, by default twenty`() throws {
        let app = try CrashingApp()
        try app.run("hang-all-the-time")
        #expect(Set(app.events.named(EventName.hang).map { $0.text(AttributeKey.logRecordUID) }).count == 3)
        #expect(HealthConfiguration().hangsPerSession == 20)
    }

    @Test func `a hang that the person leaves behind has not ended`() throws {
        let app = try CrashingApp()
        try app.run("hang-into-background")
        let truth = try #require(app.trueHangs.first)
        let hang = try app.events.hang(truth)
        #expect(hang["astrolabe.hang.has_ended"]?.boolValue == false)
        // It was watched until the app was left after 0.6 s, or later on a busy machine.
        let duration = hang["astrolabe.hang.duration"]?.doubleValue ?? 0
        #expect(duration > 0.4 - truth.disturbance, "\(duration) of \(truth)")
    }

    @Test func `a hang that is over right before the shutdown is told`() throws {
        let app = try CrashingApp()
        try app.run("hang-before-shutdown")
        let truth = try #require(app.trueHangs.first)
        let hang = try app.events.hang(truth)
        #expect(hang["astrolabe.hang.has_ended"]?.boolValue == true)
        let duration = hang["astrolabe.hang.duration"]?.doubleValue ?? 0
        #expect(truth.error(of: duration) < 0.15 + truth.disturbance, "\(duration) of \(truth)")
        _ = try app.report().hang(truth)
    }

    @Test(.enabled(if: Thoroughness.isThorough, "runs with ./astrolabe test --thorough"))
    func `of a hundred hangs of 300 ms at least 95 are told with their durations`() throws {
        let app = try CrashingApp()
        try app.run("many-hangs")
        // What a thread sees of a machine that does not run it at once is not what it would have seen.
        let truths = app.trueHangs.filter { $0.disturbance == 0 }
        try #require(truths.count >= 10, "the machine is too busy to tell")
        print("\(app.trueHangs.count - truths.count) more were disturbed by a busy machine")
        expectTold(truths, app)
    }

    @Test(.enabled(if: Thoroughness.isThorough, "runs with ./astrolabe test --thorough"))
    func `under full load, of a hundred hangs of 300 ms at least 95 are told with their durations`() throws {
        let app = try CrashingApp()
        var spinning: [Process] = []
        defer { for process in spinning { process.terminate() } }
        for _ in 0..<2 * ProcessInfo.processInfo.activeProcessorCount { spinning.append(try app.start("spin")) }
        try app.run("many-hangs-under-load")
        #expect(spinning.allSatisfy { $0.isRunning })
        // None is left out, however late the machine ran the threads.
        let truths = app.trueHangs
        #expect(truths.count == 100)
        print("under full load, \(truths.count { $0.disturbance > 0 }) with threads that had to wait for a processor:")
        expectTold(truths, app)
    }

    /// Expects 95 of 100 hangs with their durations, and no hang that was none.
    private func expectTold(_ truths: [CrashingApp.TrueHang], _ app: CrashingApp) {
        let told = app.events.named(EventName.hang).map { hang in
            (
                began: Double(hang.timeUnixNano) / 1e9,
                duration: hang["astrolabe.hang.duration"]?.doubleValue ?? 0,
            )
        }
        var errors: [Double] = []
        var differences: [Double] = []
        var exact = 0
        for truth in truths {
            let found = told.filter { $0.began > truth.began - truth.late - 0.1 && $0.began < truth.began + 0.1 }
            guard found.count == 1 else { continue }
            let error = truth.error(of: found[0].duration)
            errors.append(error * 1_000)
            differences.append(abs(found[0].duration - truth.duration) * 1_000)
            if error <= Self.tolerance(truth.duration) { exact += 1 }
        }
        let mean = errors.reduce(0, +) / Double(max(errors.count, 1))
        print("hangs of 300 ms: \(errors.count) of \(truths.count) found, \(exact) within 30 ms or 10 %,")
        print("    wrong by \(Int(mean)) ms in the mean and \(Int(errors.max() ?? 0)) ms at most,")
        print(
            "    by \(Int(differences.max() ?? 0)) ms at most if the main thread's wait before each hang is not part of it"
        )
        #expect(exact * 100 >= truths.count * 95)
        #expect(told.count <= app.trueHangs.count)
    }

    @Test func `a process that is stopped and goes on does not hang`() async throws {
        let app = try CrashingApp()
        let process = try app.start("wait")
        try await eventually("the app has started") { !app.note("session").isEmpty }
        var stops: [CrashingApp.TrueHang] = []
        for _ in 0..<Thoroughness.count(2, thorough: 4) {
            RealTime.pass(microseconds: 300_000)
            let began = Date().timeIntervalSince1970
            kill(process.processIdentifier, SIGSTOP)
            RealTime.pass(microseconds: 700_000)
            kill(process.processIdentifier, SIGCONT)
            let duration = Date().timeIntervalSince1970 - began
            stops.append(CrashingApp.TrueHang(began: began, duration: duration, late: 0, disturbance: 0))
        }
        RealTime.pass(microseconds: 500_000)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        let told = try app.report().named(EventName.hang)
        for stop in stops { #expect(told.filter { stop.isTold(by: $0) } == []) }
    }

    @Test(.enabled(if: Thoroughness.isThorough, "runs with ./astrolabe test --thorough"))
    func `stops and trips into the background at random moments are no hangs`() async throws {
        let (app, stops) = try await stopAtRandom("flicker")
        #expect(app.events.named(EventName.hang) == [])
        #expect(stops > 2)
    }

    @Test(.enabled(if: Thoroughness.isThorough, "runs with ./astrolabe test --thorough"))
    func `among stops and trips into the background the one hang is found`() async throws {
        let (app, stops) = try await stopAtRandom("flicker-and-hang")
        let truth = try #require(app.trueHangs.first)
        let duration = try app.events.hang(truth)["astrolabe.hang.duration"]?.doubleValue ?? 0
        #expect(truth.error(of: duration) < 0.15 + truth.disturbance, "\(duration) of \(truth)")
        #expect(app.events.named(EventName.hang).count == 1)
        #expect(stops > 1)
    }

    /// Stops the process again and again, for up to 0.9 s, unless it asks for a truce; gives the number of stops.
    private func stopAtRandom(_ ending: String) async throws -> (app: CrashingApp, stops: Int) {
        let seed = UInt64.random(in: 0...999_999)
        print("the seed of \(ending) is \(seed)")
        var chance = SeededGenerator(seed: seed)
        let app = try CrashingApp()
        let process = try app.start(ending, environment: ["FIXTURE_SEED": String(seed)])
        try await eventually("the app has started") { !app.note("session").isEmpty }
        var stops = 0
        while process.isRunning {
            RealTime.pass(microseconds: Int.random(in: 5_000...600_000, using: &chance))
            guard app.note("truce") != "begins", process.isRunning else { continue }
            kill(process.processIdentifier, SIGSTOP)
            RealTime.pass(microseconds: Int.random(in: 5_000...900_000, using: &chance))
            kill(process.processIdentifier, SIGCONT)
            stops += 1
        }
        process.waitUntilExit()
        return (app, stops)
    }
}
