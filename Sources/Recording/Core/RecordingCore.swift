package import Platform
package import TelemetryModel

/// What all tracers, loggers and meters of one running SDK share; immutable, so that reading it needs no lock.
package final class RecordingCore: Sendable {
    package let sink: any RecordSink
    package let clock: TelemetryClock
    package let ids: IDGenerator
    package let sampler: any Sampler
    package let limits: RecordLimits
    package let redactor: Redactor
    package let ambient: AmbientAttributes

    package init(
        sink: any RecordSink, clock: TelemetryClock = .anchored(), ids: IDGenerator = IDGenerator(),
        sampler: any Sampler = ParentBasedSampler(root: AlwaysOnSampler()), limits: RecordLimits = RecordLimits(),
        redactor: Redactor = Redactor(), ambient: AmbientAttributes = AmbientAttributes()
    ) {
        self.sink = sink
        self.clock = clock
        self.ids = ids
        self.sampler = sampler
        self.limits = limits
        self.redactor = redactor
        self.ambient = ambient
    }

    /// The value as it may be recorded: without secrets and within the length limit.
    package func admitted(_ value: AttributeValue, key: String) -> AttributeValue {
        switch value {
        case .string(let text): .string(redactor.redacted(text, key: key).truncated(toUTF8: limits.attributeValueLength))
        case .array(let values): .array(values.map { admitted($0, key: key) })
        case .map(let values): .map(admitted(values, limit: limits.attributeCount).kept)
        case .int, .double: redactor.isSecret(key: key) ? .string(Redactor.replacement) : value
        case .empty, .bool, .bytes: value
        }
    }

    /// The first `limit` attributes as they may be recorded, and how many were left out.
    package func admitted(_ attributes: Attributes, limit: Int) -> (kept: Attributes, dropped: UInt32) {
        var kept = Attributes()
        for element in attributes.prefix(limit) where !element.key.isEmpty {
            kept[element.key] = admitted(element.value, key: element.key)
        }
        return (kept, UInt32(attributes.count - kept.count))
    }
}

extension String {
    /// At most `limit` bytes of UTF-8, cut between characters' scalars.
    func truncated(toUTF8 limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end > startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
