import ViewTree

/// A gesture on a view.
///
/// Partly: Taps, long presses and drags, which are not combined.
@MainActor
@preconcurrency
public protocol Gesture<Value> {
    /// The value of the gesture.
    associatedtype Value

    func _recognizer(_ actions: _GestureActions<Value>) -> _Recognizer
}

/// The actions of a gesture, the innermost first.
public struct _GestureActions<Value> {
    var changed: [(Value) -> Void] = []
    var ended: [(Value) -> Void] = []
    /// Called after the end, and for a gesture that is cancelled.
    var finished: [() -> Void] = []
}

/// The recognizer of the page for a gesture.
public enum _Recognizer {
    /// The number of taps in a row, and the action.
    case _tap(Int, () -> Void)
    case _longPress(_LongPress)
    case _drag(_Drag)
}

/// A tap.
@MainActor
@preconcurrency
public struct TapGesture: Gesture {
    public typealias Value = Void
    public var count: Int

    /// - Parameter count: The number of taps in a row.
    public init(count: Int = 1) {
        self.count = count
    }

    public func _recognizer(_ actions: _GestureActions<Void>) -> _Recognizer {
        ._tap(count) { for action in actions.ended { action(()) } }
    }
}

extension Gesture {
    /// Adds an action that runs when the gesture has ended.
    public func onEnded(_ action: @escaping (Value) -> Void) -> _EndedGesture<Self> {
        _EndedGesture(content: self, action: action)
    }
}

extension Gesture where Value: Equatable {
    /// Adds an action that runs when the value of the gesture changes.
    public func onChanged(_ action: @escaping (Value) -> Void) -> _ChangedGesture<Self> {
        _ChangedGesture(content: self, action: action)
    }
}

/// A gesture with an action at its end.
@MainActor
@preconcurrency
public struct _EndedGesture<Content: Gesture>: Gesture {
    public typealias Value = Content.Value
    let content: Content
    let action: (Content.Value) -> Void

    public func _recognizer(_ actions: _GestureActions<Value>) -> _Recognizer {
        var actions = actions
        actions.ended.insert(action, at: 0)
        return content._recognizer(actions)
    }
}

/// A gesture with an action for its changes.
@MainActor
@preconcurrency
public struct _ChangedGesture<Content: Gesture>: Gesture {
    public typealias Value = Content.Value
    let content: Content
    let action: (Content.Value) -> Void

    public func _recognizer(_ actions: _GestureActions<Value>) -> _Recognizer {
        var actions = actions
        actions.changed.insert(action, at: 0)
        return content._recognizer(actions)
    }
}

/// The gestures that are recognized: the added one, those of the content, or both.
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

/// The taps on a view that follow each other.
@MainActor
private final class TapSeries {
    /// The longest time between two of them, as on a phone.
    static let pause = Duration.milliseconds(350)
    private var count = 0
    private var last = Duration.zero

    /// Adds a tap, and returns whether it is the last of `wanted` taps.
    func add(at now: Duration, wanted: Int) -> Bool {
        count = now - last <= Self.pause ? count + 1 : 1
        last = now
        guard count >= wanted else { return false }
        count = 0
        return true
    }

    /// Ends a series to which nothing was added after a time, and returns its number of taps.
    func end(ifLastAt time: Duration) -> Int {
        guard last == time else { return 0 }
        defer { count = 0 }
        return count
    }
}

extension ViewNode {
    /// Returns an action that runs at the last of several taps in a row.
    fileprivate func counting(_ wanted: Int, _ action: @escaping () -> Void) -> () -> Void {
        counting(wanted, action, else: nil)
    }

    /// - Parameter single: Gets each tap that no other one follows in time to make the wanted number.
    private func counting(
        _ wanted: Int, _ action: @escaping () -> Void, else single: (@MainActor () -> Void)?,
    ) -> () -> Void {
        guard wanted > 1 else { return action }
        let series = storage as? TapSeries ?? TapSeries()
        storage = series
        return { [weak graph] in
            guard let graph else { return }
            let now = graph.now()
            guard !series.add(at: now, wanted: wanted) else { return action() }
            guard let single else { return }
            _ = graph.run(.userInitiated) { @MainActor [weak graph] in
                await graph?.wait(now + TapSeries.pause)
                for _ in 0..<series.end(ifLastAt: now) { single() }
            }
        }
    }

    /// Returns an action that runs at the last of several taps in a row. Fewer taps go to the view around that wants
    /// taps, once it is sure that no other one follows, so that only one of two gestures is recognized.
    fileprivate func countingBefore(_ wanted: Int, _ action: @escaping () -> Void) -> () -> Void {
        counting(wanted, action, else: { [weak self] in _ = self?.tapAround?(nil) })
    }

    /// The tap gesture of the nearest view around; `nil` if the nearest that accepts taps is a control.
    private var tapAround: (@MainActor (NodeValue?) -> Bool)? {
        var node = parent
        while let current = node {
            if let handler = current.handlers[.tap] {
                let isGesture =
                    current is PrimitiveNode<Modified<TapModifier>>
                    || current is PrimitiveNode<Modified<GestureModifier>>
                return isGesture ? handler : nil
            }
            node = current.parent
        }
        return nil
    }
}

private struct TapModifier: PrimitiveModifier {
    typealias Body = Never
    var count = 1
    let action: () -> Void

    func render(_ children: [Output], in node: ViewNode) -> Output {
        guard node.environment.isEnabled else { return Output(merging: children) }
        let action = node.countingBefore(count, action)
        node.handle(.tap) { action() }
        return node.wrap(children, kind: .tapArea, properties: [:], actions: [.tap])
    }
}

/// Observes taps on the content without preventing them. If nothing inside accepts taps, the view does.
private struct SimultaneousTapModifier: PrimitiveModifier {
    typealias Body = Never
    let count: Int
    let action: () -> Void
    let isRecognised: Bool

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let output = Output(merging: children)
        guard isRecognised, node.environment.isEnabled else { return output }
        let action = node.counting(count, action)
        node.observe(.tap) { action() }
        if output.nodes.contains(where: { $0.first { $0.actions.contains(.tap) } != nil }) { return output }
        node.handle(.tap) {}
        return node.wrap(children, kind: .tapArea, properties: [:], actions: [.tap])
    }
}

extension View {
    /// - Parameter count: The number of taps in a row.
    public func onTapGesture(count: Int = 1, perform action: @escaping () -> Void) -> some View {
        modifier(TapModifier(count: count, action: action))
    }

    /// Recognizes the gesture, except on controls inside, which have their own.
    public func gesture<T: Gesture>(_ gesture: T, including mask: GestureMask = .all) -> some View {
        modifier(
            GestureModifier(recognizer: gesture._recognizer(_GestureActions()), isRecognised: mask.contains(.gesture)))
    }

    /// Recognizes the gesture in addition to those of the content.
    public func simultaneousGesture<T: Gesture>(_ gesture: T, including mask: GestureMask = .all) -> some View {
        modifier(
            GestureModifier(
                recognizer: gesture._recognizer(_GestureActions()), isRecognised: mask.contains(.gesture),
                isSimultaneous: true))
    }
}

private struct GestureModifier: PrimitiveModifier {
    typealias Body = Never
    let recognizer: _Recognizer
    let isRecognised: Bool
    var isSimultaneous = false

    func render(_ children: [Output], in node: ViewNode) -> Output {
        guard isRecognised else { return Output(merging: children) }
        switch recognizer {
        case ._tap(let count, let action) where isSimultaneous:
            return SimultaneousTapModifier(count: count, action: action, isRecognised: true).render(children, in: node)
        case ._tap(let count, let action): return TapModifier(count: count, action: action).render(children, in: node)
        case ._longPress(let press): return press.render(children, in: node, isSimultaneous: isSimultaneous)
        case ._drag(let drag): return drag.render(children, in: node)
        }
    }
}
