import AstrolabeRecording
import AstrolabeTelemetryModel
import OpenTelemetryApi

extension AstrolabeTelemetryModel.AttributeValue {
    init(_ value: OpenTelemetryApi.AttributeValue) {
        switch value {
        case .string(let text): self = .string(text)
        case .bool(let flag): self = .bool(flag)
        case .int(let number): self = .int(Int64(number))
        case .double(let number): self = .double(number)
        case .array(let list): self = .array(list.values.map(Self.init))
        case .set(let set): self = .map(Attributes(set.labels))
        default:
            // The typed arrays, which are deprecated: to name them here would be a warning.
            switch Mirror(reflecting: value).children.first?.value {
            case let texts as [String]: self = .array(texts.map { .string($0) })
            case let flags as [Bool]: self = .array(flags.map { .bool($0) })
            case let numbers as [Int]: self = .array(numbers.map { .int(Int64($0)) })
            case let numbers as [Double]: self = .array(numbers.map { .double($0) })
            default: self = .string(value.description)
            }
        }
    }
}

extension Attributes {
    /// Ordered by key: a dictionary has another order in each process.
    init(_ values: [String: OpenTelemetryApi.AttributeValue]) {
        self.init()
        for key in values.keys.sorted() { self[key] = values[key].map(AttributeValue.init) }
    }
}

extension AstrolabeTelemetryModel.SpanContext {
    init(_ context: OpenTelemetryApi.SpanContext) {
        let entries = context.traceState.entries
        let header = entries.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
        self.init(
            traceID: TraceID(high: context.traceId.idHi, low: context.traceId.idLo),
            spanID: SpanID(context.spanId.rawValue), flags: TraceFlags(rawValue: context.traceFlags.byte),
            traceState: header.isEmpty ? TraceState() : TraceState(header: header) ?? TraceState(),
            isRemote: context.isRemote)
    }
}

extension OpenTelemetryApi.SpanContext {
    static func of(_ context: AstrolabeTelemetryModel.SpanContext) -> Self {
        let entries = context.traceState.header.split(separator: ",").compactMap { member in
            let sides = member.split(separator: "=", maxSplits: 1)
            return sides.count == 2
                ? OpenTelemetryApi.TraceState.Entry(key: String(sides[0]), value: String(sides[1])) : nil
        }
        let make = context.isRemote ? createFromRemoteParent : create
        return make(
            TraceId(idHi: context.traceID.high, idLo: context.traceID.low), SpanId(id: context.spanID.value),
            TraceFlags(fromByte: context.flags.rawValue),
            OpenTelemetryApi.TraceState(entries: entries) ?? OpenTelemetryApi.TraceState())
    }
}

extension AstrolabeTelemetryModel.SpanKind {
    init(_ kind: OpenTelemetryApi.SpanKind) {
        switch kind {
        case .internal: self = .internal
        case .server: self = .server
        case .client: self = .client
        case .producer: self = .producer
        case .consumer: self = .consumer
        }
    }
}

extension OpenTelemetryApi.SpanKind {
    init(_ kind: AstrolabeTelemetryModel.SpanKind) {
        switch kind {
        case .internal: self = .internal
        case .server: self = .server
        case .client: self = .client
        case .producer: self = .producer
        case .consumer: self = .consumer
        }
    }
}

extension AstrolabeTelemetryModel.SpanStatus {
    init(_ status: OpenTelemetryApi.Status) {
        switch status {
        case .unset: self = .unset
        case .ok: self = .ok
        case .error(let description): self = .error(description)
        }
    }
}

extension OpenTelemetryApi.Status {
    init(_ status: AstrolabeTelemetryModel.SpanStatus) {
        switch status {
        case .unset: self = .unset
        case .ok: self = .ok
        case .error(let description): self = .error(description: description)
        }
    }
}

extension AstrolabeRecording.Baggage {
    init(_ baggage: any OpenTelemetryApi.Baggage) {
        self.init()
        for entry in baggage.getEntries().sorted() {
            self[member: entry.key.name] = Member(
                value: entry.value.string, metadata: entry.metadata?.metadata ?? "")
        }
    }

    /// The same pairs as an object of the API. Names and values that it does not take are left out.
    var apiBaggage: any OpenTelemetryApi.Baggage {
        let builder = DefaultBaggageBuilder().setNoParent()
        for name in names {
            guard let member = self[member: name], let key = EntryKey(name: name),
                let value = EntryValue(string: member.value)
            else { continue }
            builder.put(key: key, value: value, metadata: EntryMetadata(metadata: member.metadata))
        }
        return builder.build()
    }
}
