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
    /// True if spans that were sampled out and fail are recorded after all.
    let keepsErrors: Bool
    let sampledOutCounter: SampledOutCounter
    let repeatedErrors = RepeatedErrors()
    let hasSystemClock: Bool
    /// `ContextUse.word`, `ContextScope.$mark` and `FailedSpans.filterAddress` at hand: to reach a global is a call.
    let contextUse = ContextUse.word
    let contextMark = ContextScope.$mark
    let failuresAddress = FailedSpans.filterAddress
    private let deputy: WeakCoreRegistry?

    /// - Parameter keepsErrors: Whether a span that was sampled out is recorded after all where it fails, with the
    ///   local root of its trace; never where the sampler is `AlwaysOffSampler`.
    package convenience init(
        sink: any RecordSink, clock: TelemetryClock = .anchored(), ids: IDGenerator = IDGenerator(),
        sampler: any Sampler = ParentBasedSampler(root: AlwaysOnSampler()), limits: RecordLimits = RecordLimits(),
        redactor: Redactor = Redactor(), ambient: AmbientAttributes = AmbientAttributes(), keepsErrors: Bool = true,
        notices: RecordingNotices = RecordingNotices(), processors: RecordProcessors? = nil,
        exceptionSignal: ExceptionSignal = .spanEvents, disabledSignals: Set<RecordKind> = [],
    ) {
        let limits = limits.bounded
        let sampling = SamplingPlan(sampler)
        let keepsErrors = keepsErrors && !sampling.isOff
        let number = WeakCoreRegistry.makeNumber()
        let counter = SampledOutCounter(core: number, keepsErrors: keepsErrors)
        let breadcrumbs = Breadcrumbs()
        let scopes = RegisteredScopes()
        let deadline = SessionDeadline()
        let periods = RecordingPeriods()
        func make(deputy: WeakCoreRegistry?) -> RecordingCore {
            RecordingCore(
                sink: sink, clock: clock, ids: ids, sampling: sampling, limits: limits, redactor: redactor,
                ambient: ambient, breadcrumbs: breadcrumbs, notices: notices, keepsErrors: keepsErrors,
                processors: processors, exceptionSignal: exceptionSignal, disabledSignals: disabledSignals,
                scopes: scopes, sessionDeadline: deadline, periods: periods, sampledOut: counter,
                deputy: deputy, )
        }
        self.init(
            sink: sink, clock: clock, ids: ids, sampling: sampling, limits: limits, redactor: redactor,
            ambient: ambient, breadcrumbs: breadcrumbs, notices: notices, keepsErrors: keepsErrors,
            processors: processors, exceptionSignal: exceptionSignal, disabledSignals: disabledSignals,
            scopes: scopes, sessionDeadline: deadline, periods: periods, sampledOut: counter,
            deputy: keepsErrors ? WeakCoreRegistry(make(deputy: nil), number: number) : nil, )
    }

    private init(
        sink: any RecordSink, clock: TelemetryClock, ids: IDGenerator, sampling: SamplingPlan, limits: RecordLimits,
        redactor: Redactor, ambient: AmbientAttributes, breadcrumbs: Breadcrumbs, notices: RecordingNotices,
        keepsErrors: Bool, processors: RecordProcessors?, exceptionSignal: ExceptionSignal,
        disabledSignals: Set<RecordKind>, scopes: RegisteredScopes, sessionDeadline: SessionDeadline,
        periods: RecordingPeriods, sampledOut: SampledOutCounter,
        deputy: WeakCoreRegistry?,
    ) {
        self.sink = sink
        self.clock = clock
        hasSystemClock = clock.offsetFromBoot != nil
        self.ids = ids
        self.sampling = sampling
        self.processors = processors
        self.exceptionSignal = exceptionSignal
        self.disabledSignals = disabledSignals
        self.scopes = scopes
        self.sessionDeadline = sessionDeadline
        self.periods = periods
        isExtended = processors != nil || sampling.readsDetails
        self.limits = limits
        self.redactor = redactor
        self.ambient = ambient
        self.breadcrumbs = breadcrumbs
        self.notices = notices
        self.keepsErrors = keepsErrors
        sampledOutCounter = sampledOut
        self.deputy = deputy
    }

    /// Returns true if records of this kind are made. Tracers, loggers and instruments of others do nothing and cost
    /// nothing.
    func records(_ kind: RecordKind) -> Bool { !disabledSignals.contains(kind) }

    /// The number of spans that have started and, by the sampler's decision, were not recorded; those that an error has
    /// kept after all are in `keptByError` too.
    package var sampledOut: UInt64 { sampledOutCounter.count }

    /// The number of sampled-out spans that have been recorded after all, because they or their trace failed.
    package var keptByError: UInt64 { sampledOutCounter.keptByError.load(ordering: .relaxed) }

    /// Returns the number of spans that sampling has dropped so far, without holding on to the core.
    package var droppedBySampling: @Sendable () -> Int {
        { [sampledOutCounter] in
            // In this order: a span is counted as sampled out before it can be kept.
            let kept = sampledOutCounter.keptByError.load(ordering: .acquiring)
            return Int(clamping: sampledOutCounter.count &- kept)
        }
    }

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
