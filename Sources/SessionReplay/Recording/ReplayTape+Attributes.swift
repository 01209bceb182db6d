import AstrolabeSemantics
import AstrolabeTelemetryModel

extension ReplayTape.Record {
    /// The record's attributes, in the format of `Docs/Internals/ReplayEvents.md`.
    var attributes: Attributes {
        switch self {
        case .keyFrame(let wireframe):
            var attributes: Attributes = [
                AttributeKey.astrolabeReplayIsKeyFrame: true,
                AttributeKey.astrolabeReplaySize: AttributeValue.array([
                    .init(wireframe.width), .init(wireframe.height),
                ]),
                AttributeKey.astrolabeReplayRoot: .init(wireframe.root),
                AttributeKey.astrolabeReplayNodes: AttributeValue.array(wireframe.nodes.map { .map($0.attributes) }),
            ]
            if wireframe.isCut { attributes[AttributeKey.astrolabeReplayIsCut] = true }
            return attributes
        case .difference(let difference, let isCut):
            var attributes: Attributes = [
                AttributeKey.astrolabeReplayRoot: .init(difference.root),
                AttributeKey.astrolabeReplayNodes: AttributeValue.array(difference.nodes.map { .map($0.attributes) }),
            ]
            if !difference.removed.isEmpty {
                attributes[AttributeKey.astrolabeReplayRemoved] = .array(difference.removed.map { .init($0) })
            }
            if isCut { attributes[AttributeKey.astrolabeReplayIsCut] = true }
            return attributes
        }
    }
}

extension MaskedWireframe.Node {
    fileprivate var attributes: Attributes {
        var elements: [Attributes.Element] = []
        func add(_ key: String, _ value: AttributeValue?) {
            if let value { elements.append(Attributes.Element(key: key, value: value)) }
        }
        add("id", .init(id))
        add("role", .string(role.rawValue))
        add("children", children.isEmpty ? nil : .array(children.map { .init($0) }))
        add("words", words.isEmpty ? nil : .array(words.map { .init($0) }))
        add("text", text.map { .string($0) })
        add("name", name.map { .string($0) })
        add("box", layout.box.flatMap { .points($0.x, $0.y, $0.width, $0.height) })
        add("padding", layout.padding.flatMap { .points($0.top, $0.leading, $0.bottom, $0.trailing) })
        add("spacing", .points(layout.spacing))
        add("align", layout.alignment.map { .string($0.rawValue) })
        add("width", .points(layout.width))
        add("height", .points(layout.height))
        add("grow", layout.grows ? true : nil)
        add("columns", layout.columns.map { .init($0) })
        add("size", .points(style.fontSize))
        add("bold", style.isBold ? true : nil)
        add("fill", style.fill.map { .string($0.text) })
        add("ink", style.ink.map { .string($0.text) })
        add("radius", .points(style.radius))
        add("on", isOn.map { .bool($0) })
        add("fraction", .points(fraction))
        add("dim", isDimmed ? true : nil)
        return Attributes(uniqueElements: elements)
    }
}

extension AttributeValue {
    /// `nil` for a number that is not finite.
    fileprivate static func points(_ number: Double?) -> AttributeValue? {
        number.flatMap { $0.isFinite ? .double($0) : nil }
    }

    fileprivate static func points(_ numbers: Double...) -> AttributeValue? {
        numbers.allSatisfy(\.isFinite) ? .array(numbers.map { .double($0) }) : nil
    }
}
