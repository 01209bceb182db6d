public import Foundation

/// Text in the source code, with interpolated values.
///
/// The stand-in has no translations: the key is its text. Numbers are formatted for the locale of the view.
public struct LocalizedStringKey: Hashable, Sendable, ExpressibleByStringInterpolation {
    enum Part: Hashable, Sendable {
        case text(String)
        case integer(Int64)
        case number(Double)
    }

    let parts: [Part]

    public init(_ value: String) {
        parts = [.text(value)]
    }

    public init(stringLiteral value: String) {
        self.init(value)
    }

    public init(stringInterpolation: StringInterpolation) {
        parts = stringInterpolation.parts
    }

    public struct StringInterpolation: StringInterpolationProtocol {
        var parts: [Part] = []

        public init(literalCapacity: Int, interpolationCount: Int) {
            parts.reserveCapacity(interpolationCount * 2 + 1)
        }

        public mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { parts.append(.text(literal)) }
        }

        public mutating func appendInterpolation(_ string: String) { parts.append(.text(string)) }

        public mutating func appendInterpolation<T: _FormatSpecifiable>(_ value: T) { parts.append(value.part) }

        public mutating func appendInterpolation<F: FormatStyle>(
            _ input: F.FormatInput, format: F,
        ) where F.FormatInput: Equatable, F.FormatOutput == String {
            parts.append(.text(format.format(input)))
        }
    }

    func text(in locale: Locale) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .integer(let integer): integer.formatted(.number.locale(locale))
            case .number(let number): number.formatted(.number.locale(locale).precision(.fractionLength(6)))
            }
        }.joined()
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
    fileprivate var part: LocalizedStringKey.Part {
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
