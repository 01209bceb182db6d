/// A rule of a contract that an implementation breaks.
public struct ConformanceViolation: Hashable, Sendable {
    /// The rule that was broken.
    public let rule: String
    /// The behaviour that was seen instead.
    public let found: String
}

extension ConformanceViolation: CustomStringConvertible {
    public var description: String { "\(rule): \(found)" }
}
