public import Foundation
import ViewTree

/// The way in which a view comes and goes in an animated change.
public struct AnyTransition: Sendable {
    enum Effect: Hashable, Sendable {
        case opacity
        case scale(Double, UnitPoint)
        case offset(x: Double, y: Double)
        case move(Edge)
    }

    /// An effect with its own timing, if it has one.
    private struct Step: Hashable, Sendable {
        let effect: Effect
        var animation: Animation?
    }

    private let insertion: [Step]
    private let removal: [Step]

    private init(_ insertion: [Effect], removal: [Effect]? = nil) {
        self.init(insertion.map { Step(effect: $0) }, removal: (removal ?? insertion).map { Step(effect: $0) })
    }

    private init(_ insertion: [Step], removal: [Step]) {
        self.insertion = insertion
        self.removal = removal
    }

    /// Comes and goes at once.
    public static let identity = AnyTransition([])
    public static let opacity = AnyTransition([.opacity])
    public static let scale = AnyTransition([.scale(0, .center)])

    public static func scale(scale: CGFloat, anchor: UnitPoint = .center) -> AnyTransition {
        AnyTransition([.scale(Double(scale), anchor)])
    }

    /// Comes in from the leading edge, and goes out to the trailing edge.
    public static let slide = AnyTransition([.move(.leading)], removal: [.move(.trailing)])

    public static func offset(_ offset: CGSize) -> AnyTransition { .offset(x: offset.width, y: offset.height) }

    public static func offset(x: CGFloat = 0, y: CGFloat = 0) -> AnyTransition {
        AnyTransition([.offset(x: Double(x), y: Double(y))])
    }

    /// Comes in from an edge and goes out to it, over the view's own length.
    public static func move(edge: Edge) -> AnyTransition { AnyTransition([.move(edge)]) }

    /// Comes in from an edge and goes out to the opposite one, and fades.
    public static func push(from edge: Edge) -> AnyTransition {
        AnyTransition([.move(edge), .opacity], removal: [.move(edge.opposite), .opacity])
    }

    public static func asymmetric(insertion: AnyTransition, removal: AnyTransition) -> AnyTransition {
        AnyTransition(insertion.insertion, removal: removal.removal)
    }

    public func combined(with other: AnyTransition) -> AnyTransition {
        AnyTransition(insertion + other.insertion, removal: removal + other.removal)
    }

    @available(*, unavailable, message: "SwiftUI on Linux lacks AnyTransition.modifier. Combine opacity and scale.")
    public static func modifier<E: ViewModifier>(active: E, identity: E) -> AnyTransition { .opacity }

    /// Sets the timing, also for a change that is not animated. Effects that have their own keep it.
    public func animation(_ animation: Animation?) -> AnyTransition {
        func timed(_ steps: [Step]) -> [Step] {
            steps.map { Step(effect: $0.effect, animation: $0.animation ?? animation) }
        }
        return AnyTransition(timed(insertion), removal: timed(removal))
    }

    /// The effects on the way in and on the way out, such as `move leading` and `scale 0.5 0.5,0`. One with its own
    /// timing is a list of the effect, the delay, the duration and the curve.
    fileprivate var plain: NodeValue {
        .list(
            [insertion, removal].map { steps in
                .list(
                    steps.map { step in
                        guard let animation = step.animation.map({ TreeAnimation($0) }) else {
                            return .string(step.effect.plain)
                        }
                        return [
                            .string(step.effect.plain), .number(animation.delay), .number(animation.duration),
                            .list(animation.curve.map { .number($0) }),
                        ]
                    })
            })
    }
}

extension AnyTransition.Effect {
    fileprivate var plain: String {
        switch self {
        case .opacity: "opacity"
        case .scale(let scale, let anchor): "scale \(SwiftUI.plain(scale)) \(anchor.plain)"
        case .offset(let x, let y): "offset \(SwiftUI.plain(x)) \(SwiftUI.plain(y))"
        case .move(let edge): "move \(edge)"
        }
    }
}

extension Edge {
    fileprivate var opposite: Edge {
        switch self {
        case .top: .bottom
        case .leading: .trailing
        case .bottom: .top
        case .trailing: .leading
        }
    }
}

private struct TransitionModifier: PrimitiveModifier {
    typealias Body = Never
    let transition: NodeValue

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        for index in output.elements.indices {
            output.elements[index].node = output.elements[index].node.adding(["transition": transition])
        }
        return output
    }
}

extension View {
    /// Sets how the view comes and goes in an animated change. Default: it fades.
    public func transition(_ t: AnyTransition) -> some View { modifier(TransitionModifier(transition: t.plain)) }
}

extension TreeAnimation {
    /// The number of parts of the curve.
    private static let steps = 40

    /// The timing of one run. Repetitions do not apply to what comes and goes.
    init(_ animation: Animation) {
        let duration = animation.curve.duration
        let speed = max(animation.speed, 0.001)
        let curve = (0...Self.steps).map { step -> Double in
            if step == 0 || step == Self.steps { return step == 0 ? 0 : 1 }
            let position = animation.curve.position(at: duration * Double(step) / Double(Self.steps))
            return (position * 10_000).rounded() / 10_000
        }
        self.init(delay: max(animation.delay, 0), duration: max(duration, 0) / speed, curve: curve)
    }
}
