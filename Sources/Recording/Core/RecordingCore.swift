package import AstrolabePlatform
package import AstrolabeTelemetryModel
import Atomics

/// The part that all tracers, loggers and meters of one running SDK share; immutable, so that reading it needs no lock.
@usableFromInline
package final class RecordingCore: Sendable {
    package let sink: any RecordSink
    package let clock: TelemetryClock
    package let ids: IDGenerator
    let sampling: SamplingPlan
    /// The app's processors between its records and their storage; `nil` if there are none.
    let processors: RecordProcessors?
    /// True if processors, or a sampler of the app, see the attributes that a span starts with.
    @usableFromInline let isExtended: Bool
    package let limits: RecordLimits
    package let redactor: Redactor
    package let ambient: AmbientAttributes
    package let breadcrumbs: Breadcrumbs
    package let notices: RecordingNotices
    package let scopes: RegisteredScopes
    package let sessionDeadline: SessionDeadline
    /// When the user's consent permits recording.
    package let periods: RecordingPeriods
    /// The signal in which exceptions of spans are recorded.
    let exceptionSignal: ExceptionSignal
    private let disabledSignals: Set<RecordKind>
    /// `nil` if traces that were sampled out are never recorded.
    package let recorder: RecorderRequests?
    private let sampledOutSpans: UnsafeAtomic<Bool>
    /// `ContextUse.word` at hand: to reach a global is a call.
    let contextUse = ContextUse.word

    /// - Parameters:
    ///   - recorder: The triggers of the flight recorder. Default `nil`: there is none, and sampled-out traces are not
    ///     recorded. They never are where the sampler is `AlwaysOffSampler`.
    ///   - recorderKey: The records that belong to a request of the flight recorder.
    package init(
        sink: any RecordSink, clock: TelemetryClock = .anchored(), ids: IDGenerator = IDGenerator(),
        sampler: any Sampler = ParentBasedSampler(root: AlwaysOnSampler()), limits: RecordLimits = RecordLimits(),
        redactor: Redactor = Redactor(), ambient: AmbientAttributes = AmbientAttributes(),
        notices: RecordingNotices = RecordingNotices(), processors: RecordProcessors? = nil,
        exceptionSignal: ExceptionSignal = .spanEvents, disabledSignals: Set<RecordKind> = [],
        recorder: RecorderTriggers? = nil, recorderKey: RecorderKey = .session,
    ) {
        let sampling = SamplingPlan(sampler)
        self.sink = sink
        self.clock = clock
        self.ids = ids
        self.sampling = sampling
        self.processors = processors
        self.exceptionSignal = exceptionSignal
        self.disabledSignals = disabledSignals
        self.limits = limits.bounded
        self.redactor = redactor
        self.ambient = ambient
        self.notices = notices
        breadcrumbs = Breadcrumbs()
        scopes = RegisteredScopes()
        sessionDeadline = SessionDeadline()
        periods = RecordingPeriods()
        isExtended = processors != nil || sampling.readsDetails
        self.recorder = sampling.isOff ? nil : recorder.map { RecorderRequests($0, key: recorderKey) }
        sampledOutSpans = .create(self.recorder != nil)
    }

    deinit {
        sampledOutSpans.destroy()
    }

    /// True while spans of traces that were sampled out are recorded, for the flight recorder.
    @inline(__always)
    var recordsSampledOut: Bool { sampledOutSpans.load(ordering: .relaxed) }

    /// Turns the recording of sampled-out traces off, or on again if there is a flight recorder.
    package func recordSampledOut(_ isOn: Bool) {
        sampledOutSpans.store(isOn && recorder != nil, ordering: .relaxed)
    }

    /// Returns true if an event is for the flight recorder: a server keeps those of sampled-out traces there, except
    /// errors.
    func isForRecorder(_ number: Int32, _ context: SpanContext?, _ priority: Priority) -> Bool {
        guard recorder?.key == .trace, recordsSampledOut, let context else { return false }
        return context.isValid && !context.isSampled && number < Severity.error.rawValue && priority < .critical
    }

    /// Returns true if records of this kind are made. Tracers, loggers and instruments of others do nothing and cost
    /// nothing.
    func records(_ kind: RecordKind) -> Bool { !disabledSignals.contains(kind) }

    /// Tells how many records `beforeSend` has dropped so far, without holding on to the core.
    package var droppedByFilters: @Sendable () -> Int {
        { [processors] in processors?.filteredCount ?? 0 }
    }

    /// Returns true if a trace would be recorded that began now in the session and had its id: what holds for records
    /// that belong to the session as a whole.
    package func samples(session: String) -> Bool {
        let id = TraceID(hex: session.lowercased().filter { $0 != "-" }) ?? TraceID(high: 0, low: 1)
        return sampling.decideRoot(traceID: id, name: "", kind: .internal).isSampled
    }
}

extension String {
    /// Calls `body` with the UTF-8 of the text, in place where it is stored as such.
    @inline(__always)
    func withUTF8Bytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        var copy = self
        return copy.withUTF8(body)
    }

    /// At most `limit` bytes of UTF-8, cut between characters' scalars.
    @inline(__always)
    func truncated(toUTF8 limit: Int) -> String {
        utf8.count > limit ? cut(toUTF8: limit) : self
    }

    @inline(never)
    private func cut(toUTF8 limit: Int) -> String {
        guard limit > 0 else { return "" }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end > startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
