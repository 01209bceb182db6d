public import Foundation

/// A key of the app's `Localizable.strings`, with interpolated values.
///
/// The key has a format specifier for each value, as on Apple platforms: `"\(3) of \(name)"` is `%lld of %@`. A key
/// without a translation is its own text. Numbers and formatted values follow the locale of the view.
///
/// Partly: Only English has automatic grammar agreement. Another language is reported and shown as it is.
public struct LocalizedStringKey: Hashable, Sendable, ExpressibleByStringInterpolation {
    enum Argument: Hashable, Sendable {
        case text(String)
        case integer(Int64)
        case number(Double)
        case formatted(FormattedValue)
        /// A number with a specifier of the app's, such as `%.2f`.
        case specified(Number, String)
        case view(Text)
        case image(Image)
    }

    enum Number: Hashable, Sendable {
        case integer(Int64)
        case number(Double)
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

        /// Formats a number as `String(format:)` does, such as `specifier: "%.2f"`.
        public mutating func appendInterpolation<T: _FormatSpecifiable>(_ value: T, specifier: String) {
            let number: Number? =
                switch value.argument {
                case .integer(let integer): .integer(integer)
                case .number(let number): .number(number)
                default: nil
                }
            guard let number else { return appendInterpolation(value) }
            append(specifier, .specified(number, specifier))
        }

        public mutating func appendInterpolation(_ text: Text) { append("%@", .view(text)) }
        public mutating func appendInterpolation(_ image: Image) { append("%@", .image(image)) }

        private mutating func append(_ specifier: String, _ argument: Argument) {
            key += specifier
            arguments.append(argument)
        }
    }

    /// The first whole number among the values, which decides the plural form.
    private var count: Int64? {
        for case .integer(let number) in arguments { return number }
        return nil
    }

    /// The text without Markdown.
    func text(in locale: Locale) -> String {
        let template = Translations.main.text(for: key, count: count, in: locale)
        if arguments.isEmpty { return template }
        return FormatTemplate.fill(template, with: arguments.map { $0.text(in: locale) })
    }

    /// A part of the text with its Markdown, or an interpolated value.
    enum Piece {
        case span(Markdown.Span)
        case argument(Argument, Markdown.Span)
    }

    /// The parts of the text. Values are shown as they are, without Markdown.
    func pieces(in locale: Locale) -> [Piece] {
        let template = Translations.main.text(for: key, count: count, in: locale)
        if arguments.isEmpty { return Self.inflected(Markdown.spans(template).map(Piece.span), in: locale) }
        // A value is a letter of the private use area while Markdown is read.
        let marked = FormatTemplate.parts(template).map { part in
            switch part {
            case .text(let text): text
            case .value(let index): arguments.indices.contains(index) ? String(Self.mark(index)) : ""
            }
        }
        let pieces = Markdown.spans(marked.joined()).flatMap { span -> [Piece] in
            var pieces: [Piece] = []
            var text = ""
            for letter in span.text.unicodeScalars {
                guard let index = Self.index(letter), arguments.indices.contains(index) else {
                    text.unicodeScalars.append(letter)
                    continue
                }
                pieces += [.span(span.with(text)), .argument(arguments[index], span)]
                text = ""
            }
            return pieces + [.span(span.with(text))]
        }
        return Self.inflected(pieces, in: locale)
    }

    private static let firstMark: UInt32 = 0xF_0000

    private static func mark(_ index: Int) -> Character {
        Character(Unicode.Scalar(firstMark + UInt32(index)) ?? " ")
    }

    private static func index(_ letter: Unicode.Scalar) -> Int? {
        (firstMark..<firstMark + 0x1000).contains(letter.value) ? Int(letter.value - firstMark) : nil
    }
}

extension Markdown.Span {
    fileprivate func with(_ text: String) -> Markdown.Span {
        var copy = self
        copy.text = text
        return copy
    }
}

extension LocalizedStringKey.Argument {
    func text(in locale: Locale) -> String {
        switch self {
        case .text(let text): text
        case .integer(let integer): integer.formatted(.number.locale(locale))
        case .number(let number): number.formatted(.number.locale(locale).precision(.fractionLength(6)))
        case .formatted(let value): value.text(in: locale)
        case .specified(.integer(let integer), let specifier):
            String(format: Self.long(specifier), locale: locale, integer)
        case .specified(.number(let number), let specifier): String(format: specifier, locale: locale, number)
        case .view(let text): text.plainText(in: locale)
        case .image: ""
        }
    }

    /// A specifier of an integer, with the length of an `Int64`.
    private static func long(_ specifier: String) -> String {
        specifier.replacing(/(?:hh|h|ll|l|q)?([diouxX])/) { "ll\($0.1)" }
    }
}

/// A number that can be interpolated into a `LocalizedStringKey`.
public protocol _FormatSpecifiable: Equatable {}

extension Int: _FormatSpecifiable {}
extension Int64: _FormatSpecifiable {}
extension Int32: _FormatSpecifiable {}
extension Int16: _FormatSpecifiable {}
extension Int8: _FormatSpecifiable {}
extension UInt: _FormatSpecifiable {}
extension UInt64: _FormatSpecifiable {}
extension UInt32: _FormatSpecifiable {}
extension UInt16: _FormatSpecifiable {}
extension UInt8: _FormatSpecifiable {}
extension CGFloat: _FormatSpecifiable {}
extension Double: _FormatSpecifiable {}
extension Float: _FormatSpecifiable {}

extension _FormatSpecifiable {
    fileprivate var argument: LocalizedStringKey.Argument {
        switch self {
        case let value as any BinaryInteger: .integer(Int64(clamping: value))
        case let value as any BinaryFloatingPoint: .number(Double(value))
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
