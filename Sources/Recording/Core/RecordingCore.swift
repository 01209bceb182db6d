package import AstrolabePlatform
package import AstrolabeTelemetryModel
import Atomics

/// What all tracers, loggers and meters of one running SDK share; immutable, so that reading it needs no lock.
@usableFromInline
package final class RecordingCore: Sendable {
    package let sink: any RecordSink
    package let clock: TelemetryClock
    package let ids: IDGenerator
    let sampling: SamplingPlan
    package let limits: RecordLimits
    package let redactor: Redactor
    package let ambient: AmbientAttributes
    package let breadcrumbs: Breadcrumbs
    /// Whether spans that were sampled out and fail are recorded after all.
    let keepsErrors: Bool
    let sampledOutCounter: SampledOutCounter
    let keptByErrorCounter: ManagedAtomic<UInt64>
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
    ) {
        let sampling = SamplingPlan(sampler)
        let keepsErrors = keepsErrors && !sampling.isOff
        let number = WeakCoreRegistry.makeNumber()
        let counter = SampledOutCounter(core: number, keepsErrors: keepsErrors)
        let kept = ManagedAtomic<UInt64>(0)
        let breadcrumbs = Breadcrumbs()
        func make(deputy: WeakCoreRegistry?) -> RecordingCore {
            RecordingCore(
                sink: sink, clock: clock, ids: ids, sampling: sampling, limits: limits, redactor: redactor,
                ambient: ambient, breadcrumbs: breadcrumbs, keepsErrors: keepsErrors, sampledOut: counter,
                keptByError: kept, deputy: deputy, )
        }
        self.init(
            sink: sink, clock: clock, ids: ids, sampling: sampling, limits: limits, redactor: redactor,
            ambient: ambient, breadcrumbs: breadcrumbs, keepsErrors: keepsErrors, sampledOut: counter,
            keptByError: kept, deputy: keepsErrors ? WeakCoreRegistry(make(deputy: nil), number: number) : nil, )
    }

    private init(
        sink: any RecordSink, clock: TelemetryClock, ids: IDGenerator, sampling: SamplingPlan, limits: RecordLimits,
        redactor: Redactor, ambient: AmbientAttributes, breadcrumbs: Breadcrumbs, keepsErrors: Bool,
        sampledOut: SampledOutCounter, keptByError: ManagedAtomic<UInt64>, deputy: WeakCoreRegistry?,
    ) {
        self.sink = sink
        self.clock = clock
        hasSystemClock = clock.offsetFromBoot != nil
        self.ids = ids
        self.sampling = sampling
        self.limits = limits
        self.redactor = redactor
        self.ambient = ambient
        self.breadcrumbs = breadcrumbs
        self.keepsErrors = keepsErrors
        sampledOutCounter = sampledOut
        keptByErrorCounter = keptByError
        self.deputy = deputy
    }

    /// How many spans have started and, by the sampler's decision, were not recorded; those that an error has kept
    /// after all are in `keptByError` too.
    package var sampledOut: UInt64 { sampledOutCounter.count }

    /// How many of the spans that were sampled out have been recorded after all, because they or their trace failed.
    package var keptByError: UInt64 { keptByErrorCounter.load(ordering: .relaxed) }

    /// Tells how many spans have been given up so far because they were sampled out, without holding on to the core.
    package var droppedBySampling: @Sendable () -> Int {
        { [sampledOutCounter, keptByErrorCounter] in
            // In this order: a span is counted as sampled out before it can be kept.
            let kept = keptByErrorCounter.load(ordering: .acquiring)
            return Int(clamping: sampledOutCounter.count &- kept)
        }
    }

    /// Whether a trace would be recorded that began now in the session and had its id: what holds for records that
    /// belong to the session as a whole.
    package func samples(session: String) -> Bool {
        let id = TraceID(hex: session.lowercased().filter { $0 != "-" }) ?? TraceID(high: 0, low: 1)
        return sampling.decideRoot(traceID: id, name: "", kind: .internal).isSampled
    }

    /// How much longer than its limit a text may be for `Redactor` to see whole what straddles the limit.
    private static let redactionMargin = 1_024

    /// Whether a text may be recorded as it is: the answer for nearly every one.
    @inline(__always)
    func isAdmissible(_ text: UnsafeBufferPointer<UInt8>, key: UnsafeBufferPointer<UInt8>) -> Bool {
        text.count <= limits.attributeValueLength && redactor.isClean(text, key: key)
    }

    /// The text as it may be recorded: without secrets and within the length limit.
    package func admitted(_ text: String, key: String = "") -> String {
        let limit = limits.attributeValueLength
        let bounded = text.truncated(toUTF8: limit + Self.redactionMargin)
        return redactor.redacted(bounded, key: key).truncated(toUTF8: limit)
    }

    /// The value as it may be recorded: without secrets and within the limits of length and depth.
    package func admitted(_ value: AttributeValue, key: String) -> AttributeValue {
        admitted(value, key: key, depth: 0)
    }

    private func admitted(_ value: AttributeValue, key: String, depth: Int) -> AttributeValue {
        switch value {
        case .empty, .bool: return value
        case .string(let text): return .string(admitted(text, key: key))
        case .int, .double, .bytes, .array, .map:
            if redactor.isSecret(key: key) { return .string(Redactor.replacement) }
        }
        switch value {
        case .int(let number) where redactor.isSecret(number): return .string(Redactor.replacement)
        case .bytes(let bytes): return .bytes(Array(bytes.prefix(limits.attributeValueLength)))
        case .array where depth >= limits.attributeValueDepth, .map where depth >= limits.attributeValueDepth:
            return .empty
        case .array(let values): return .array(values.map { admitted($0, key: key, depth: depth + 1) })
        case .map(let values): return .map(admitted(values, limit: limits.attributeCount, depth: depth + 1).kept)
        case .empty, .bool, .string, .int, .double: return value
        }
    }

    /// The first `limit` attributes as they may be recorded, and how many were left out. Those without a key are none.
    package func admitted(_ attributes: Attributes, limit: Int) -> (kept: Attributes, dropped: UInt32) {
        admitted(attributes, limit: limit, depth: 0)
    }

    private func admitted(_ attributes: Attributes, limit: Int, depth: Int) -> (kept: Attributes, dropped: UInt32) {
        var kept: [Attributes.Element] = []
        var dropped: UInt32 = 0
        for element in attributes where !element.key.isEmpty {
            if kept.count < limit {
                let value = admitted(element.value, key: element.key, depth: depth)
                kept.append(Attributes.Element(key: element.key, value: value))
            } else {
                dropped += 1
            }
        }
        return (Attributes(uniqueElements: kept), dropped)
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
