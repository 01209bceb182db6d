import Foundation
import ViewTree

extension Text: PrimitiveView {
    /// Lets the page show the way from the text before, if the change is animated.
    func slots(in node: ViewNode) -> [Slot] {
        let transaction = node.graph.transaction
        if node.environment.contentTransition.name != nil, !transaction.disablesAnimations {
            node.graph.arrival = transaction.animation ?? node.graph.arrival
        }
        return []
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let environment = node.environment
        let runs = runs.flatMap { Self.resolved($0, environment.locale) }
        var properties = runs.first.map { Self.letters($0, environment) } ?? [:]
        properties["text"] = .string(text(in: environment))
        if runs.count > 1 || runs.first?.isPlain == false {
            properties["runs"] = .list(
                runs.map { run in
                    .list([.string(Self.words(run, environment)), Self.list(Self.details(run, environment))])
                }
            )
        }
        for case .image(let image) in runs.map(\.storage) {
            if case .symbol(let name) = image.source, !SymbolNames.isDrawn(name) {
                node.graph.report(.unknownSymbol(name: name))
            }
        }
        if let limit = environment.lineLimit { properties["lineLimit"] = .number(Double(limit)) }
        if environment.multilineTextAlignment != .leading {
            properties["alignment"] = .string(String(describing: environment.multilineTextAlignment))
        }
        let attributes = environment.textAttributes
        if attributes.minimumScaleFactor < 1 { properties["minimumScale"] = .number(attributes.minimumScaleFactor) }
        if environment.isTextSelectable { properties["selectable"] = true }
        if let transition = environment.contentTransition.name { properties["contentTransition"] = .string(transition) }
        if let value = environment.contentTransition.value { properties["contentValue"] = .number(value) }
        if let least = attributes.leastLines { properties["leastLines"] = .number(Double(least)) }
        if attributes.lineSpacing > 0 { properties["lineSpacing"] = .number(attributes.lineSpacing) }
        if attributes.truncation != .tail {
            properties["truncation"] = .string(String(describing: attributes.truncation))
        }
        let links = runs.map { $0.link.flatMap { URL(string: $0) } }
        if links.contains(where: { $0 != nil }) {
            node.handle(.tap) { value in
                let index = value?.number.flatMap { Int(exactly: $0) } ?? links.firstIndex { $0 != nil } ?? 0
                guard links.indices.contains(index), let url = links[index] else { return false }
                environment.openURL(url)
                return true
            }
        }
        return Output(
            RenderedNode(
                id: node.id, kind: .text, properties: properties, actions: links.contains { $0 != nil } ? [.tap] : [])
        )
    }

    func text(in environment: EnvironmentValues) -> String {
        runs.flatMap { Self.resolved($0, environment.locale) }.map { Self.words($0, environment) }.joined()
    }

    func plainText(in locale: Locale) -> String {
        var environment = EnvironmentValues()
        environment.locale = locale
        return text(in: environment)
    }

    /// Resolves the Markdown and the interpolated texts of a run.
    private static func resolved(_ run: Run, _ locale: Locale) -> [Run] {
        guard case .key(let key) = run.storage else { return [run] }
        let runs = key.pieces(in: locale).flatMap { piece -> [Run] in
            switch piece {
            case .span(let span): span.text.isEmpty ? [] : [run.styled(span, .verbatim(span.text))]
            case .argument(.view(let text), let span):
                text.runs.flatMap { resolved($0, locale) }.map { inner in
                    var outer = run.styled(span, inner.storage)
                    outer.font = inner.font ?? outer.font
                    outer.color = inner.color ?? outer.color
                    outer.attributes = inner.attributes.merged(over: outer.attributes)
                    outer.isCode = inner.isCode || outer.isCode
                    outer.link = inner.link ?? outer.link
                    return outer
                }
            case .argument(.image(let image), let span): [run.styled(span, .image(image))]
            case .argument(let argument, let span): [run.styled(span, .verbatim(argument.text(in: locale)))]
            }
        }
        // Neighbors with the same style are one run.
        return runs.reduce(into: []) { merged, run in
            if let last = merged.last, case .verbatim(let before) = last.storage,
                case .verbatim(let text) = run.storage,
                last.hasSameStyle(as: run)
            {
                merged[merged.count - 1].storage = .verbatim(before + text)
            } else {
                merged.append(run)
            }
        }
    }

    private static func words(_ run: Run, _ environment: EnvironmentValues) -> String {
        let text =
            switch run.storage {
            case .verbatim(let text): text
            case .key(let key): key.text(in: environment.locale)
            case .formatted(let value): value.text(in: environment.locale)
            case .image: ""
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

    /// The font of a run, and what is not text in it.
    private static func details(_ run: Run, _ environment: EnvironmentValues) -> [String: NodeValue] {
        var details = letters(run, environment)
        if let link = run.link { details["link"] = .string(link) }
        if case .image(let image) = run.storage {
            switch image.source {
            case .symbol(let name): details["symbol"] = .string(name)
            case .asset(let name): details["asset"] = .string(name)
            case .resource(let name): details["resource"] = .string(name)
            }
        }
        return details
    }

    private static func letters(_ run: Run, _ environment: EnvironmentValues) -> [String: NodeValue] {
        let around = environment.textAttributes
        let font = run.font ?? environment.font ?? .body
        var weight = run.attributes.weight ?? around.weight ?? font.fontWeight
        if weight == nil || run.attributes.isBold, run.attributes.isBold || around.isBold { weight = .bold }
        let color = run.color ?? (run.link == nil ? nil : environment.tint ?? .accentColor)
        var letters: [String: NodeValue] = [
            "fontSize": .number(font.points(at: environment.dynamicTypeSize)),
            "fontWeight": .number(Double(weight?.value ?? font.weightValue)),
            "color": .string(
                color.map { SwiftUI.resolved($0, in: environment) } ?? SwiftUI.foreground(in: environment)),
        ]
        if let style = font.styleName { letters["fontStyle"] = .string(style) }
        let wanted = font.fontDesign == .default ? run.attributes.design ?? around.design : nil
        let design = run.isCode ? .monospaced : wanted ?? font.fontDesign
        if design != .default { letters["fontDesign"] = .string(String(describing: design)) }
        if run.attributes.isItalic || around.isItalic || font.isItalic { letters["italic"] = true }
        if run.attributes.isUnderlined || around.isUnderlined { letters["underline"] = true }
        if run.attributes.isStruckThrough || around.isStruckThrough { letters["strikethrough"] = true }
        if letters["underline"] != nil || letters["strikethrough"] != nil,
            let color = run.attributes.lineColor ?? around.lineColor
        {
            letters["lineColor"] = .string(SwiftUI.resolved(color, in: environment))
        }
        if run.attributes.isMonospacedDigit || around.isMonospacedDigit || font.hasMonospacedDigits {
            letters["monospacedDigit"] = true
        }
        let attributes = run.attributes.merged(over: around)
        if attributes.letterSpacing != 0 { letters["tracking"] = .number(attributes.letterSpacing) }
        if attributes.baselineOffset != 0 { letters["baselineOffset"] = .number(attributes.baselineOffset) }
        return letters
    }
}

extension Text.Run {
    /// True if the run has nothing but text in one font.
    fileprivate var isPlain: Bool {
        if case .image = storage { return false }
        return link == nil
    }

    fileprivate func styled(_ span: Markdown.Span, _ storage: Text.Storage) -> Text.Run {
        var copy = self
        copy.storage = storage
        if span.isBold { copy.attributes.isBold = true }
        if span.isItalic { copy.attributes.isItalic = true }
        if span.isStruckThrough { copy.attributes.isStruckThrough = true }
        copy.isCode = span.isCode
        copy.link = span.link
        return copy
    }

    fileprivate func hasSameStyle(as other: Text.Run) -> Bool {
        var copy = self
        copy.storage = other.storage
        return copy == other
    }
}

extension TextAttributes {
    /// The attributes of a text inside another, whose own attributes apply where this one has none.
    fileprivate func merged(over outer: TextAttributes) -> TextAttributes {
        var merged = outer
        merged.isBold = isBold || outer.isBold
        merged.isItalic = isItalic || outer.isItalic
        merged.weight = weight ?? outer.weight
        merged.isUnderlined = isUnderlined || outer.isUnderlined
        merged.isStruckThrough = isStruckThrough || outer.isStruckThrough
        merged.isMonospacedDigit = isMonospacedDigit || outer.isMonospacedDigit
        merged.tracking = tracking ?? outer.tracking
        merged.kerning = kerning ?? outer.kerning
        if baselineOffset != 0 { merged.baselineOffset = baselineOffset }
        return merged
    }
}
