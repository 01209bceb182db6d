import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSeededRandomness
import AstrolabeSemantics
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import CAstrolabeCrashCapture
import Foundation
import Testing

@testable import AstrolabeAppHealth

/// The report of a run whose file another version of the SDK wrote, or that is damaged.
@Suite struct RunFileLayoutTests {
    private let folder = TemporaryDirectory()
    private let sink = HealthSink()
    private let diagnostics = Locked([String]())

    /// Reports what is in the folder, as the next start does.
    private func report() throws {
        let next = try HealthRunFile(
            directory: folder.path,
            identity: RunIdentity(runID: "next", crashID: "-", bootID: "boot", appVersion: "2.0"))
        let previous = PreviousRuns(
            directory: folder.path, next: next, thresholds: HangThresholds(),
            reported: CaptureLedger(directory: folder.path),
            onDiagnostic: { [diagnostics] text in diagnostics.withLock { $0.append(text) } })
        let core = RecordingCore(sink: sink, clock: .anchored(), sampler: AlwaysOnSampler())
        previous.report(previous.paths, to: EventLogger(core: core, scope: HealthRecorder.scope), core)
    }

    private func path(_ run: String) throws -> String {
        try PrivateFiles.makeDirectory(folder.path)
        return folder.path + "/" + run + HealthRunFile.suffix
    }

    private func event(_ name: String) throws -> LogRecordData {
        let events = sink.events.filter { $0.eventName == name }
        try #require(events.count == 1, "\(events.map(\.eventName))")
        return events[0]
    }

    private func text(_ key: String, of record: LogRecordData) -> String { record.attributes[key]?.stringValue ?? "" }

    private func list(_ key: String, of record: LogRecordData) -> [AttributeValue] {
        if case .array(let values) = record.attributes[key] { values } else { [] }
    }

    @Test(arguments: RunFileFixture.earlier + [.later])
    func `a crash, its open spans and the end of the run are reported`(_ file: RunFileFixture) throws {
        try file.write(to: path("run"))
        try report()
        let hasException = file.sections[RunFileFixture.exception] != nil
        let crash = try event(EventName.appCrash)
        #expect(crash.timeUnixNano == RunFileFixture.crashTime)
        #expect(text(AttributeKey.exceptionType, of: crash) == (hasException ? "NSRangeException" : "SIGSEGV"))
        #expect(text(AttributeKey.exceptionMessage, of: crash) == (hasException ? "out of bounds" : "Unlikely!"))
        #expect(text(AttributeKey.exceptionStacktrace, of: crash) == "0  shop  0x50010  +0x10")
        #expect(text(AttributeKey.appCrashID, of: crash) == "crash")
        #expect(text(AttributeKey.astrolabeRunID, of: crash) == "run")
        #expect(text(AttributeKey.sessionID, of: crash) == "the session")
        #expect(text(AttributeKey.serviceVersion, of: crash) == "1.0")
        #expect(text(AttributeKey.appBuildID, of: crash) == "abcd")
        #expect(list(AttributeKey.astrolabeCrashThreads, of: crash).count == 2)
        #expect(list(AttributeKey.astrolabeBreadcrumbs, of: crash) == [.string("tap")])
        #expect(crash.attributes[AttributeKey.astrolabeCrashUptime] == .double(90))
        #expect(crash.attributes[AttributeKey.processPID] == .int(4_711))
        #expect(crash.spanID == SpanID(0x13))

        let end = try event(EventName.runEnd)
        #expect(text(AttributeKey.astrolabeRunEndReason, of: end) == "crash")
        #expect(text(AttributeKey.appCrashID, of: end) == "crash")
        #expect(text(AttributeKey.sessionID, of: end) == "the session")

        let hasSpans = file.sections[RunFileFixture.spans] != nil
        #expect(sink.spans.map(\.name) == (hasSpans ? ["open"] : []))
        #expect(sink.spans.allSatisfy { $0.endTimeUnixNano == RunFileFixture.crashTime })
        #expect(sink.scopes.contains { $0.name == "shop" && $0.version == "2.0" } == hasSpans)
        #expect(diagnostics.withLock { $0 } == [])
        #expect(folder.files.filter { $0.hasSuffix("/run.run") } == [])
    }

    @Test func `the head of this layout is where every version looks for it`() throws {
        let file = try HealthRunFile(
            directory: folder.path, identity: RunIdentity(runID: "a", crashID: "b", osVersion: "18.1"))
        file[ASTROLABE_WORD_HANG_SPAN] = 0x1122_3344
        UnsafeMutablePointer(mutating: astrolabe_run_crash(file.run))?.pointee.signal = 11
        let bytes = UnsafeRawBufferPointer(start: UnsafeRawPointer(file.run), count: 2_048)
        func number<Number>(_ type: Number.Type, _ offset: Int) -> Number {
            bytes.load(fromByteOffset: offset, as: type)
        }
        #expect(number(UInt64.self, 0) == 0x316e_7572_726f_7461)
        #expect(number(UInt32.self, 8) == 4)
        #expect(bytes[16] == UInt8(ascii: "a") && bytes[16 + 128] == UInt8(ascii: "b"))
        #expect(number(UInt64.self, 912 + 8 * 16) == 0x1122_3344)
        let blobs = [1_168, 1_172, 1_176].map { number(UInt32.self, $0) }
        #expect(blobs == [1_536, 32_780, 3])
        #expect(number(Int32.self, 1_360 + 8) == 11)
        withExtendedLifetime(file) {}
    }

    @Test func `a run takes the disk space of its images and not of the most that fit`() throws {
        let file = try HealthRunFile(directory: folder.path, identity: RunIdentity(runID: "a", crashID: "b"))
        var status = stat()
        #expect(stat(file.file.path, &status) == 0)
        #expect(Int(status.st_size) == astrolabe_run_size())
        // There is room for 2,048 images of 272 bytes.
        let unused = astrolabe_run_size() - astrolabe_run_size_with_images(Int32(file.images.count + 64))
        try #require(unused > 200_000)
        #expect(Int(status.st_blocks) * 512 <= astrolabe_run_size() - unused)
        #expect(!file.images.isEmpty)
    }

    @Test func `images that had no room are listed once there is room`() throws {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: astrolabe_run_size(), alignment: 16)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: astrolabe_run_size())
        let run = OpaquePointer(memory)
        astrolabe_run_collect_images(run, 1)
        #expect(astrolabe_run_image_count(run) == 1)
        astrolabe_run_collect_images(run, ASTROLABE_IMAGE_COUNT)
        #expect(astrolabe_run_image_count(run) > 1)
    }

    @Test func `a layout without a known table has an end for an unknown reason, and a diagnostic`() throws {
        var file = try #require(RunFileFixture.earlier.first)
        file.size += 8
        try file.write(to: path("run"))
        try report()
        let end = try event(EventName.runEnd)
        #expect(sink.events.count == 1)
        #expect(text(AttributeKey.astrolabeRunEndReason, of: end) == "unknown")
        #expect(text(AttributeKey.serviceVersion, of: end) == "1.0")
        #expect(diagnostics.withLock { $0.count } == 1)
    }

    @Test func `a crash is reported from the head alone if its sections are cut off`() throws {
        let bytes = try RunFileFixture.later.write(to: path("run"))
        try Data(bytes.prefix(3_000)).write(to: URL(fileURLWithPath: path("run")))
        try report()
        let crash = try event(EventName.appCrash)
        #expect(text(AttributeKey.exceptionType, of: crash) == "SIGSEGV")
        #expect(text(AttributeKey.exceptionStacktrace, of: crash) == "0  ?  0x50010")
        let end = try event(EventName.runEnd)
        #expect(text(AttributeKey.astrolabeRunEndReason, of: end) == "crash")
        #expect(list(AttributeKey.astrolabeRunEndEvidence, of: end).count == 2)
        #expect(diagnostics.withLock { $0.count } == 1)
    }

    @Test func `a section that a later version has replaced is missing, and the rest is reported`() throws {
        var file = RunFileFixture.later
        file.sections[RunFileFixture.threads] = nil
        try file.write(to: path("run"))
        try report()
        let crash = try event(EventName.appCrash)
        #expect(text(AttributeKey.sessionID, of: crash) == "the session")
        #expect(text(AttributeKey.exceptionStacktrace, of: crash) == "0  shop  0x50010  +0x10")
        #expect(diagnostics.withLock { $0.count } == 1)
    }

    @Test func `a file without a run is an end for an unknown reason, counted and diagnosed`() throws {
        try Data(count: 40_000).write(to: URL(fileURLWithPath: path("5f0c2b4e")))
        try Data("not a run".utf8).write(to: URL(fileURLWithPath: path("short")))
        try Data().write(to: URL(fileURLWithPath: path("empty")))
        try report()
        #expect(sink.events.map { text(AttributeKey.astrolabeRunID, of: $0) } == ["5f0c2b4e", "short"])
        #expect(Set(sink.events.map { text(AttributeKey.astrolabeRunEndReason, of: $0) }) == ["unknown"])
        #expect(diagnostics.withLock { $0.count } == 2)
        #expect(folder.files.filter { $0.hasSuffix(HealthRunFile.suffix) }.count == 1, "that of this run")
    }

    @Test func `a file that ends its readers is read less thoroughly, and in the end not at all`() throws {
        // Attempts until now, and what is reported.
        for (attempts, events) in [(0, 2), (2, 2), (3, 2), (5, 2), (6, 1)] {
            let test = RunFileLayoutTests()
            try RunFileFixture.later.write(to: test.path("run"), words: [8: UInt64(attempts)])
            try test.report()
            #expect(test.sink.events.count == events, "\(attempts)")
            #expect(test.sink.spans.count == (attempts < 3 ? 1 : 0), "\(attempts)")
            #expect(test.diagnostics.withLock { $0.isEmpty } == (attempts < 3), "\(attempts)")
        }
    }

    @Test func `a part that was reported is not reported again`() throws {
        // The crash, as a bit.
        try RunFileFixture.later.write(to: path("run"), words: [9: 1])
        try report()
        #expect(sink.events.map(\.eventName) == [EventName.runEnd])
    }

    @Test(arguments: [UInt32(1), 2, 3, 4, 5, .max])
    func `noise has one end and does no harm`(_ layout: UInt32) throws {
        for seed in 0..<3 {
            let test = RunFileLayoutTests()
            var random = SeededGenerator(seed: UInt64(layout) + UInt64(seed))
            let known = RunFileFixture.earlier.first { $0.layout == layout }
            let size = known?.size ?? 950_000
            var words = (0..<(size + 16_383) / 16_384 * 2_048).map { _ in random.next() }
            words[0] = 0x316e_7572_726f_7461
            words[1] = UInt64(layout) | UInt64(size) << 32
            // Attempts, and what was reported.
            (words[(912 + 64) / 8], words[(912 + 72) / 8]) = (0, 0)
            try words.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: test.path("run")))
            try test.report()
            _ = try test.event(EventName.runEnd)
        }
    }
}
