import AstrolabeDeviceConditions
import AstrolabeSemantics
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Foundation
import Testing

@testable import AstrolabeAppHealth

/// Why a run has ended, by evidence made up and by really ending it.
@Suite struct RunEndingTests {
    private static let run = RunIdentity(
        runID: "1", crashID: "2", bootID: "a", appVersion: "1.0", appBuild: "7", osName: "iOS", osVersion: "18.1")

    private func reason(_ change: (inout RunEvidence, inout RunIdentity) -> Void) -> RunEnding.Reason {
        var (evidence, next) = (RunEvidence(run: Self.run), Self.run)
        change(&evidence, &next)
        let ending = evidence.ending(before: next)
        #expect(!ending.evidence.isEmpty)
        return ending.reason
    }

    @Test func `each kind of end has its evidence`() {
        #expect(reason { evidence, _ in evidence.isClean = true } == .clean)
        #expect(reason { evidence, _ in evidence.crash = "SIGSEGV" } == .crash)
        #expect(reason { evidence, _ in evidence.hang = 4 } == .hang)
        #expect(reason { evidence, _ in evidence.signal = "SIGTERM" } == .signal)
        #expect(reason { evidence, _ in evidence.freeMemory = 10 << 20 } == .lowMemory)
        #expect(
            reason { evidence, _ in
                evidence.freeMemory = 90 << 20
                evidence.usedMemory = 1_900 << 20
            } == .lowMemory)
        #expect(reason { evidence, _ in evidence.freeMemory = 200 << 20 } == .killedInForeground)
        #expect(reason { _, _ in } == .killedInForeground)
        #expect(reason { evidence, _ in evidence.isInBackground = true } == .killedInBackground)
        #expect(reason { _, next in next.appVersion = "1.1" } == .appUpdate)
        #expect(reason { _, next in next.appBuild = "8" } == .appUpdate)
        #expect(reason { _, next in next.osVersion = "18.2" } == .systemUpdate)
        #expect(reason { _, next in next.bootID = "b" } == .reboot)
    }

    @Test func `stronger evidence wins`() {
        #expect(
            reason { evidence, next in
                evidence.crash = "SIGABRT"
                evidence.isClean = true
                next.bootID = "b"
            } == .crash)
        #expect(
            reason { evidence, next in
                evidence.isClean = true
                next.appVersion = "2"
            } == .clean)
        #expect(
            reason { _, next in
                next.bootID = "b"
                next.osVersion = "19"
                next.appVersion = "2"
            } == .systemUpdate)
    }

    @Test func `a run of which only a part is known has no reason but what is known for certain`() {
        func incomplete(_ change: (inout RunEvidence) -> Void) -> RunEnding.Reason {
            reason { evidence, next in
                (evidence.isWhole, evidence.isKnown) = (false, false)
                next.appVersion = "2"
                change(&evidence)
            }
        }
        #expect(incomplete { _ in } == .unknown)
        #expect(incomplete { $0.hang = 4 } == .unknown)
        #expect(incomplete { $0.isClean = true } == .clean)
        #expect(incomplete { $0.signal = "SIGPIPE" } == .signal)
        #expect(reason { evidence, _ in evidence.isWhole = false } == .killedInForeground)
    }

    @Test func `what is not known is no evidence`() {
        #expect(reason { _, next in next.bootID = "" } == .killedInForeground)
        #expect(
            reason { evidence, next in
                evidence.run.appVersion = ""
                next.osVersion = ""
            } == .killedInForeground)
    }

    @Test func `a run that goes on after its end is not over`() {
        var life = RunLife()
        #expect(life.move(to: .active) == [.storeLifecycle(.active)])
        #expect(life.move(to: .active) == [])
        #expect(life.move(to: .terminated) == [.storeLifecycle(.terminated), .markClean])
        #expect(life.end() == [])
        #expect(life.move(to: .active) == [.unmarkClean, .storeLifecycle(.active)])
        #expect(life.end() == [.markClean])
    }

    @Test func `a run under way is left alone by another process`() async throws {
        let app = try CrashingApp()
        let running = try app.start("wait")
        try await eventually("the app has started") { !app.note("session").isEmpty }
        #expect(try app.report().named(EventName.runEnd) == [])
        kill(running.processIdentifier, SIGKILL)
        running.waitUntilExit()
        #expect(try app.report().named(EventName.runEnd).count == 2)
    }
}
