public import Foundation

/// A key of the app's `Localizable.strings`, with interpolated values.
///
/// The key has a format specifier for each value, as on Apple platforms: `"\(3) of \(name)"` is `%lld of %@`. A key
/// without a translation is its own text. Numbers and formatted values follow the locale of the view.
public struct LocalizedStringKey: Hashable, Sendable, ExpressibleByStringInterpolation {
    enum Argument: Hashable, Sendable {
        case text(String)
        case integer(Int64)
        case number(Double)
        case formatted(FormattedValue)
    }

    let key: String
    let arguments: [Argument]

    public init(_ value: String) {
        key = value
        arguments = []
    }

    public init(stringLiteral value: String) {
        self.init(value)
    }

    public init(stringInterpolation: StringInterpolation) {
        key = stringInterpolation.key
        arguments = stringInterpolation.arguments
    }

    public struct StringInterpolation: StringInterpolationProtocol {
        var key = ""
        var arguments: [Argument] = []

        public init(literalCapacity: Int, interpolationCount: Int) {
            key.reserveCapacity(literalCapacity + interpolationCount * 4)
        }

        public mutating func appendLiteral(_ literal: String) {
            key += literal.replacingOccurrences(of: "%", with: "%%")
        }

        public mutating func appendInterpolation(_ string: String) { append("%@", .text(string)) }

        public mutating func appendInterpolation<T: _FormatSpecifiable>(_ value: T) {
            switch value.argument {
            case .integer(let integer): append("%lld", .integer(integer))
            case .number(let number): append("%lf", .number(number))
            case let other: append("%@", other)
            }
        }

        public mutating func appendInterpolation<F: FormatStyle & Sendable>(
            _ input: F.FormatInput, format: F,
        ) where F.FormatInput: Equatable & Sendable, F.FormatOutput == String {
            append("%@", .formatted(FormattedValue(input, format)))
        }

        private mutating func append(_ specifier: String, _ argument: Argument) {
            key += specifier
            arguments.append(argument)
        }
    }

    func text(in locale: Locale) -> String {
        let template = Translations.main.text(for: key, in: locale)
        if arguments.isEmpty { return template }
        let values = arguments.map { argument in
            switch argument {
            case .text(let text): text
            case .integer(let integer): integer.formatted(.number.locale(locale))
            case .number(let number): number.formatted(.number.locale(locale).precision(.fractionLength(6)))
            case .formatted(let value): value.text(in: locale)
            }
        }
        return FormatTemplate.fill(template, with: values)
    }
}

/// A number that can be interpolated into a `LocalizedStringKey`.
public protocol _FormatSpecifiable: Equatable {}

extension Int: _FormatSpecifiable {}
extension Int64: _FormatSpecifiable {}
extension Int32: _FormatSpecifiable {}
extension Double: _FormatSpecifiable {}
extension Float: _FormatSpecifiable {}

extension _FormatSpecifiable {
    fileprivate var argument: LocalizedStringKey.Argument {
        switch self {
        case let value as Int: .integer(Int64(value))
        case let value as Int64: .integer(value)
        case let value as Int32: .integer(Int64(value))
        case let value as Double: .number(value)
        case let value as Float: .number(Double(value))
        default: .text(String(describing: self))
        }
    }
}

extension String {
    public typealias LocalizationValue = LocalizedStringKey

    /// Looks a key up in the app's strings, for the language that the phone had when the app started.
    public init(localized key: LocalizationValue) {
        self = key.text(in: Translations.main.locale)
    }
}
