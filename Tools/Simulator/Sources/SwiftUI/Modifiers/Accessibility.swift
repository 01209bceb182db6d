import ViewTree

/// Adds properties to the rendered nodes of the view.
struct AnnotationModifier: PrimitiveModifier {
    typealias Body = Never
    let properties: [String: NodeValue]

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        guard !properties.isEmpty else { return output }
        for index in output.elements.indices {
            output.elements[index].node = output.elements[index].node.adding(properties)
        }
        return output
    }
}

/// The accessibility traits of a view.
public struct AccessibilityTraits: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    public static let isButton = AccessibilityTraits(rawValue: 1)
    public static let isHeader = AccessibilityTraits(rawValue: 2)
    public static let isSelected = AccessibilityTraits(rawValue: 4)
    public static let isLink = AccessibilityTraits(rawValue: 8)
    public static let isImage = AccessibilityTraits(rawValue: 16)
    public static let isStaticText = AccessibilityTraits(rawValue: 32)
    public static let updatesFrequently = AccessibilityTraits(rawValue: 64)
    public static let isModal = AccessibilityTraits(rawValue: 128)

    fileprivate var names: [NodeValue] {
        let all: KeyValuePairs<String, AccessibilityTraits> = [
            "button": .isButton, "header": .isHeader, "selected": .isSelected, "link": .isLink, "image": .isImage,
            "text": .isStaticText, "updates": .updatesFrequently, "modal": .isModal,
        ]
        return all.filter { contains($0.value) }.map { .string($0.key) }
    }
}

/// The treatment of a view's children by assistive technologies.
public struct AccessibilityChildBehavior: Hashable, Sendable {
    let name: String

    public static let ignore = AccessibilityChildBehavior(name: "ignore")
    public static let contain = AccessibilityChildBehavior(name: "contain")
    public static let combine = AccessibilityChildBehavior(name: "combine")
}

extension View {
    /// Sets the identifier for tests and scenarios. It is not presented to users.
    public func accessibilityIdentifier(_ identifier: String) -> some View {
        annotated("identifier", .string(identifier))
    }

    public func accessibilityLabel(_ labelKey: LocalizedStringKey) -> some View { accessibilityLabel(Text(labelKey)) }
    public func accessibilityLabel(_ label: Text) -> some View { modifier(SpokenModifier(key: "label", text: label)) }

    @_disfavoredOverload
    public func accessibilityLabel<S: StringProtocol>(_ label: S) -> some View { accessibilityLabel(Text(label)) }

    public func accessibilityValue(_ valueKey: LocalizedStringKey) -> some View { accessibilityValue(Text(valueKey)) }
    public func accessibilityValue(_ value: Text) -> some View { modifier(SpokenModifier(key: "value", text: value)) }

    @_disfavoredOverload
    public func accessibilityValue<S: StringProtocol>(_ value: S) -> some View { accessibilityValue(Text(value)) }

    public func accessibilityHint(_ hintKey: LocalizedStringKey) -> some View { accessibilityHint(Text(hintKey)) }
    public func accessibilityHint(_ hint: Text) -> some View { modifier(SpokenModifier(key: "hint", text: hint)) }

    @_disfavoredOverload
    public func accessibilityHint<S: StringProtocol>(_ hint: S) -> some View { accessibilityHint(Text(hint)) }

    /// Explains the view: its hint for assistive technologies, because a phone has no pointer.
    public func help(_ textKey: LocalizedStringKey) -> some View { accessibilityHint(textKey) }
    public func help(_ text: Text) -> some View { accessibilityHint(text) }

    @_disfavoredOverload
    public func help<S: StringProtocol>(_ text: S) -> some View { accessibilityHint(text) }

    /// The names before iOS 14.
    public func accessibility(label: Text) -> some View { accessibilityLabel(label) }
    public func accessibility(value: Text) -> some View { accessibilityValue(value) }
    public func accessibility(hint: Text) -> some View { accessibilityHint(hint) }
    public func accessibility(hidden: Bool) -> some View { accessibilityHidden(hidden) }
    public func accessibility(identifier: String) -> some View { accessibilityIdentifier(identifier) }
    public func accessibility(addTraits traits: AccessibilityTraits) -> some View { accessibilityAddTraits(traits) }

    public func accessibilityHidden(_ hidden: Bool) -> some View { annotated("accessibilityHidden", .bool(hidden)) }

    public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View {
        annotated("accessibilityChildren", .string(children.name))
    }

    public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View {
        annotated("traits", .list(traits.names))
    }

    private func annotated(_ key: String, _ value: NodeValue) -> some View {
        modifier(AnnotationModifier(properties: [key: value]))
    }
}

private struct SpokenModifier: PrimitiveModifier {
    typealias Body = Never
    let key: String
    let text: Text

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        let words = NodeValue.string(text.text(in: node.environment))
        for index in output.elements.indices {
            output.elements[index].node = output.elements[index].node.adding([key: words])
        }
        return output
    }
}
