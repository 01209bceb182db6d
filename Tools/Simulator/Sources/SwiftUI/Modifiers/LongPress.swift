public import Foundation
import ViewTree

/// A long press: the user holds the view without moving the finger.
@MainActor
@preconcurrency
public struct LongPressGesture: Gesture {
    public typealias Value = Bool
    let minimumDuration: Double
    let maximumDistance: Double

    /// - Parameters:
    ///   - minimumDuration: In seconds.
    ///   - maximumDistance: How far the finger may move, in points.
    public init(minimumDuration: Double = 0.5, maximumDistance: CGFloat = 10) {
        self.minimumDuration = minimumDuration
        self.maximumDistance = Double(maximumDistance)
    }

    public func _recognizer(_ actions: _GestureActions<Bool>) -> _Recognizer {
        ._longPress(
            _LongPress(
                minimumDuration: minimumDuration, maximumDistance: maximumDistance,
                pressing: actions.changed.isEmpty
                    ? nil
                    : { isPressing in
                        if isPressing {
                            for action in actions.changed { action(true) }
                        } else {
                            for action in actions.finished { action() }
                        }
                    },
                perform: { for action in actions.ended { action(true) } }))
    }
}

/// A long press with its actions.
public struct _LongPress {
    let minimumDuration: Double
    let maximumDistance: Double
    /// Called with `true` when the finger is down, and with `false` when it is up or the press is recognized.
    let pressing: ((Bool) -> Void)?
    let perform: () -> Void

    /// The state of a press: the finger is down, and the press is not recognized yet.
    private final class Hold {
        var isPressing = false
    }

    @MainActor
    func render(_ children: [Output], in node: ViewNode, isSimultaneous: Bool) -> Output {
        guard node.environment.isEnabled else { return Output(merging: children) }
        let hold = node.storage as? Hold ?? Hold()
        node.storage = hold
        func press(_ isPressing: Bool) {
            guard hold.isPressing != isPressing else { return }
            hold.isPressing = isPressing
            pressing?(isPressing)
        }
        var properties: [String: NodeValue] = [
            "duration": .number(minimumDuration), "distance": .number(maximumDistance),
        ]
        if isSimultaneous { properties["simultaneous"] = true }
        var actions: [ViewAction] = [.longPress]
        if pressing != nil {
            actions += [.press, .release]
            node.handle(.press) { press(true) }
            node.handle(.release) { press(false) }
        }
        node.handle(.longPress) {
            press(true)
            press(false)
            perform()
        }
        return node.wrap(children, kind: .holdArea, properties: properties, actions: actions)
    }
}

private struct LongPressModifier: PrimitiveModifier {
    typealias Body = Never
    let press: _LongPress

    func render(_ children: [Output], in node: ViewNode) -> Output {
        press.render(children, in: node, isSimultaneous: false)
    }
}

extension View {
    /// - Parameters:
    ///   - minimumDuration: In seconds.
    ///   - maximumDistance: How far the finger may move, in points.
    ///   - onPressingChanged: Called when the press begins and when it ends.
    public func onLongPressGesture(
        minimumDuration: Double = 0.5, maximumDistance: CGFloat = 10, perform action: @escaping () -> Void,
        onPressingChanged: ((Bool) -> Void)? = nil,
    ) -> some View {
        modifier(
            LongPressModifier(
                press: _LongPress(
                    minimumDuration: minimumDuration, maximumDistance: Double(maximumDistance),
                    pressing: onPressingChanged, perform: action)))
    }
}
