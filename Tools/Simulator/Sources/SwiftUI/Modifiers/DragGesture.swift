public import Foundation
import ViewTree

/// A drag of the finger over the view, with locations in the view's own coordinates.
@MainActor
@preconcurrency
public struct DragGesture: Gesture {
    /// The place of the finger.
    public struct Value: Equatable, Sendable {
        public var location: CGPoint
        public var startLocation: CGPoint

        /// The way from the start to the location.
        public var translation: CGSize {
            CGSize(width: location.x - startLocation.x, height: location.y - startLocation.y)
        }
    }

    let minimumDistance: Double

    /// - Parameter minimumDistance: How far the finger moves before the drag begins, in points.
    public init(minimumDistance: CGFloat = 10) {
        self.minimumDistance = Double(minimumDistance)
    }

    public func _recognizer(_ actions: _GestureActions<Value>) -> _Recognizer {
        ._drag(_Drag(minimumDistance: minimumDistance, actions: actions))
    }
}

/// A drag with its actions.
public struct _Drag {
    let minimumDistance: Double
    let actions: _GestureActions<DragGesture.Value>

    /// The value of an event is the phase ("changed", "ended" or "cancelled"), the location and the start.
    @MainActor
    func render(_ children: [Output], in node: ViewNode) -> Output {
        guard node.environment.isEnabled else { return Output(merging: children) }
        node.handle(.drag) { event in
            guard let event = event?.list, event.count == 5, let phase = event[0].string else { return false }
            let numbers = event.dropFirst().compactMap(\.number)
            guard numbers.count == 4 else { return false }
            let value = DragGesture.Value(
                location: CGPoint(x: numbers[0], y: numbers[1]), startLocation: CGPoint(x: numbers[2], y: numbers[3]))
            switch phase {
            case "changed": for action in actions.changed { action(value) }
            case "ended":
                for action in actions.ended { action(value) }
                for action in actions.finished { action() }
            case "cancelled": for action in actions.finished { action() }
            default: return false
            }
            return true
        }
        return node.wrap(
            children, kind: .dragArea, properties: ["distance": .number(minimumDistance)], actions: [.drag])
    }
}
