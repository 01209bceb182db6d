import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import CAstrolabeCrashCapture
import Foundation
import Testing

@testable import AstrolabeAppHealth

/// When previous runs are reported: later if that takes time, immediately if this run may crash as early as they did.
@Suite struct PreviousRunsTests {
    private let folder = TemporaryDirectory()

    private func begin(_ id: String) throws -> HealthRunFile {
        try HealthRunFile(directory: folder.path, identity: RunIdentity(runID: id, crashID: "crash of \(id)"))
    }

    /// Leaves the file of a run that has ended.
    private func leave(_ id: String, _ change: (HealthRunFile) -> Void) throws {
        change(try begin(id))
    }

    /// Leaves the file of a run that crashed some seconds after its launch, and that earlier launches failed to report.
    ///
    /// - Parameters:
    ///   - age: Seconds since the start of the process, when the SDK started or a prewarmed process launched.
    ///   - prewarmed: The word of the run: 0 if the system did not prewarm its process, 1 until it launched, then 2.
    private func leave(
        _ id: String, crashedAfter seconds: UInt64?, attempts: UInt64 = 0, age: UInt64 = 0, prewarmed: UInt64 = 0,
    ) throws {
        try leave(id) { file in
            file[ASTROLABE_WORD_ATTEMPTS] = attempts
            file[ASTROLABE_WORD_LAUNCH] = file[ASTROLABE_WORD_PROCESS_START] + age * 1_000_000_000
            file[ASTROLABE_WORD_PREWARMED] = prewarmed
            guard let seconds else { return }
            let crash = UnsafeMutablePointer(mutating: astrolabe_run_crash(file.run))
            crash?.pointee.owner = 1
            crash?.pointee.stage = ASTROLABE_STAGE_COMPLETE.rawValue
            crash?.pointee.time = file[ASTROLABE_WORD_LAUNCH] + seconds * 1_000_000_000
        }
    }

    private func previous() throws -> PreviousRuns {
        PreviousRuns(
            directory: folder.path, next: try begin("next " + UUID().uuidString), thresholds: HangThresholds(),
            reported: CaptureLedger(directory: folder.path), onDiagnostic: { _ in })
    }

    private func isUrgent() throws -> Bool {
        let earlier = try previous()
        return earlier.isUrgent(earlier.paths)
    }

    /// The attributes of the event that the next start records.
    private func report(_ name: String) throws -> Attributes {
        let (earlier, sink) = (try previous(), HealthSink())
        let core = RecordingCore(sink: sink, clock: .anchored(), sampler: AlwaysOnSampler())
        earlier.report(earlier.paths, to: EventLogger(core: core, scope: HealthRecorder.scope), core)
        return try #require(sink.events.first { $0.eventName == name }).attributes
    }

    @Test func `crashes of long-lived runs can be reported later`() throws {
        try leave("a", crashedAfter: nil)
        try leave("b", crashedAfter: 60)
        #expect(try !isUrgent())
    }

    @Test func `a run without stacks can be reported later`() throws {
        try leave("a", crashedAfter: nil)
        #expect(try !isUrgent())
    }

    @Test func `a crash at the start cannot wait`() throws {
        try leave("a", crashedAfter: 60)
        try leave("b", crashedAfter: 3)
        #expect(try isUrgent())
    }

    @Test func `a run that an earlier launch failed to report cannot wait`() throws {
        try leave("a", crashedAfter: 60, attempts: 1)
        #expect(try isUrgent())
    }

    @Test(arguments: [UInt64(0), 2])
    func `a crash at the launch of a process that the system began hours before cannot wait`(prewarmed: UInt64) throws {
        try leave("a", crashedAfter: 3, age: 20_000, prewarmed: prewarmed)
        #expect(try isUrgent())
        try leave("a", crashedAfter: 60, age: 20_000, prewarmed: prewarmed)
        #expect(try !isUrgent())
    }

    @Test func `a crash of a prewarmed process before its launch is known cannot wait`() throws {
        try leave("a", crashedAfter: 20_000, prewarmed: 1)
        #expect(try isUrgent())
    }

    @Test func `the uptime of a prewarmed process counts from its launch`() throws {
        try leave("a", crashedAfter: 3, age: 20_000, prewarmed: 2)
        #expect(try report(EventName.appCrash)[AttributeKey.astrolabeCrashUptime] == .double(3))
        try leave("a", crashedAfter: 3, age: 20_000)
        #expect(try report(EventName.appCrash)[AttributeKey.astrolabeCrashUptime] == .double(20_003))
    }

    @Test func `a prewarmed process launches once`() throws {
        let file = try HealthRunFile(
            directory: folder.path, identity: RunIdentity(runID: "a", crashID: "b"), isPrewarmed: true)
        file.launch(at: 7)
        file.launch(at: 8)
        #expect(file[ASTROLABE_WORD_LAUNCH] == 7)
        let other = try begin("b")
        other.launch(at: 7)
        #expect(other[ASTROLABE_WORD_LAUNCH] > 8, "its launch is the SDK's start")
    }

    @Test func `a prewarmed process that nobody opened was not killed in the foreground`() throws {
        try leave("a", crashedAfter: nil, prewarmed: 1)
        let end = try report(EventName.runEnd)
        #expect(end[AttributeKey.astrolabeRunEndReason] == .string("killed_in_background"))
    }

    @Test func `a signal that ended the process is distinguished from a kill`() throws {
        for (number, name) in [(UInt64(15), "SIGTERM"), (13, "SIGPIPE")] {
            try leave("a") { $0[ASTROLABE_WORD_END_SIGNAL] = number }
            let end = try report(EventName.runEnd)
            #expect(end[AttributeKey.astrolabeRunEndReason] == .string("signal"))
            #expect(end[AttributeKey.astrolabeRunEndSignal] == .string(name))
        }
    }

    @Test func `a run that was killed says for how long its metrics were not collected`() throws {
        try leave("a") { $0[ASTROLABE_WORD_COLLECTED] = $0[ASTROLABE_WORD_HEARTBEAT] - 12_500_000_000 }
        #expect(try report(EventName.runEnd)[AttributeKey.astrolabeRunUncollected] == .double(12.5))
        try leave("b", crashedAfter: nil)
        #expect(try report(EventName.runEnd)[AttributeKey.astrolabeRunUncollected] == nil, "nothing can be lost")
    }

    @Test func `a hang that was not recorded when the run ended has its own id, and did not end the run`() throws {
        try leave("a") { file in
            file[ASTROLABE_WORD_HANG_BEGAN] = file[ASTROLABE_WORD_HEARTBEAT]
            file[ASTROLABE_WORD_HANG_SEEN] = file[ASTROLABE_WORD_HEARTBEAT] + 3_000_000_000
            file[ASTROLABE_WORD_HANG_STATE] = 1
            file[ASTROLABE_WORD_HANG_ID_HIGH] = 0x083d_3d2d_9a0e_47f8
            file[ASTROLABE_WORD_HANG_ID_LOW] = 0xbe3d_bc3c_5538_ba38
        }
        let (earlier, sink) = (try previous(), HealthSink())
        let core = RecordingCore(sink: sink, clock: .anchored(), sampler: AlwaysOnSampler())
        earlier.report(earlier.paths, to: EventLogger(core: core, scope: HealthRecorder.scope), core)
        let hang = try #require(sink.events.first { $0.eventName == EventName.hang })
        #expect(hang.attributes[AttributeKey.logRecordUID] == .string("083d3d2d-9a0e-47f8-be3d-bc3c5538ba38"))
        #expect(hang.attributes[AttributeKey.astrolabeHangHasEnded] == .bool(true))
        #expect(hang.attributes[AttributeKey.astrolabeHangDuration] == .double(3))
        let end = try #require(sink.events.first { $0.eventName == EventName.runEnd })
        #expect(end.attributes[AttributeKey.astrolabeRunEndReason] == .string("killed_in_foreground"))
    }

    @Test func `no more of a run is reported if the user refuses meanwhile, even if they agree again`() throws {
        for id in ["a", "b"] { try leave(id, crashedAfter: 60) }
        let (earlier, sink, reference) = (try previous(), HealthSink(), Locked<RecordingCore?>(nil))
        let isFirst = Locked(true)
        let processors = RecordProcessors(beforeSend: [
            { _ in
                guard isFirst.exchange(false) else { return true }
                reference.withLock { $0 }?.refuse()
                reference.withLock { $0 }?.permit()
                return true
            }
        ])
        let core = RecordingCore(
            sink: sink, clock: .anchored(), sampler: AlwaysOnSampler(), processors: processors)
        reference.withLock { $0 = core }
        earlier.report(earlier.paths, to: EventLogger(core: core, scope: HealthRecorder.scope), core)
        reference.withLock { $0 = nil }
        #expect(sink.events == [])
        #expect(folder.files.filter { $0.hasSuffix("/reported") } == [])
    }

    @Test func `a running process is not reported`() throws {
        let living = try begin("a")
        living[ASTROLABE_WORD_ATTEMPTS] = 1
        try leave("b", crashedAfter: 60)
        #expect(try !isUrgent())
        withExtendedLifetime(living) {}
    }
}
