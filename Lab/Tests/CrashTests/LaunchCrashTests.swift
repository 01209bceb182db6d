import AstrolabePlatform
import AstrolabeSeededRandomness
import AstrolabeSemantics
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Dispatch
import Foundation
import Testing

/// Crashes so early that the launch before the next one lives no longer.
@Suite(.serialized) struct `A crash at launch` {
    @Test func `is sent by the next launch, however short that is`() throws {
        let app = try CrashingApp()
        for number in 0..<5 {
            try app.run("abort")
            #expect(app.crashIDs.count == number, "each launch sends the crash of the one before, then crashes itself")
        }
        #expect(app.crashes.count == app.crashIDs.count, "each is sent once")
        #expect(app.shown.count == app.crashIDs.count)
    }

    @Test(arguments: [false, true])
    func `is sent later if the launch that sends it is killed before or after the collector has it`(
        isTaken: Bool
    ) async throws {
        let app = try CrashingApp()
        try app.run("abort")
        for _ in 0..<2 {
            let (sending, isKnown) = (Locked(pid_t(0)), DispatchSemaphore(value: 0))
            app.takesRequests { events in
                guard !events.named(EventName.appCrash).isEmpty else { return true }
                // The request may come before the test knows of which process.
                isKnown.wait()
                kill(sending.withLock { $0 }, SIGKILL)
                return isTaken
            }
            let process = try app.start("abort-later")
            sending.withLock { $0 = process.processIdentifier }
            isKnown.signal()
            process.waitUntilExit()
            #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL)
        }
        if isTaken {
            // The collector takes a request whose sender is dead already.
            try await eventually("the collector has the crash of each launch") { app.crashes.count == 2 }
        }
        #expect(app.crashes.count == (isTaken ? 2 : 0))
        app.takesRequests { _ in true }
        try app.run("abort")
        #expect(app.crashIDs.count == 1)
        #expect(app.shown.count == 1, "what was sent again is the same record")
    }

    /// Two launches in three crash, the others are killed, many of them while they send.
    @Test func `arrives once from each of many launches`() throws {
        let app = try CrashingApp()
        let seed = UInt64.random(in: 0...999_999)
        var chance = SeededGenerator(seed: seed)
        var crashed: Set<Int64> = []
        for _ in 0..<Thoroughness.count(6, thorough: 200) {
            let process = try app.start(Int.random(in: 0..<3, using: &chance) == 0 ? "wait" : "abort-later")
            let timer = DispatchSource.makeTimerSource(queue: .global())
            timer.schedule(deadline: .now() + .milliseconds(Int.random(in: 5...700, using: &chance)))
            timer.setEventHandler { kill(process.processIdentifier, SIGKILL) }
            timer.resume()
            process.waitUntilExit()
            timer.cancel()
            if process.terminationStatus == SIGABRT { crashed.insert(Int64(process.processIdentifier)) }
        }
        _ = try app.report()
        let sent = Set(app.events.named(EventName.appCrash).compactMap { $0[AttributeKey.processPID]?.intValue })
        print("seed \(seed): \(crashed.count) crashes, \(app.events.named(EventName.appCrash).count) sent")
        #expect(crashed.subtracting(sent) == [])
        // A process that is killed while its handler works has crashed too.
        #expect(app.crashIDs.count == sent.count, "each has one id")
        #expect(app.shown.count == sent.count, "none is shown twice, however often it was sent")
    }

    @Test func `does not hold up a launch for long if the collector does not answer`() throws {
        let app = try CrashingApp()
        try app.run("abort")
        let release = DispatchSemaphore(value: 0)
        app.takesRequests { _ in
            release.wait()
            release.signal()
            return true
        }
        defer { release.signal() }
        // The collector answers no request of this launch, so its end is all the evidence that is needed.
        let process = try app.run("abort", environment: ["FIXTURE_LAUNCH_CRASH_SECONDS": "0.5"])
        #expect(process.terminationStatus == SIGABRT, "it went on without an answer")
        #expect(app.crashes == [])
        app.takesRequests { _ in true }
        release.signal()
        #expect(try app.report().named(EventName.appCrash).count >= 2)
        #expect(app.crashIDs.count == 2)
    }
}

extension CrashingApp {
    fileprivate var crashes: [LogRecordData] { events.named(EventName.appCrash) }

    fileprivate var crashIDs: Set<String> { Set(crashes.map { $0.text(AttributeKey.appCrashID) }) }

    /// The crashes that the console shows. It takes records with the same `log.record.uid` for one.
    fileprivate var shown: Set<String> { Set(crashes.map { $0.text(AttributeKey.logRecordUID) }) }
}
