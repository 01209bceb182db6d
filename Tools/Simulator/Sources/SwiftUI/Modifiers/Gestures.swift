import ViewTree

/// A gesture on a view.
///
/// Partly: The tap alone.
@MainActor
@preconcurrency
public protocol Gesture<Value> {
    /// The value of a gesture that has ended.
    associatedtype Value
}

/// A tap.
@MainActor
@preconcurrency
public struct TapGesture: Gesture {
    public typealias Value = Void

    public init() {}
}

extension Gesture {
    /// Adds an action that runs when the gesture has ended.
    public func onEnded(_ action: @escaping (Value) -> Void) -> _EndedGesture<Self> {
        _EndedGesture(action: action)
    }
}

/// A gesture with its action.
@MainActor
@preconcurrency
public struct _EndedGesture<Content: Gesture>: Gesture {
    public typealias Value = Content.Value
    let action: (Content.Value) -> Void
}

/// Which gestures are recognized: the added one, those of the content, or both.
public struct GestureMask: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    public static let none: GestureMask = []
    public static let gesture = GestureMask(rawValue: 1)
    public static let subviews = GestureMask(rawValue: 2)
    public static let all: GestureMask = [.gesture, .subviews]
}

private struct TapModifier: PrimitiveModifier {
    typealias Body = Never
    let action: () -> Void

    func render(_ children: [Output], in node: ViewNode) -> Output {
        guard node.environment.isEnabled else { return Output(merging: children) }
        node.handle(.tap) { action() }
        return node.wrap(children, kind: .tapArea, properties: [:], actions: [.tap])
    }
}

/// Observes taps on the content without preventing them. If nothing inside accepts taps, the view does.
private struct SimultaneousTapModifier: PrimitiveModifier {
    typealias Body = Never
    let action: () -> Void
    let isRecognised: Bool

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let output = Output(merging: children)
        guard isRecognised, node.environment.isEnabled else { return output }
        node.observe(.tap) { action() }
        if output.nodes.contains(where: { $0.first { $0.actions.contains(.tap) } != nil }) { return output }
        node.handle(.tap) {}
        return node.wrap(children, kind: .tapArea, properties: [:], actions: [.tap])
    }
}

extension View {
    public func onTapGesture(perform action: @escaping () -> Void) -> some View {
        modifier(TapModifier(action: action))
    }

    /// Recognizes the tap in addition to those of the content.
    public func simultaneousGesture(
        _ gesture: _EndedGesture<TapGesture>, including mask: GestureMask = .all,
    ) -> some View {
        modifier(
            SimultaneousTapModifier(action: { gesture.action(()) }, isRecognised: mask.contains(.gesture)))
    }
}
