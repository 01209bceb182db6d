import AstrolabeTelemetryModel

extension String {
    var quoted: String { "\"\(self)\"" }
}

extension AttributeValue {
    /// The value so that a text, an integer and a floating-point number look different.
    var literal: String {
        switch self {
        case .string(let text): text.debugDescription
        case .array(let values): "[" + values.map(\.literal).joined(separator: ", ") + "]"
        case .map(let values): values.literal
        default: description
        }
    }
}

extension Attributes {
    /// The attributes by key.
    var literal: String { "[" + sortedByKey.map { "\($0.key): \($0.value.literal)" }.joined(separator: ", ") + "]" }
}

extension SpanStatus {
    var literal: String {
        switch self {
        case .unset: "unset"
        case .ok: "ok"
        case .error(let description): description.isEmpty ? "error" : "error \(description.debugDescription)"
        }
    }
}
