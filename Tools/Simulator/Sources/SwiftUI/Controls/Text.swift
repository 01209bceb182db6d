public import Foundation
import ViewTree

/// A text.
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
    }

    /// A part of a text with its own font.
    struct Run: Hashable, Sendable {
        var storage: Storage
        var font: Font?
        var color: Color?
        var attributes = TextAttributes()
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

    nonisolated public static func + (left: Text, right: Text) -> Text { Text(runs: left.runs + right.runs) }
}

// Modifiers that return a `Text`, so that texts can be concatenated.
extension Text {
    public func font(_ font: Font?) -> Text { changed { $0.font = $0.font ?? font } }
    public func foregroundColor(_ color: Color?) -> Text { changed { $0.color = $0.color ?? color } }
    public func bold() -> Text { changed { $0.attributes.isBold = true } }
    public func italic() -> Text { changed { $0.attributes.isItalic = true } }
    public func monospacedDigit() -> Text { changed { $0.attributes.isMonospacedDigit = true } }

    public func fontWeight(_ weight: Font.Weight?) -> Text {
        changed { $0.attributes.weight = $0.attributes.weight ?? weight }
    }

    public func underline(_ isActive: Bool = true) -> Text { changed { $0.attributes.isUnderlined = isActive } }

    public func strikethrough(_ isActive: Bool = true) -> Text {
        changed { $0.attributes.isStruckThrough = isActive }
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

extension Text: PrimitiveView {
    func slots(in node: ViewNode) -> [Slot] { [] }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let environment = node.environment
        let base = runs.first.map { Self.letters($0, environment) } ?? [:]
        var properties = base
        properties["text"] = .string(text(in: environment))
        if runs.count > 1 {
            properties["runs"] = .list(
                runs.map { run in
                    .list([.string(Self.words(run, environment)), Self.list(Self.letters(run, environment))])
                }
            )
        }
        if let limit = environment.lineLimit { properties["lineLimit"] = .number(Double(limit)) }
        if environment.multilineTextAlignment != .leading {
            properties["alignment"] = .string(String(describing: environment.multilineTextAlignment))
        }
        let attributes = environment.textAttributes
        if attributes.minimumScaleFactor < 1 { properties["minimumScale"] = .number(attributes.minimumScaleFactor) }
        if attributes.lineSpacing > 0 { properties["lineSpacing"] = .number(attributes.lineSpacing) }
        if attributes.truncation != .tail {
            properties["truncation"] = .string(String(describing: attributes.truncation))
        }
        return Output(RenderedNode(id: node.id, kind: .text, properties: properties))
    }

    func text(in environment: EnvironmentValues) -> String {
        runs.map { Self.words($0, environment) }.joined()
    }

    private static func words(_ run: Run, _ environment: EnvironmentValues) -> String {
        let text =
            switch run.storage {
            case .verbatim(let text): text
            case .key(let key): key.text(in: environment.locale)
            case .formatted(let value): value.text(in: environment.locale)
            }
        return switch environment.textAttributes.letterCase {
        case nil: text
        case .uppercase: text.uppercased()
        case .lowercase: text.lowercased()
        }
    }

    private static func list(_ letters: [String: NodeValue]) -> NodeValue {
        .list(letters.sorted { $0.key < $1.key }.map { .list([.string($0.key), $0.value]) })
    }

    private static func letters(_ run: Run, _ environment: EnvironmentValues) -> [String: NodeValue] {
        let around = environment.textAttributes
        let font = run.font ?? environment.font ?? .body
        var weight = run.attributes.weight ?? around.weight ?? font.fontWeight
        if weight == nil, run.attributes.isBold || around.isBold { weight = .bold }
        var letters: [String: NodeValue] = [
            "fontSize": .number(font.points(at: environment.dynamicTypeSize)),
            "fontWeight": .number(Double(weight?.value ?? font.weightValue)),
            "color": .string(run.color?.description ?? SwiftUI.foreground(in: environment)),
        ]
        if let style = font.styleName { letters["fontStyle"] = .string(style) }
        if font.fontDesign != .default { letters["fontDesign"] = .string(String(describing: font.fontDesign)) }
        if run.attributes.isItalic || around.isItalic || font.isItalic { letters["italic"] = true }
        if run.attributes.isUnderlined || around.isUnderlined { letters["underline"] = true }
        if run.attributes.isStruckThrough || around.isStruckThrough { letters["strikethrough"] = true }
        if run.attributes.isMonospacedDigit || around.isMonospacedDigit || font.hasMonospacedDigits {
            letters["monospacedDigit"] = true
        }
        return letters
    }
}
