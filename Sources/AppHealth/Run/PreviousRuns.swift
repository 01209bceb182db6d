import AstrolabePlatform
import AstrolabeRecording
import AstrolabeTelemetryModel
import CAstrolabeCrashCapture

/// Reports previous runs, each once.
///
/// A run's file is locked while its process lives, and then by the process that reports it. Reported parts are marked
/// in the file before the file is removed. If the process ends between the record and the mark, the next run records it
/// again with the same `log.record.uid`, so receivers can deduplicate. A file that crashes its reader three times is
/// discarded.
struct PreviousRuns {
    let directory: String
    /// The current run.
    let next: RunFile
    let thresholds: HangThresholds
    /// Where crashes and hangs are noted.
    let reported: ReportedTroubles
    let onDiagnostic: @Sendable (String) -> Void

    private static let attemptLimit: UInt64 = 3

    private enum Part: UInt64 {
        case crash = 1
        case hang = 2
        case end = 4
        case spans = 8
    }

    /// Nanoseconds since process start. A crash within this time may recur as early in the next launch.
    private static let earlyLimit: UInt64 = 10_000_000_000

    /// The run files in the directory, including those of running processes.
    var paths: [String] {
        let names = PrivateFiles.names(in: directory).filter { name in
            name.hasSuffix(RunFile.suffix) && name != next.identity.runID + RunFile.suffix
        }
        return names.sorted().map { directory + "/" + $0 }
    }

    /// When the runs must be reported.
    enum Urgency {
        /// Immediately, because it takes no time: no run left stacks.
        case quick
        /// Soon: describing stacks takes milliseconds, and this run is likely to live long enough.
        case canWait
        /// Before the start goes on, and the reports must be sent too. A run crashed early, and this one may do the
        /// same. Or the process died while it reported a run, or while it sent such a report.
        case urgent
    }

    func urgency(of paths: [String]) -> Urgency {
        var urgency = Urgency.quick
        for path in paths {
            guard let file = try? PrivateFile(path), file.tryLock(), file.isLinked else { continue }
            let isUrgent = read(file) { run in
                func word(_ word: astrolabe_word) -> UInt64 { astrolabe_run_get(run, Int32(word.rawValue)) }
                let crash = astrolabe_run_crash(run).pointee
                if crash.owner != 0 || word(ASTROLABE_WORD_HANG_BEGAN) != 0 { urgency = .canWait }
                let start = word(ASTROLABE_WORD_PROCESS_START)
                let isEarly = crash.owner != 0 && crash.time - min(start, crash.time) < Self.earlyLimit
                return isEarly || word(ASTROLABE_WORD_ATTEMPTS) > 0 || word(ASTROLABE_WORD_IS_SENDING) != 0
            }
            if isUrgent == true { return .urgent }
        }
        return urgency
    }

    func report(_ paths: [String], to events: EventLogger, _ core: RecordingCore) {
        guard !paths.isEmpty else { return }
        var identity = next.identity
        identity.appBuild = PreviousRun.build(identity, next.images)
        for path in paths { report(path, before: identity, to: events, core) }
    }

    /// Maps the file and reads it; `nil` for another layout, or for a process that ended before it was initialized.
    @discardableResult
    private func read<Result>(_ file: PrivateFile, _ body: (OpaquePointer) -> Result) -> Result? {
        let size = astrolabe_run_size()
        guard file.size >= size, let memory = try? file.map(size) else { return nil }
        defer { RunFile.unmap(memory, size) }
        return body(OpaquePointer(memory))
    }

    private func report(
        _ path: String, before next: RunIdentity, to events: EventLogger, _ core: RecordingCore,
    ) {
        guard let file = try? PrivateFile(path), file.tryLock(), file.isLinked else { return }
        defer { PrivateFiles.removeFile(path) }
        read(file) { report($0, at: path, before: next, to: events, core) }
    }

    private func report(
        _ run: OpaquePointer, at path: String, before next: RunIdentity, to events: EventLogger, _ core: RecordingCore,
    ) {
        let attempts = astrolabe_run_get(run, Int32(ASTROLABE_WORD_ATTEMPTS.rawValue)) + 1
        astrolabe_run_set(run, Int32(ASTROLABE_WORD_ATTEMPTS.rawValue), attempts)
        guard attempts <= Self.attemptLimit else {
            onDiagnostic("Discarded the run file \(path): \(attempts - 1) launches ended while reading it")
            return
        }
        guard let previous = PreviousRun(run) else { return }
        record(.crash, of: run, previous.crashEvent, to: events)
        if let crash = previous.reportedCrash { reported.add(crash) }
        record(.spans, of: run) { previous.recordOpenSpans(in: core) }
        record(.hang, of: run, previous.hangEvent(thresholds), to: events)
        if let hang = previous.reportedHang { reported.add(hang) }
        record(.end, of: run, previous.endEvent(before: next), to: events)
    }

    private func record(_ part: Part, of run: OpaquePointer, _ event: PreviousRunEvent?, to events: EventLogger) {
        guard let event else { return }
        record(part, of: run) {
            events.emit(
                earlier: event.name, severity: event.severity, attributes: event.attributes,
                timeUnixNano: event.timeUnixNano, context: event.context, priority: event.priority, )
        }
    }

    private func record(_ part: Part, of run: OpaquePointer, _ body: () -> Void) {
        let word = Int32(ASTROLABE_WORD_REPORTED.rawValue)
        let reported = astrolabe_run_get(run, word)
        guard reported & part.rawValue == 0 else { return }
        body()
        astrolabe_run_set(run, word, reported | part.rawValue)
    }
}
