package import AstrolabeTelemetryModel

/// Values of all types, for attributes that no record limits: those of the resource.
extension Redactor {
    /// The depth to which arrays and maps may be nested; what is deeper is left out.
    private static let depthLimit = 16

    /// The attributes without what must not be recorded.
    package func redacted(_ attributes: Attributes) -> Attributes {
        redacted(attributes, depth: 0)
    }

    private func redacted(_ attributes: Attributes, depth: Int) -> Attributes {
        // Two keys may become the same.
        Attributes(
            elements: attributes.map { element in
                Attributes.Element(
                    key: redacted(element.key), value: redacted(element.value, key: element.key, depth: depth))
            })
    }

    @inline(never)
    private func redacted(_ value: AttributeValue, key: String, depth: Int) -> AttributeValue {
        if mustReplace(value, key: key) { return .string(Self.replacement) }
        switch value {
        case .string(let text): return .string(redacted(text, key: key))
        case .bytes(let bytes) where isSecret(bytes: bytes[...]): return .string(Self.replacement)
        case .array where depth >= Self.depthLimit, .map where depth >= Self.depthLimit: return .empty
        case .array(let values): return .array(values.map { redacted($0, key: key, depth: depth + 1) })
        case .map(let values): return .map(redacted(values, depth: depth + 1))
        case .empty, .bool, .int, .double, .bytes: return value
        }
    }
}
