import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTelemetryModel
import CAstrolabeCrashCapture

/// Reports previous runs, each once, of this version of the SDK or another.
///
/// A run's file is locked while its process lives, and then by the process that reports it. Reported parts are marked
/// in the file, which is removed when all of it is reported. If the process ends between the record and the mark, the
/// next run records it again with the same `log.record.uid`, so receivers can deduplicate.
///
/// A file that ends its reader three times is read without its sections three times, and then not at all. A run whose
/// file cannot be read has an end for an unknown reason.
struct PreviousRuns {
    let directory: String
    /// The current run.
    let next: HealthRunFile
    let thresholds: HangThresholds
    /// The reported crashes and hangs of previous runs.
    let reported: CaptureLedger
    let onDiagnostic: @Sendable (String) -> Void

    private static let attemptLimit: UInt64 = 3

    private enum Part: UInt64 {
        case crash = 1
        case hang = 2
        case end = 4
        case spans = 8
    }

    /// Nanoseconds since the launch. A crash within this time may recur as early in the next launch.
    private static let earlyLimit: UInt64 = 10_000_000_000

    /// The run files in the directory, including those of running processes.
    var paths: [String] {
        let names = PrivateFiles.names(in: directory).filter { name in
            name.hasSuffix(HealthRunFile.suffix) && name != next.identity.runID + HealthRunFile.suffix
        }
        return names.sorted().map { directory + "/" + $0 }
    }

    /// Returns true if the runs must be reported before the start goes on, and the reports be sent too.
    ///
    /// A run crashed early, and this one may do the same. Or the process died while it reported a run, or while it sent
    /// such a report. Other reports take milliseconds, and this run is likely to live long enough for them.
    func isUrgent(_ paths: [String]) -> Bool {
        paths.contains { path in
            // A run that cannot be opened or mapped is in use, or its report says why.
            guard let file = try? PrivateFile(path), file.tryLock(), file.isLinked else { return false }
            let found = try? file.withMapping { bytes in
                Self.read(bytes, withSections: false) { run, _ in Self.isUrgent(run) }
            }
            return found ?? false
        }
    }

    private static func isUrgent(_ run: OpaquePointer) -> Bool {
        func word(_ word: astrolabe_word) -> UInt64 { astrolabe_run_get(run, Int32(word.rawValue)) }
        if word(ASTROLABE_WORD_ATTEMPTS) > 0 || word(ASTROLABE_WORD_IS_SENDING) != 0 { return true }
        let crash = astrolabe_run_crash(run).pointee
        guard crash.owner != 0 else { return false }
        // The system may have begun the process long before the user opened the app.
        let launch = max(word(ASTROLABE_WORD_PROCESS_START), word(ASTROLABE_WORD_LAUNCH))
        return word(ASTROLABE_WORD_PREWARMED) == 1 || crash.time - min(launch, crash.time) < earlyLimit
    }

    /// Reports runs until the user refuses: what a processor of the app holds then is not followed by more.
    ///
    /// - Parameter isStopped: Asked before each run. Those that are left then are reported by a later start.
    func report(
        _ paths: [String], to events: EventLogger, _ core: RecordingCore, unless isStopped: () -> Bool = { false },
    ) {
        guard !paths.isEmpty else { return }
        var identity = next.identity
        identity.appBuild = PreviousRun.build(identity, next.images)
        let period = core.periods.number
        for path in paths where core.periods.number == period && !isStopped() {
            report(path, before: identity, to: events, core, in: period)
        }
    }

    /// - Parameter period: The number in `RecordingPeriods` in which the report began.
    private func report(
        _ path: String, before next: RunIdentity, to events: EventLogger, _ core: RecordingCore, in period: UInt64,
    ) {
        do {
            let file = try PrivateFile(path)
            guard file.tryLock(), file.isLinked else { return }
            let problem = try file.withMapping { report($0, before: next, to: events, core, in: period) }
            if let problem, core.periods.number == period {
                report(unreadable: path, because: problem, to: events)
            }
            PrivateFiles.removeFile(path)
        } catch {
            onDiagnostic("A previous run is not reported before the next start: \(error)")
        }
    }

    /// Reports what can be read.
    ///
    /// - Returns: Why nothing can, or `nil`.
    private func report(
        _ file: UnsafeMutableRawBufferPointer, before next: RunIdentity, to events: EventLogger, _ core: RecordingCore,
        in period: UInt64,
    ) -> String? {
        // Its process ended when it had created it. Or another process has removed it, and opening it created this one.
        guard let memory = file.baseAddress else { return nil }
        guard astrolabe_run_is_valid(memory, file.count) else {
            return "the run's file is not complete or is damaged: \(file.count) bytes"
        }
        // These two words are at the same place in every layout.
        let run = OpaquePointer(memory)
        let attempts = astrolabe_run_get(run, Int32(ASTROLABE_WORD_ATTEMPTS.rawValue)) &+ 1
        astrolabe_run_set(run, Int32(ASTROLABE_WORD_ATTEMPTS.rawValue), attempts)
        guard attempts <= 2 * Self.attemptLimit else {
            return "\(attempts - 1) launches ended while they read the run's file"
        }
        let isRead = Self.read(file, withSections: attempts <= Self.attemptLimit) { copy, extent in
            report(PreviousRun(copy, extent: extent), of: run, before: next, to: events, core, in: period)
            return true
        }
        return isRead == true ? nil : "the run's file could not be copied"
    }

    private func report(
        _ previous: PreviousRun, of run: OpaquePointer, before next: RunIdentity, to events: EventLogger,
        _ core: RecordingCore, in period: UInt64,
    ) {
        if !previous.isWhole {
            onDiagnostic(
                "Parts of the file of run \(previous.identity.runID) cannot be read: it is damaged, or of another "
                    + "version of the SDK. What can be read is reported.")
        }
        // Each of these calls code of the app.
        guard core.periods.number == period else { return }
        record(.crash, of: run, previous.crashEvent, to: events)
        guard core.periods.number == period else { return }
        if let crash = previous.reportedCrash { reported.add(crash) }
        record(.spans, of: run) { previous.recordOpenSpans(in: core, of: period) }
        guard core.periods.number == period else { return }
        record(.hang, of: run, previous.hangEvent(thresholds), to: events)
        guard core.periods.number == period else { return }
        if let hang = previous.reportedHang { reported.add(hang) }
        record(.end, of: run, previous.endEvent(before: next), to: events)
    }

    private func report(unreadable path: String, because reason: String, to events: EventLogger) {
        let name = path.split(separator: "/").last ?? ""
        let time = PrivateFiles.modified(path).map { UInt64(clamping: $0) &* 1_000_000_000 } ?? SystemTime.wall
        let id = String(name.dropLast(HealthRunFile.suffix.count))
        emit(PreviousRun.unreadableEvent(runID: id, time: time, because: reason), to: events)
        onDiagnostic("A previous run cannot be reported: \(reason), \(path)")
    }

    /// Calls `body` with a copy of the file in the layout of this version; `nil` if it contains no run.
    private static func read<Result>(
        _ file: UnsafeMutableRawBufferPointer, withSections: Bool, _ body: (OpaquePointer, astrolabe_extent) -> Result,
    ) -> Result? {
        guard let memory = file.baseAddress, astrolabe_run_is_valid(memory, file.count) else { return nil }
        var extent = ASTROLABE_EXTENT_PART
        guard let copy = astrolabe_run_copy(memory, file.count, withSections, &extent) else { return nil }
        defer { astrolabe_run_free(copy) }
        return body(copy, extent)
    }

    private func record(_ part: Part, of run: OpaquePointer, _ event: PreviousRunEvent?, to events: EventLogger) {
        guard let event else { return }
        record(part, of: run) { emit(event, to: events) }
    }

    private func emit(_ event: PreviousRunEvent, to events: EventLogger) {
        events.emit(
            earlier: event.name, severity: event.severity, attributes: event.attributes,
            timeUnixNano: event.timeUnixNano, context: event.context, priority: event.priority)
    }

    private func record(_ part: Part, of run: OpaquePointer, _ body: () -> Void) {
        let word = Int32(ASTROLABE_WORD_REPORTED.rawValue)
        let reported = astrolabe_run_get(run, word)
        guard reported & part.rawValue == 0 else { return }
        body()
        astrolabe_run_set(run, word, reported | part.rawValue)
    }
}
