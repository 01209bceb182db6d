import AstrolabeDeviceConditions
import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import CAstrolabeCrashCapture
import Dispatch
import Testing

@testable import AstrolabeAppHealth

/// The watchdog beside closures of the app, with a main run loop that the test moves.
@Suite struct HangWatchdogTests {
    private let folder = TemporaryDirectory()
    private let sink = HealthSink()
    private let loop = Locked(astrolabe_main_loop())

    private func watchdog(
        _ file: HealthRunFile, processors: RecordProcessors?,
        mainLoop: (@Sendable () -> astrolabe_main_loop)? = nil,
    ) -> HangWatchdog {
        let core = RecordingCore(sink: sink, clock: .anchored(), sampler: AlwaysOnSampler(), processors: processors)
        var thresholds = HangThresholds()
        thresholds.hang = .milliseconds(1)
        return HangWatchdog(
            file: file, events: EventLogger(core: core, scope: HealthRecorder.scope), ambient: core.ambient,
            thresholds: thresholds, limit: 20, reported: CaptureLedger(directory: folder.path),
            mainLoop: mainLoop ?? { [loop] in
                loop.withLock { loop in
                    // The main thread never waits for work, so the watchdog never sleeps.
                    loop.passes += 1
                    return loop
                }
            }, onDiagnostic: { _ in })
    }

    /// Hangs until the watchdog has seen it.
    private func hang(_ file: HealthRunFile) async throws {
        let checks = loop.withLock { $0.passes }
        try await eventually("the watchdog looks") { loop.withLock { $0.passes } > checks + 2 }
        let began = SystemTime.sinceBoot
        loop.withLock { $0.pass = began }
        try await eventually("the hang is in the file") { file[ASTROLABE_WORD_HANG_BEGAN] != 0 }
        loop.withLock { loop in
            loop.pass = 0
            loop.long_pass = began
            loop.long_pass_end = SystemTime.sinceBoot
        }
    }

    @Test func `an app that waits for the main thread while a hang is recorded does not block it`() async throws {
        let file = try HealthRunFile(directory: folder.path, identity: RunIdentity(runID: "a", crashID: "b"))
        let processor = WaitingProcessor(file)
        let watchdog = watchdog(file, processors: RecordProcessors(log: [processor]))
        defer { watchdog.stop() }
        watchdog.move(to: .active)
        watchdog.start(countedBy: CPUTimeMeter())
        try await hang(file)
        try await eventually("the processor is called") { processor.isCalled.withLock { $0 } }
        // As the main thread does while the processor waits for it.
        watchdog.move(to: .background)
        processor.mainThread.signal()
        try await eventually("the hang is recorded") { sink.events.count == 1 }
        #expect(processor.isServed.withLock { $0 } == true, "the main thread came to serve it")
    }

    @Test func `a hang is in the file until it is recorded, under the same id`() async throws {
        let file = try HealthRunFile(directory: folder.path, identity: RunIdentity(runID: "a", crashID: "b"))
        let processor = WaitingProcessor(file)
        processor.mainThread.signal()
        let watchdog = watchdog(file, processors: RecordProcessors(log: [processor]))
        defer { watchdog.stop() }
        watchdog.move(to: .active)
        watchdog.start(countedBy: CPUTimeMeter())
        try await hang(file)
        try await eventually("the hang is recorded") { sink.events.count == 1 }
        let event = try #require(sink.events.first)
        let found = try #require(processor.found.withLock { $0 })
        #expect(event.attributes[AttributeKey.logRecordUID] == .string(found.id))
        #expect(event.attributes[AttributeKey.astrolabeHangID] == .string(found.id))
        #expect(found.hasEnded)
        try await eventually("it is gone from the file") { file[ASTROLABE_WORD_HANG_BEGAN] == 0 }
    }

    @Test func `the end of a run waits until another thread has recorded a hang`() async throws {
        let file = try HealthRunFile(directory: folder.path, identity: RunIdentity(runID: "a", crashID: "b"))
        let processor = WaitingProcessor(file)
        let watchdog = watchdog(file, processors: RecordProcessors(log: [processor]))
        defer { watchdog.stop() }
        watchdog.move(to: .active)
        watchdog.start(countedBy: CPUTimeMeter())
        try await hang(file)
        try await eventually("the processor is called") { processor.isCalled.withLock { $0 } }
        let checks = loop.withLock { $0.passes }
        let finished = Task { await watchdog.finish(timeout: .seconds(60)) }
        try await eventually("the end looks once") { loop.withLock { $0.passes } > checks }
        #expect(sink.events == [])
        processor.mainThread.signal()
        await finished.value
        #expect(sink.events.count == 1)
    }

    @Test func `a pass that another thread sees before the watchdog keeps it awake`() async throws {
        let file = try HealthRunFile(directory: folder.path, identity: RunIdentity(runID: "a", crashID: "b"))
        let reads = Locked(0)
        let wasSeen = Locked<Bool?>(nil)
        let otherCheck = DispatchSemaphore(value: 0)
        let watchdog = watchdog(file, processors: nil) {
            let read = reads.withLock { reads in
                reads += 1
                return reads
            }
            // The third is before the sleep, after two checks without a pass.
            if read == 3 {
                let result = otherCheck.wait(timeout: .now() + 10)
                wasSeen.withLock { $0 = result == .success }
            }
            var loop = astrolabe_main_loop()
            loop.passes = read < 3 ? 0 : 1
            return loop
        }
        defer { watchdog.stop() }
        watchdog.move(to: .active)
        watchdog.start(countedBy: CPUTimeMeter())
        try await eventually("the watchdog is about to sleep") { reads.withLock { $0 } == 3 }
        await watchdog.finish()
        otherCheck.signal()
        try await eventually("it checks again") { reads.withLock { $0 } > 4 }
        #expect(wasSeen.withLock { $0 } == true, "the check waited for the watchdog")
    }

    @Test func `a watchdog that has stopped can be asked again`() async throws {
        let file = try HealthRunFile(directory: folder.path, identity: RunIdentity(runID: "a", crashID: "b"))
        let watchdog = watchdog(file, processors: nil)
        watchdog.move(to: .active)
        watchdog.start(countedBy: CPUTimeMeter())
        try await eventually("the watchdog looks") { loop.withLock { $0.passes } > 2 }
        watchdog.stop()
        try await eventually("its thread has ended") { watchdog.hasEnded }
        await watchdog.finish()
        watchdog.move(to: .background)
        #expect(sink.events == [])
    }
}

/// Waits for the main thread as `DispatchQueue.main.sync` does, and notes the hang that is in the file meanwhile.
private final class WaitingProcessor: LogRecordProcessor {
    let isCalled = Locked(false)
    let isServed = Locked<Bool?>(nil)
    let found = Locked<HangRecord?>(nil)
    let mainThread = DispatchSemaphore(value: 0)
    private let file: HealthRunFile

    init(_ file: HealthRunFile) {
        self.file = file
    }

    func onEmit(_ record: inout LogRecord) {
        let hang = HangRecord(file.run)
        found.withLock { $0 = hang }
        isCalled.withLock { $0 = true }
        let result = mainThread.wait(timeout: .now() + 10)
        isServed.withLock { $0 = result == .success }
    }
}
