import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
import AstrolabeTelemetryModel
import CAstrolabeCrashCapture

/// An event about a previous run.
struct PreviousRunEvent: Sendable {
    var name: String
    var severity: Severity
    var priority: Priority
    var timeUnixNano: UInt64
    var attributes: Attributes
    var context = SpanContext.invalid
}

extension PreviousRun {
    /// Returns the attributes of the run's last moment together with its identity.
    private func attributes(over moment: Attributes) -> Attributes {
        var attributes = moment
        let identity = [
            AttributeKey.astrolabeRunID: identity.runID, AttributeKey.appBuildID: images.executableBuildID,
            AttributeKey.astrolabeAppBuildNumber: identity.appBuild, AttributeKey.serviceVersion: identity.appVersion,
            AttributeKey.osName: identity.osName, AttributeKey.osVersion: identity.osVersion,
        ]
        for (key, text) in identity.ordered(by: { $0.key < $1.key }) where !text.isEmpty {
            attributes[key] = .string(text)
        }
        return attributes
    }

    /// Returns what tells the app's builds apart: the build number, or the build ID if there is none.
    static func build(_ identity: RunIdentity, _ images: [BinaryImage]) -> String {
        identity.appBuild.isEmpty ? images.executableBuildID : identity.appBuild
    }

    /// `app.crash`; `nil` if the run did not crash.
    var crashEvent: PreviousRunEvent? {
        guard let crash else { return nil }
        let signal = SignalDescription(signal: crash.signal, code: crash.code)
        var stacks = StackDescription(images)
        var attributes = attributes(over: ambient)
        let crashed = crash.threads.first?.frames ?? []
        attributes[AttributeKey.appCrashID] = .string(identity.crashID)
        attributes[AttributeKey.logRecordUID] = .string(identity.crashID)
        attributes[AttributeKey.exceptionType] = .string(
            crash.exception.name.isEmpty ? signal.name : crash.exception.name)
        attributes[AttributeKey.exceptionMessage] = .string(message(of: crash, signal))
        if !crashed.isEmpty { attributes[AttributeKey.exceptionStacktrace] = .string(stacks.text(of: crashed)) }
        if let crumbs = Self.bounded(breadcrumbs) { attributes[AttributeKey.astrolabeBreadcrumbs] = crumbs }
        attributes[AttributeKey.astrolabeCrashSignal] = .int(Int64(crash.signal))
        attributes[AttributeKey.astrolabeCrashCode] = .int(Int64(crash.code))
        if let name = signal.codeName { attributes[AttributeKey.astrolabeCrashCodeName] = .string(name) }
        if signal.hasAddress { attributes[AttributeKey.astrolabeCrashAddress] = .address(crash.address) }
        attributes[AttributeKey.astrolabeCrashPhase] = crash.isStarted ? "running" : "starting"
        attributes[AttributeKey.astrolabeCrashStage] = .string(crash.stageName)
        if crash.isNested { attributes[AttributeKey.astrolabeCrashIsNested] = true }
        if crash.isStackOverflow { attributes[AttributeKey.astrolabeCrashIsStackOverflow] = true }
        attributes[AttributeKey.astrolabeCrashThreads] = .array(
            crash.threads.enumerated().map { index, thread in thread.attribute(isCrashed: index == 0, &stacks) })
        if !crash.registers.isEmpty { attributes[AttributeKey.astrolabeCrashRegisters] = crash.registerMap }
        attributes[AttributeKey.astrolabeImages] = stacks.imageList
        attributes[AttributeKey.astrolabeCrashUptime] = .double(Self.seconds(from: start, to: crash.time))
        if memory.free > 0 { attributes[AttributeKey.astrolabeCrashMemoryFree] = .int(Int64(clamping: memory.free)) }
        if memory.used > 0 { attributes[AttributeKey.astrolabeCrashMemoryUsed] = .int(Int64(clamping: memory.used)) }
        if let state = crash.lifecycle.appState { attributes[AttributeKey.iosAppState] = .string(state) }
        attributes[AttributeKey.processPID] = .int(Int64(clamping: process))
        return PreviousRunEvent(
            name: EventName.appCrash, severity: .fatal, priority: .critical, timeUnixNano: crash.time,
            attributes: attributes, context: crash.span)
    }

    /// The crash as it is compared with the system's reports.
    var reportedCrash: CapturedTrouble? {
        crash.map { reported(.crash(signal: $0.signal), id: identity.crashID, time: $0.time, ambient) }
    }

    /// The hang that had not been recorded when the run ended, likewise.
    var reportedHang: CapturedTrouble? {
        hang.map { hang in
            reported(
                .hang(seconds: Self.seconds(from: hang.began, to: hang.lastSeen)), id: hangID, time: hang.began,
                hang.ambient)
        }
    }

    private func reported(
        _ kind: CapturedTrouble.Kind, id: String, time: UInt64, _ moment: Attributes,
    ) -> CapturedTrouble {
        CapturedTrouble(
            kind: kind, id: id, time: time, appBuild: identity.appBuild,
            session: moment[AttributeKey.sessionID]?.stringValue ?? "")
    }

    /// Records the spans that were open at the crash, unless the user refuses meanwhile. They end with it.
    ///
    /// - Parameter period: The number in `RecordingPeriods` in which the report began.
    func recordOpenSpans(in core: RecordingCore, of period: UInt64) {
        guard let crash else { return }
        let signal = SignalDescription(signal: crash.signal, code: crash.code)
        for span in openSpans where core.periods.number == period {
            span.fields.withUnsafeBytes { UnfinishedSpan(copied: $0) }?.record(
                in: core, scope: span.scope, endTimeUnixNano: crash.time, reason: "The app crashed: \(signal.name)")
        }
    }

    private func message(of crash: CrashRecord, _ signal: SignalDescription) -> String {
        guard crash.exception.reason.isEmpty else { return crash.exception.reason }
        let text = crash.message.split(separator: "\n").joined(separator: "\n")
        return text.isEmpty ? signal.message(address: crash.address) : text
    }

    /// Returns the event of a hang that had not been recorded when the run ended; `nil` if there was none.
    func hangEvent(_ thresholds: HangThresholds) -> PreviousRunEvent? {
        guard let hang else { return nil }
        var attributes = attributes(over: hang.ambient)
        if let crumbs = Self.bounded(breadcrumbs) { attributes[AttributeKey.astrolabeBreadcrumbs] = crumbs }
        let description = HangDescription(hang, id: hangID, images: images, thresholds: thresholds)
        attributes.merge(description.attributes)
        attributes[AttributeKey.logRecordUID] = .string(hangID)
        return PreviousRunEvent(
            name: EventName.hang, severity: .error, priority: .high, timeUnixNano: hang.began, attributes: attributes,
            context: hang.span)
    }

    /// The hang's own id, or a stable one for a version that gave none: the run's id with a different last digit.
    private var hangID: String {
        if let id = hang?.id, !id.isEmpty { return id }
        return String(identity.runID.dropLast()) + (identity.runID.hasSuffix("0") ? "1" : "0")
    }

    /// Returns `astrolabe.run.end`.
    func endEvent(before next: RunIdentity) -> PreviousRunEvent {
        var evidence = RunEvidence(run: identity)
        evidence.run.appBuild = Self.build(identity, images)
        evidence.crash = crash.map { SignalDescription(signal: $0.signal, code: $0.code).name }
        evidence.isClean = isClean
        evidence.hasExited = hasExited
        evidence.signal = endSignal == 0 ? nil : SignalDescription(signal: endSignal, code: 0).name
        evidence.isWhole = isWhole
        evidence.isKnown = isKnown
        evidence.hang = hang.flatMap { $0.isInProgress ? Self.seconds(from: $0.began, to: $0.lastSeen) : nil }
        evidence.isInBackground = lifecycle.isInBackground || isAwaitingLaunch
        evidence.freeMemory = memory.free
        evidence.usedMemory = memory.used
        let ending = evidence.ending(before: next)
        var attributes = attributes(over: ambient)
        attributes[AttributeKey.logRecordUID] = .string(identity.runID)
        attributes[AttributeKey.astrolabeRunEndReason] = .string(ending.reason.rawValue)
        attributes[AttributeKey.astrolabeRunEndEvidence] = .array(ending.evidence.map { .string($0) })
        attributes[AttributeKey.astrolabeRunDuration] = .double(Self.seconds(from: start, to: lastSeen))
        if crash != nil { attributes[AttributeKey.appCrashID] = .string(identity.crashID) }
        if let signal = ending.signal { attributes[AttributeKey.astrolabeRunEndSignal] = .string(signal) }
        if uncollected > 0 {
            attributes[AttributeKey.astrolabeRunUncollected] = .double(Double(uncollected) / 1e9)
        }
        if ending.reason == .hang { attributes[AttributeKey.astrolabeHangID] = .string(hangID) }
        if let state = lifecycle.appState { attributes[AttributeKey.iosAppState] = .string(state) }
        return PreviousRunEvent(
            name: EventName.runEnd, severity: ending.isFailure ? .error : .info,
            priority: ending.isFailure ? .high : .normal, timeUnixNano: lastSeen, attributes: attributes)
    }

    /// Returns `astrolabe.run.end` of a run whose file has nothing that can be read.
    ///
    /// - Parameters:
    ///   - runID: From the name of the file.
    ///   - time: The last change of the file, in nanoseconds since 1970.
    static func unreadableEvent(runID: String, time: UInt64, because reason: String) -> PreviousRunEvent {
        PreviousRunEvent(
            name: EventName.runEnd, severity: .warn, priority: .high, timeUnixNano: time,
            attributes: [
                AttributeKey.astrolabeRunID: runID, AttributeKey.logRecordUID: runID,
                AttributeKey.astrolabeRunEndReason: RunEnding.Reason.unknown.rawValue,
                AttributeKey.astrolabeRunEndEvidence: AttributeValue.array([.string(reason)]),
            ])
    }

    static func seconds(from start: UInt64, to end: UInt64) -> Double { Double(end - min(start, end)) / 1e9 }

    /// Returns the newest breadcrumbs that fit into an error's limit.
    static func bounded(_ crumbs: [String]) -> AttributeValue? {
        var size = 0
        let kept = crumbs.reversed().prefix { crumb in
            size += crumb.utf8.count
            return size <= 16_384
        }
        return kept.isEmpty ? nil : .array(kept.reversed().map { .string($0) })
    }
}

extension CrashRecord {
    fileprivate var stageName: String {
        switch stage {
        case ASTROLABE_STAGE_BEGUN.rawValue: "begun"
        case ASTROLABE_STAGE_REGISTERS.rawValue: "registers"
        case ASTROLABE_STAGE_STACK.rawValue: "stack"
        case ASTROLABE_STAGE_THREADS.rawValue: "threads"
        default: "complete"
        }
    }

    /// True if the accessed address is close to the end of the stack.
    fileprivate var isStackOverflow: Bool {
        guard SignalDescription(signal: signal, code: code).hasAddress, address > 65_536 else { return false }
        return address < stackPointer &+ 4_096 && address &+ 65_536 > stackPointer
    }

    fileprivate var registerMap: AttributeValue {
        var map = Attributes()
        for (name, value) in zip(RegisterNames.all, registers) { map[name] = .address(value) }
        return .map(map)
    }
}

extension CrashRecord.Thread {
    fileprivate func attribute(isCrashed: Bool, _ stacks: inout StackDescription) -> AttributeValue {
        var map: Attributes = ["id": Int64(id)]
        if !name.isEmpty { map["name"] = .string(name) }
        if isCrashed { map["is_crashed"] = true }
        if isMain { map["is_main"] = true }
        if !frames.isEmpty { map["frames"] = stacks.frames(frames) }
        return .map(map)
    }
}
