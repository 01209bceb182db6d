/// A rule of a contract that an implementation breaks.
public struct ConformanceViolation: Hashable, Sendable {
    /// What is asked.
    public let rule: String
    /// What was seen in its place.
    public let found: String
}

extension ConformanceViolation: CustomStringConvertible {
    public var description: String { "\(rule): \(found)" }
}
