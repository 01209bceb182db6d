package import Platform
package import TelemetryModel

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

    package init(
        sink: any RecordSink, clock: TelemetryClock = .anchored(), ids: IDGenerator = IDGenerator(),
        sampler: any Sampler = ParentBasedSampler(root: AlwaysOnSampler()), limits: RecordLimits = RecordLimits(),
        redactor: Redactor = Redactor(), ambient: AmbientAttributes = AmbientAttributes(),
    ) {
        self.sink = sink
        self.clock = clock
        self.ids = ids
        sampling = SamplingPlan(sampler)
        self.limits = limits
        self.redactor = redactor
        self.ambient = ambient
    }

    func makeTraceID() -> TraceID {
        let random = ids.next128()
        return TraceID(high: random.high, low: random.low)
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
