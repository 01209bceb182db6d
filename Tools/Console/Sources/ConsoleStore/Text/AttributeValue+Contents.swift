package import AstrolabeTelemetryModel

/// What is inside of a value, for those who read records of a known shape.
extension AttributeValue {
    /// The elements of an array; none of anything else.
    package var elements: [AttributeValue] {
        if case .array(let elements) = self { elements } else { [] }
    }

    /// The members of a map; `nil` of anything else.
    package var members: Attributes? {
        if case .map(let members) = self { members } else { nil }
    }

    /// A number, whole or not; `nil` where it is none or not finite.
    package var number: Double? {
        let number = doubleValue ?? intValue.map(Double.init)
        return number?.isFinite == true ? number : nil
    }

    package var isTrue: Bool { self == .bool(true) }
}
