import ViewTree

/// A kind of action that assistive technologies perform by a gesture of their own.
public struct AccessibilityActionKind: Hashable, Sendable {
    fileprivate let name: Text?
    private let kind: String

    private init(_ kind: String) {
        self.kind = kind
        name = nil
    }

    /// An action with a name.
    public init(named name: Text) {
        kind = "named"
        self.name = name
    }

    /// The action of a double tap on the element.
    public static let `default` = AccessibilityActionKind("Activate")
    /// A two-finger scrub, which leaves the view.
    public static let escape = AccessibilityActionKind("Escape")
    /// A two-finger double tap.
    public static let magicTap = AccessibilityActionKind("Magic tap")

    @MainActor
    fileprivate func words(in environment: EnvironmentValues) -> String { name?.text(in: environment) ?? kind }
}

/// The direction in which an adjustable element changes.
public enum AccessibilityAdjustmentDirection: Hashable, Sendable {
    case increment
    case decrement
}

/// Offers an action to assistive technologies, beside those of the content.
private struct AccessibilityActionModifier: PrimitiveModifier {
    typealias Body = Never
    let kind: AccessibilityActionKind
    let action: () -> Void

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        guard let first = output.elements.first?.node else { return output }
        let name = kind.words(in: node.environment)
        node.handle(.accessibilityAction) { [weak node] (value: NodeValue?) -> Bool in
            guard let node else { return false }
            guard value?.string == name else {
                return node.parent?.handler(for: .accessibilityAction)?(value) ?? false
            }
            action()
            return true
        }
        let names = first.properties["accessibilityActions"]?.list ?? []
        output.elements[0].node = first.adding(
            ["accessibilityActions": .list(names + [.string(name)])], actions: [.accessibilityAction])
        return output
    }
}

/// Lets assistive technologies change a value in steps.
private struct AdjustableActionModifier: PrimitiveModifier {
    typealias Body = Never
    let handler: (AccessibilityAdjustmentDirection) -> Void

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        guard let first = output.elements.first?.node else { return output }
        node.handle(.increment) { handler(.increment) }
        node.handle(.decrement) { handler(.decrement) }
        output.elements[0].node = first.adding(["adjustable": true], actions: [.increment, .decrement])
        return output
    }
}

extension View {
    /// Adds an action for assistive technologies. The VoiceOver panel of the phone performs it.
    public func accessibilityAction(
        _ actionKind: AccessibilityActionKind = .default, _ handler: @escaping () -> Void,
    ) -> some View {
        modifier(AccessibilityActionModifier(kind: actionKind, action: handler))
    }

    public func accessibilityAction(named name: Text, _ handler: @escaping () -> Void) -> some View {
        accessibilityAction(AccessibilityActionKind(named: name), handler)
    }

    public func accessibilityAction(named nameKey: LocalizedStringKey, _ handler: @escaping () -> Void) -> some View {
        accessibilityAction(named: Text(nameKey), handler)
    }

    @_disfavoredOverload
    public func accessibilityAction<S: StringProtocol>(
        named name: S, _ handler: @escaping () -> Void,
    ) -> some View {
        accessibilityAction(named: Text(name), handler)
    }

    /// Lets assistive technologies change a value in steps, by swiping up and down.
    public func accessibilityAdjustableAction(
        _ handler: @escaping (AccessibilityAdjustmentDirection) -> Void
    ) -> some View {
        modifier(AdjustableActionModifier(handler: handler))
    }
}
