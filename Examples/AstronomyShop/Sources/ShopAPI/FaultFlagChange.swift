/// Flags to set and their new values; those it does not name stay as they are. The body of `PUT /flags`.
///
/// ```swift
/// let change = try FaultFlagChange(["paymentFailure=50", "adFailure=on"])
/// ```
public struct FaultFlagChange: Hashable, Sendable {
    /// Values of each flag's kind and within its range.
    public private(set) var values: [FaultFlags.Name: FaultFlags.Value] = [:]

    /// A change of nothing; ``set(_:to:)`` adds to it.
    public init() {}

    /// Reads assignments as a command line has them: "paymentFailure=50", "adFailure=on" (or off, true, false).
    ///
    /// - Throws: ``FaultFlagError`` for a name, a value or a form that is not known.
    public init(_ assignments: [String]) throws(FaultFlagError) {
        for assignment in assignments {
            let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw .notAnAssignment(assignment) }
            let name = String(parts[0])
            switch parts[1] {
            case "on", "true": try set(name: name, to: .toggle(true))
            case "off", "false": try set(name: name, to: .toggle(false))
            default:
                guard let number = Int(parts[1]) else { throw .notAValue(name: name) }
                try set(name: name, to: .number(number))
            }
        }
    }

    /// Adds one flag.
    ///
    /// - Throws: ``FaultFlagError/notAValue(name:)`` if the value is not of the flag's kind or range.
    public mutating func set(_ name: FaultFlags.Name, to value: FaultFlags.Value) throws(FaultFlagError) {
        switch (value, name.range) {
        case (.toggle, nil): values[name] = value
        case (.number(let number), let range?) where range.contains(number): values[name] = value
        default: throw .notAValue(name: name.rawValue)
        }
    }

    private mutating func set(name: String, to value: FaultFlags.Value) throws(FaultFlagError) {
        guard let known = FaultFlags.Name(rawValue: name) else { throw .unknownFlag(name) }
        try set(known, to: value)
    }
}

extension FaultFlagChange: Codable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        for key in container.allKeys {
            do throws(FaultFlagError) {
                if let isOn = try? container.decode(Bool.self, forKey: key) {
                    try set(name: key.stringValue, to: .toggle(isOn))
                } else if let number = try? container.decode(Int.self, forKey: key) {
                    try set(name: key.stringValue, to: .number(number))
                } else {
                    throw .notAValue(name: key.stringValue)
                }
            } catch {
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(
                        codingPath: container.codingPath + [key], debugDescription: error.description,
                        underlyingError: error,
                    ))
            }
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for (name, value) in values {
            let key = Key(stringValue: name.rawValue)
            switch value {
            case .toggle(let isOn): try container.encode(isOn, forKey: key)
            case .number(let number): try container.encode(number, forKey: key)
            }
        }
    }
}

/// Why a fault flag cannot be set.
public enum FaultFlagError: Error, Hashable, Sendable {
    case unknownFlag(String)

    /// The value is not of the flag's kind, or outside its range.
    case notAValue(name: String)

    /// The text is not of the form `name=value`.
    case notAnAssignment(String)
}

extension FaultFlagError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownFlag(let name), .notAValue(let name): "\(name.prefix(64)) \(reason)"
        case .notAnAssignment(let text): "\(text.prefix(64)) \(reason)"
        }
    }

    /// The problem, without the name.
    var reason: String {
        switch self {
        case .unknownFlag:
            "is not a fault flag; there are " + FaultFlags.Name.allCases.map(\.rawValue).joined(separator: ", ")
        case .notAValue(let name):
            switch FaultFlags.Name(rawValue: name)?.range {
            case let range?: "takes a whole number from \(range.lowerBound) to \(range.upperBound)"
            case nil: "is either on or off: send true or false"
            }
        case .notAnAssignment:
            "is not of the form name=value"
        }
    }
}
