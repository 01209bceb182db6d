public import Foundation

/// A text.
///
/// Partly: Inline Markdown. No `AttributedString`. Styles of dates are `date` and `time`.
public struct Text: Hashable, Sendable {
    public enum TruncationMode: Hashable, Sendable {
        case head
        case tail
        case middle
    }

    public enum Case: Hashable, Sendable {
        case uppercase
        case lowercase
    }

    enum Storage: Hashable, Sendable {
        case verbatim(String)
        case key(LocalizedStringKey)
        case formatted(FormattedValue)
        case image(Image)
    }

    /// A part of a text with its own font.
    struct Run: Hashable, Sendable {
        var storage: Storage
        var font: Font?
        var color: Color?
        var attributes = TextAttributes()
        var isCode = false
        /// The target of a link.
        var link: String?
    }

    var runs: [Run]

    nonisolated init(runs: [Run]) {
        self.runs = runs
    }

    nonisolated public init(_ key: LocalizedStringKey) {
        runs = [Run(storage: .key(key))]
    }

    nonisolated public init(verbatim content: String) {
        runs = [Run(storage: .verbatim(content))]
    }

    @_disfavoredOverload
    nonisolated public init<S: StringProtocol>(_ content: S) {
        runs = [Run(storage: .verbatim(String(content)))]
    }

    /// Formats the value for the locale of the view.
    nonisolated public init<F: FormatStyle & Sendable>(
        _ input: F.FormatInput, format: F,
    ) where F.FormatInput: Equatable & Sendable, F.FormatOutput == String {
        runs = [Run(storage: .formatted(FormattedValue(input, format)))]
    }

    /// A date or a time for the locale of the view.
    nonisolated public init(_ date: Date, style: DateStyle) {
        self.init(date, format: style.format)
    }

    /// The form in which a date is shown.
    public struct DateStyle: Sendable {
        let format: Date.FormatStyle

        /// A date, such as "June 3, 2019".
        public static let date = DateStyle(format: Date.FormatStyle(date: .long, time: .omitted))
        /// A time, such as "11:23 PM".
        public static let time = DateStyle(format: Date.FormatStyle(date: .omitted, time: .shortened))
    }

    /// A text that consists of an image.
    nonisolated public init(_ image: Image) {
        runs = [Run(storage: .image(image))]
    }

    nonisolated public static func + (left: Text, right: Text) -> Text { Text(runs: left.runs + right.runs) }
}

// Modifiers that return a `Text`, so that texts can be concatenated.
extension Text {
    public func font(_ font: Font?) -> Text { changed { $0.font = $0.font ?? font } }
    public func foregroundColor(_ color: Color?) -> Text { changed { $0.color = $0.color ?? color } }
    public func bold() -> Text { changed { $0.attributes.isBold = true } }
    public func italic() -> Text { changed { $0.attributes.isItalic = true } }
    public func monospacedDigit() -> Text { changed { $0.attributes.isMonospacedDigit = true } }

    public func kerning(_ kerning: CGFloat) -> Text {
        changed { $0.attributes.kerning = $0.attributes.kerning ?? Double(kerning) }
    }

    public func tracking(_ tracking: CGFloat) -> Text {
        changed { $0.attributes.tracking = $0.attributes.tracking ?? Double(tracking) }
    }

    public func baselineOffset(_ baselineOffset: CGFloat) -> Text {
        changed { $0.attributes.baselineOffset = Double(baselineOffset) }
    }

    public func fontWeight(_ weight: Font.Weight?) -> Text {
        changed { $0.attributes.weight = $0.attributes.weight ?? weight }
    }

    public func underline(_ isActive: Bool = true, color: Color? = nil) -> Text {
        changed {
            $0.attributes.isUnderlined = isActive
            $0.attributes.lineColor = color ?? $0.attributes.lineColor
        }
    }

    public func strikethrough(_ isActive: Bool = true, color: Color? = nil) -> Text {
        changed {
            $0.attributes.isStruckThrough = isActive
            $0.attributes.lineColor = color ?? $0.attributes.lineColor
        }
    }

    @available(iOS 16.1, macOS 13, *)
    public func fontDesign(_ design: Font.Design?) -> Text {
        changed { $0.attributes.design = $0.attributes.design ?? design }
    }

    private func changed(_ change: (inout Run) -> Void) -> Text {
        var copy = self
        for index in copy.runs.indices { change(&copy.runs[index]) }
        return copy
    }
}

extension Text: View {
    public typealias Body = Never
}
