import ViewTree

/// Something that a person does to a view by touching it.
@MainActor
@preconcurrency
public protocol Gesture<Value> {
    /// What is known of it when it is over.
    associatedtype Value
}

/// A touch and a release.
@MainActor
@preconcurrency
public struct TapGesture: Gesture {
    public typealias Value = Void

    public init() {}
}

extension Gesture {
    /// Calls `action` when the gesture is complete.
    public func onEnded(_ action: @escaping (Value) -> Void) -> _EndedGesture<Self> {
        _EndedGesture(action: action)
    }
}

/// A gesture with what is done when it is over.
@MainActor
@preconcurrency
public struct _EndedGesture<Content: Gesture>: Gesture {
    public typealias Value = Content.Value
    let action: (Content.Value) -> Void
}

/// Which gestures are recognised: the one that is added, those of the views below, or both.
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

/// Hears of taps on what is inside, which is carried out all the same; where nothing inside can be tapped, it can.
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

    /// Recognises the tap beside those of the views inside.
    public func simultaneousGesture(
        _ gesture: _EndedGesture<TapGesture>, including mask: GestureMask = .all,
    ) -> some View {
        modifier(
            SimultaneousTapModifier(action: { gesture.action(()) }, isRecognised: mask.contains(.gesture)))
    }
}
