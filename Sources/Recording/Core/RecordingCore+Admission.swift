package import AstrolabeTelemetryModel

/// Admission of the texts and values that the app gives: without secrets and within the limits.
extension RecordingCore {
    /// The length by which a text may exceed its limit for `Redactor` to see whole what straddles the limit.
    private static let redactionMargin = 1_024

    /// Returns true if a text and its key, if it has one, may be recorded as they are. Returns true for nearly every
    /// one.
    @inline(__always)
    func isAdmissible(_ text: UnsafeBufferPointer<UInt8>, key: UnsafeBufferPointer<UInt8>) -> Bool {
        text.count <= limits.attributeValueLength && key.count <= RecordLimits.keyLength
            && redactor.isClean(text, key: key)
    }

    /// Returns true if an attribute's key may be recorded as it is: the result for nearly every one.
    @inline(__always)
    func isAdmissible(key: UnsafeBufferPointer<UInt8>) -> Bool {
        key.count <= RecordLimits.keyLength && redactor.isClean(key: key)
    }

    /// The text as it may be recorded.
    package func admitted(_ text: String, key: String = "") -> String {
        let limit = limits.attributeValueLength
        let bounded = text.truncated(toUTF8: limit + Self.redactionMargin)
        return redactor.redacted(bounded, key: key).truncated(toUTF8: limit)
    }

    /// The name of a screen, a scope or an instrument as it may be recorded.
    package func admitted(name: String, limit: Int = RecordLimits.nameLength) -> String {
        redactor.redacted(name.truncated(toUTF8: limit + Self.redactionMargin)).truncated(toUTF8: limit)
    }

    /// An attribute's key as it may be recorded.
    func admitted(key: String) -> String {
        key.withUTF8Bytes { isAdmissible(key: $0) } ? key : admitted(name: key, limit: RecordLimits.keyLength)
    }

    /// Makes a scope known to the sink, as it may be recorded.
    func register(_ scope: InstrumentationScope) -> ScopeNumber {
        let scope = admitted(scope)
        let number = sink.register(scope)
        scopes.add(scope, number)
        return number
    }

    func admitted(_ scope: InstrumentationScope) -> InstrumentationScope {
        let (attributes, dropped) = admitted(scope.attributes, limit: limits.attributeCount)
        return InstrumentationScope(
            name: admitted(name: scope.name), version: admitted(name: scope.version),
            schemaURL: admitted(name: scope.schemaURL), attributes: attributes, droppedAttributesCount: dropped)
    }

    /// The value as it may be recorded: without secrets and within the limits of length and depth.
    package func admitted(_ value: AttributeValue, key: String) -> AttributeValue {
        admitted(value, key: key, depth: 0)
    }

    private func admitted(_ value: AttributeValue, key: String, depth: Int) -> AttributeValue {
        if redactor.mustReplace(value, key: key) { return .string(Redactor.replacement) }
        switch value {
        case .string(let text): return .string(admitted(text, key: key))
        case .bytes(let bytes):
            let bounded = bytes.prefix(limits.attributeValueLength)
            return redactor.isSecret(bytes: bounded) ? .string(Redactor.replacement) : .bytes(Array(bounded))
        case .array where depth >= limits.attributeValueDepth, .map where depth >= limits.attributeValueDepth:
            return .empty
        case .array(let values): return .array(values.map { admitted($0, key: key, depth: depth + 1) })
        case .map(let values): return .map(admitted(values, limit: limits.attributeCount, depth: depth + 1).kept)
        case .empty, .bool, .int, .double: return value
        }
    }

    /// The first `limit` attributes as they may be recorded, and how many were left out. Those without a key are none.
    package func admitted(_ attributes: Attributes, limit: Int) -> (kept: Attributes, dropped: UInt32) {
        admitted(attributes, limit: limit, depth: 0)
    }

    private func admitted(_ attributes: Attributes, limit: Int, depth: Int) -> (kept: Attributes, dropped: UInt32) {
        var kept: [Attributes.Element] = []
        kept.reserveCapacity(min(attributes.count, limit))
        var dropped: UInt32 = 0
        var isAnyKeyChanged = false
        for element in attributes where !element.key.isEmpty {
            if kept.count < limit {
                let key = admitted(key: element.key)
                if key != element.key { isAnyKeyChanged = true }
                let value = admitted(element.value, key: element.key, depth: depth)
                kept.append(Attributes.Element(key: key, value: value))
            } else {
                dropped += 1
            }
        }
        guard isAnyKeyChanged else { return (Attributes(uniqueElements: kept), dropped) }
        // Two keys may have become the same.
        return (Attributes(elements: kept), dropped)
    }
}
