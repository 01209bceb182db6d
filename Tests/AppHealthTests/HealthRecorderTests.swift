import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import CAstrolabeCrashCapture
import Dispatch
import Testing

@testable import AstrolabeAppHealth

/// The reports of previous runs while the SDK shuts down. A process has one recorder at a time.
@Suite(.serialized) struct HealthRecorderTests {
    private let folder = TemporaryDirectory()
    private let sink = HealthSink()
    private let processor = BlockingProcessor()

    /// Starts after a run that crashed late enough to be reported on a thread, whose first event the processor blocks.
    private func begin() throws -> HealthRecorder {
        for id in ["a", "b"] { try RunFileFixture.later.write(to: path(id)) }
        var settings = HealthConfiguration()
        settings.capturesCrashes = false
        settings.watchesHangs = false
        settings.measuresFrames = false
        settings.measuresStart = false
        let begun = HealthRecorder.begin(
            directory: folder.path, identity: RunIdentity(runID: "next", crashID: "-"), settings: settings,
            onDiagnostic: { _ in })
        let recorder = try #require(begun)
        let core = RecordingCore(
            sink: sink, clock: .anchored(), sampler: AlwaysOnSampler(),
            processors: RecordProcessors(log: [processor]))
        let isUrgent = recorder.attach(core: core, frames: FrameMonitor(), countedBy: CPUTimeMeter())
        #expect(!isUrgent)
        return recorder
    }

    private func path(_ run: String) throws -> String {
        try PrivateFiles.makeDirectory(folder.path)
        return folder.path + "/" + run + HealthRunFile.suffix
    }

    @Test func `a shutdown waits for the reports`() async throws {
        let recorder = try begin()
        defer { recorder.end() }
        try await eventually("the processor is called") { processor.isCalled.withLock { $0 } }
        let finishing = Task {
            await recorder.finishReporting(timeout: .seconds(120))
            return sink.events.count
        }
        processor.release.signal()
        #expect(await finishing.value == 4, "a crash and an end of each run")
    }

    @Test func `a processor that does not return leaves the other runs to the next start`() async throws {
        let recorder = try begin()
        try await eventually("the processor is called") { processor.isCalled.withLock { $0 } }
        await recorder.finishReporting(timeout: .milliseconds(50))
        recorder.end()
        #expect(sink.events == [])
        processor.release.signal()
        await recorder.finishReporting(timeout: .seconds(120))
        #expect(sink.events.count == 2, "a crash and an end of the run that was under way")
        #expect(folder.files.filter { $0.hasSuffix("/a.run") || $0.hasSuffix("/b.run") }.count == 1)
        #expect(folder.files.filter { $0.hasSuffix("/reported") } == [], "nothing is written after the end")
    }
}

/// Does not return from its first call until it is released.
private final class BlockingProcessor: LogRecordProcessor {
    let isCalled = Locked(false)
    let release = DispatchSemaphore(value: 0)

    func onEmit(_ record: inout LogRecord) {
        if !isCalled.exchange(true) { release.wait() }
    }
}
