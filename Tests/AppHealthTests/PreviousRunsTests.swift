import AstrolabeTestSupport
import CAstrolabeCrashCapture
import Foundation
import Testing

@testable import AstrolabeAppHealth

/// When previous runs are reported: later if that takes time, immediately if this run may crash as early as they did.
@Suite struct PreviousRunsTests {
    private let folder = TemporaryDirectory()

    private func begin(_ id: String) throws -> RunFile {
        try RunFile(directory: folder.path, identity: RunIdentity(runID: id, crashID: "crash of \(id)"))
    }

    /// Leaves the file of a run that crashed some seconds after its start, and that earlier launches failed to report.
    private func leave(_ id: String, crashedAfter seconds: UInt64?, attempts: UInt64 = 0) throws {
        let file = try begin(id)
        // The mapping keeps the lock until the process ends.
        defer { RunFile.unmap(UnsafeMutableRawPointer(file.run), astrolabe_run_size()) }
        file[ASTROLABE_WORD_ATTEMPTS] = attempts
        guard let seconds else { return }
        let crash = UnsafeMutablePointer(mutating: astrolabe_run_crash(file.run))
        crash?.pointee.owner = 1
        crash?.pointee.stage = ASTROLABE_STAGE_COMPLETE.rawValue
        crash?.pointee.time = file[ASTROLABE_WORD_PROCESS_START] + seconds * 1_000_000_000
    }

    private func urgency() throws -> PreviousRuns.Urgency {
        let next = try begin("next")
        let earlier = PreviousRuns(
            directory: folder.path, next: next, thresholds: HangThresholds(),
            reported: ReportedTroubles(directory: folder.path), onDiagnostic: { _ in }, )
        return earlier.urgency(of: earlier.paths)
    }

    @Test func `crashes of long-lived runs can be reported later`() throws {
        try leave("a", crashedAfter: nil)
        try leave("b", crashedAfter: 60)
        #expect(try urgency() == .canWait)
    }

    @Test func `a run without stacks is reported immediately`() throws {
        try leave("a", crashedAfter: nil)
        #expect(try urgency() == .quick)
    }

    @Test func `a crash at the start cannot wait`() throws {
        try leave("a", crashedAfter: 60)
        try leave("b", crashedAfter: 3)
        #expect(try urgency() == .urgent)
    }

    @Test func `a run that an earlier launch failed to report cannot wait`() throws {
        try leave("a", crashedAfter: 60, attempts: 1)
        #expect(try urgency() == .urgent)
    }

    @Test func `a running process is not reported`() throws {
        let living = try begin("a")
        living[ASTROLABE_WORD_ATTEMPTS] = 1
        try leave("b", crashedAfter: 60)
        #expect(try urgency() == .canWait)
        withExtendedLifetime(living) {}
    }
}
