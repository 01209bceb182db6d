package import AstrolabeTelemetryModel

/// Access to the contents of attribute values.
extension AttributeValue {
    /// The elements of an array; empty for other types.
    package var elements: [AttributeValue] {
        if case .array(let elements) = self { elements } else { [] }
    }

    /// The members of a map; `nil` for other types.
    package var members: Attributes? {
        if case .map(let members) = self { members } else { nil }
    }

    /// The value of an integer or a finite double; `nil` for other values.
    package var number: Double? {
        let number = doubleValue ?? intValue.map(Double.init)
        return number?.isFinite == true ? number : nil
    }

    package var isTrue: Bool { self == .bool(true) }
}
