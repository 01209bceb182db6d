import Foundation

/// A message with values, each public or private.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    let text: String

    public init(stringLiteral value: String) {
        text = value
    }

    public init(stringInterpolation: OSLogInterpolation) {
        text = stringInterpolation.text
    }
}

/// The visibility of a value in the log.
///
/// A value that is private is readable here, as it is on iOS while Xcode is attached. One that is `sensitive` is not.
public struct OSLogPrivacy: Hashable, Sendable {
    /// A mask in place of a private value.
    public enum Mask: Hashable, Sendable {
        case none, hash
    }

    let hides: Bool

    public static let auto = OSLogPrivacy(hides: false)
    public static let `public` = OSLogPrivacy(hides: false)
    public static let `private` = OSLogPrivacy(hides: false)
    public static let sensitive = OSLogPrivacy(hides: true)

    public static func auto(mask: Mask) -> OSLogPrivacy { .auto }
    public static func `private`(mask: Mask) -> OSLogPrivacy { .private }
    public static func sensitive(mask: Mask) -> OSLogPrivacy { .sensitive }
}

/// The alignment of a value in a column.
public struct OSLogStringAlignment: Sendable {
    let columns: Int

    public static let none = OSLogStringAlignment(columns: 0)
    public static func left(columns: Int) -> OSLogStringAlignment { OSLogStringAlignment(columns: columns) }
    public static func right(columns: Int) -> OSLogStringAlignment { OSLogStringAlignment(columns: -columns) }
}

/// The format of an integer.
public struct OSLogIntegerFormatting: Sendable {
    let radix: Int

    public static let decimal = OSLogIntegerFormatting(radix: 10)
    public static let hex = OSLogIntegerFormatting(radix: 16)
    public static let octal = OSLogIntegerFormatting(radix: 8)
}

/// The format of a floating-point number.
public struct OSLogFloatFormatting: Sendable {
    let digits: Int

    public static let fixed = OSLogFloatFormatting(digits: 6)
    public static func fixed(precision: Int) -> OSLogFloatFormatting { OSLogFloatFormatting(digits: precision) }
}

/// The parts of a message.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
    var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) {
        text.reserveCapacity(literalCapacity)
    }

    public mutating func appendLiteral(_ literal: String) { text += literal }

    private mutating func append(_ words: String, _ privacy: OSLogPrivacy, _ columns: Int = 0) {
        let shown = privacy.hides ? "<private>" : words
        let padding = String(repeating: " ", count: max(0, abs(columns) - shown.count))
        text += columns < 0 ? padding + shown : shown + padding
    }

    public mutating func appendInterpolation(
        _ value: @autoclosure () -> String, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto,
    ) {
        append(value(), privacy, align.columns)
    }

    public mutating func appendInterpolation<T: FixedWidthInteger>(
        _ value: @autoclosure () -> T, format: OSLogIntegerFormatting = .decimal, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto,
    ) {
        append(String(value(), radix: format.radix), privacy, align.columns)
    }

    public mutating func appendInterpolation(
        _ value: @autoclosure () -> Double, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto,
    ) {
        append(String(format: "%.\(format.digits)f", value()), privacy, align.columns)
    }

    public mutating func appendInterpolation(_ value: @autoclosure () -> Bool, privacy: OSLogPrivacy = .auto) {
        append(String(value()), privacy)
    }

    public mutating func appendInterpolation<T: CustomStringConvertible>(
        _ value: @autoclosure () -> T, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto,
    ) {
        append(value().description, privacy, align.columns)
    }

    @_disfavoredOverload
    public mutating func appendInterpolation<T>(_ value: @autoclosure () -> T, privacy: OSLogPrivacy = .auto) {
        append(String(describing: value()), privacy)
    }
}
