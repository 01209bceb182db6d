import AstrolabeSemantics
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Foundation
import Testing

/// Every way in which a run may end, by really ending it so. By a hang it does in `HangTests`.
@Suite struct RunEndingMatrixTests {
    struct Way: Sendable, CustomTestStringConvertible {
        var ending: String
        var reason: String
        var evidence: String
        var testDescription: String { "\(ending): \(reason)" }
    }

    static let ways = [
        Way(ending: "clean-exit", reason: "clean", evidence: "the run ended normally"),
        Way(ending: "report", reason: "clean", evidence: "the run ended normally"),
        Way(ending: "abort", reason: "crash", evidence: "the SIGABRT handler recorded the crash"),
        Way(ending: "thread", reason: "crash", evidence: "the SIGSEGV handler recorded the crash"),
        Way(
            ending: "clean-exit", reason: "clean",
            evidence: "the process called exit or returned from its main function"),
        Way(ending: "ignored-signal", reason: "clean", evidence: "the run ended normally"),
        Way(ending: "terminated", reason: "signal", evidence: "SIGTERM ended the process"),
        Way(ending: "hung-up", reason: "signal", evidence: "SIGHUP ended the process"),
        Way(ending: "broken-pipe", reason: "signal", evidence: "SIGPIPE ended the process"),
        Way(ending: "killed", reason: "killed_in_foreground", evidence: "the app was in the foreground"),
        Way(ending: "killed-in-background", reason: "killed_in_background", evidence: "the app was in the background"),
    ]

    private func end(of app: CrashingApp, _ events: [LogRecordData]) throws -> (reason: String, evidence: [String]) {
        let ends = events.named(EventName.runEnd)
        try #require(ends.count == 1)
        if !app.note("session").isEmpty { #expect(ends[0].text("session.id") == app.note("session")) }
        // The process is older than what it notes, and is not seen after it has ended.
        let seconds = try #require(ends[0]["astrolabe.run.duration"]?.doubleValue)
        #expect(seconds > 0 && seconds < app.lifetime, "\(seconds) of \(app.lifetime)")
        return (
            ends[0].text("astrolabe.run.end.reason"),
            ends[0]["astrolabe.run.end.evidence"]?.list.compactMap(\.stringValue) ?? [],
        )
    }

    @Test(arguments: ways)
    func `a run that really ended so is said to have`(_ way: Way) throws {
        let app = try CrashingApp()
        try app.run(way.ending)
        let end = try end(of: app, try app.report())
        #expect(end.reason == way.reason)
        #expect(end.evidence.contains(way.evidence), "\(end.evidence)")
    }

    @Test(arguments: [("terminated", SIGTERM), ("hung-up", SIGHUP), ("broken-pipe", SIGPIPE)])
    func `a signal that is noted ends the process as it would without the SDK`(
        _ ending: String, _ signal: Int32,
    ) throws {
        let process = try CrashingApp().run(ending)
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(process.terminationStatus == signal)
    }

    @Test func `another version of the app has ended the one before`() throws {
        let app = try CrashingApp()
        try app.run("killed")
        let events = try app.report(environment: ["FIXTURE_VERSION": "2.0.0"])
        #expect(try end(of: app, events) == ("app_update", ["the app was updated from 1.2.3 to 2.0.0"]))
        #expect(events.named(EventName.runEnd).first?.text("service.version") == "1.2.3")
    }

    @Test func `another executable of the same version has ended the one before`() throws {
        let app = try CrashingApp()
        try app.run("killed")
        let before = try app.installOtherBuild()
        let events = try app.report()
        let end = try end(of: app, events)
        #expect(end.reason == "app_update")
        #expect(
            end.evidence.first?.hasPrefix("the app was updated from build \(before) to \(before.dropLast(2))") == true)
        #expect(events.named(EventName.runEnd).first?.text("app.build_id") == before)
    }

    @Test(.enabled(if: PretendedSystem.obstacle == nil, "no mount namespace: \(PretendedSystem.obstacle ?? "")"))
    func `another version of the system, another start of it, or both, have ended the run before`() throws {
        let restart = "the device restarted"
        for (system, reason, evidence) in [
            (PretendedSystem(bootID: "5b1c9a1e-0000-4000-8000-000000000001"), "reboot", [restart]),
            (PretendedSystem(version: "99.1"), "system_update", ["to 99.1"]),
            (
                PretendedSystem(version: "99.1", bootID: "5b1c9a1e-0000-4000-8000-000000000001"), "system_update",
                ["to 99.1", restart],
            ),
        ] {
            let app = try CrashingApp()
            try app.run("killed")
            let events = try app.report(on: system)
            let end = try end(of: app, events)
            #expect(end.reason == reason)
            #expect(end.evidence.count == evidence.count, "\(end.evidence)")
            for (told, expected) in zip(end.evidence, evidence) { #expect(told.hasSuffix(expected), "\(told)") }
            #expect(events.named(EventName.runEnd).first?.text("os.version") != "99.1")
        }
    }

    @Test(.enabled(if: PretendedSystem.obstacle == nil, "no mount namespace: \(PretendedSystem.obstacle ?? "")"))
    func `a crash stays a crash over an update of the system`() throws {
        let app = try CrashingApp()
        try app.run("abort")
        let events = try app.report(on: PretendedSystem(version: "99.1", bootID: "1"))
        #expect(try end(of: app, events).reason == "crash")
        #expect(events.named(EventName.appCrash).first?.text("os.version") != "99.1")
    }
}

extension CrashingApp {
    /// Puts another build in the app's place: the same code under another build id. Gives the id that was there.
    fileprivate func installOtherBuild() throws -> String {
        var bytes = try Data(contentsOf: executable)
        // A note of the name GNU, of type 3, with 20 bytes.
        let head = Data([4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0]) + Data("GNU\0".utf8)
        let note = try #require(bytes.range(of: head))
        let id = note.upperBound..<note.upperBound + 20
        let hex = bytes[id].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        bytes[id.upperBound - 1] ^= 0xFF
        executable = URL(fileURLWithPath: folder.path + "/HealthFixture")
        try bytes.write(to: executable)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: executable.path)
        return hex
    }
}
