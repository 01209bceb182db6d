import Foundation
import Semantics
import TelemetryModel
import Testing

/// Main threads that really hang.
@Suite struct HangTests {
    @Test func `a hang is told with its duration, its stack and the screen of its beginning`() throws {
        let app = try CrashingApp()
        try app.run("hang-of-1500")
        let hangs = app.events.named(EventName.hang)
        try #require(hangs.count == 1)
        let hang = hangs[0]
        let duration = hang["astrolabe.hang.duration"]?.doubleValue ?? 0
        #expect(abs(duration - 1.5) < 0.15, "\(duration)")
        #expect(hang.text("astrolabe.hang.severity") == "hang")
        #expect(hang["astrolabe.hang.has_ended"]?.boolValue == true)
        #expect(hang.text("session.id") == app.note("session"))
        #expect(hang.text("app.screen.name") == "ProductDetail")
        let samples = hang["astrolabe.hang.samples"]?.list ?? []
        #expect(samples.count >= 10)
        for sample in samples {
            let functions = try Symbols.functions(of: sample, in: hang)
            #expect(functions.contains { $0.contains("spin") }, "\(functions)")
        }
        #expect(app.note("span") == "\(hang.traceID) \(hang.spanID)")
    }

    @Test func `a hang that never ended is told at the next start`() throws {
        let app = try CrashingApp()
        try app.run("hang-until-killed")
        let hangs = try app.report().named(EventName.hang)
        try #require(hangs.count == 1)
        #expect(hangs[0]["astrolabe.hang.has_ended"]?.boolValue == false)
        #expect(hangs[0].text("astrolabe.hang.severity") == "severe")
        let duration = hangs[0]["astrolabe.hang.duration"]?.doubleValue ?? 0
        #expect(duration > 2 && duration < 4, "\(duration)")
        #expect(hangs[0].text("session.id") == app.note("session"))
        #expect(hangs[0]["astrolabe.hang.samples"]?.list.isEmpty == false)
    }

    @Test func `a process that is stopped and goes on does not hang`() throws {
        let app = try CrashingApp()
        let process = try app.start("wait")
        while app.note("session").isEmpty { RealTime.pass(microseconds: 10_000) }
        for _ in 0..<4 {
            RealTime.pass(microseconds: 300_000)
            kill(process.processIdentifier, SIGSTOP)
            RealTime.pass(microseconds: 700_000)
            kill(process.processIdentifier, SIGCONT)
        }
        RealTime.pass(microseconds: 500_000)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(try app.report().named(EventName.hang) == [])
    }
}
