public import Foundation
import ViewTree

private struct OpacityModifier: PrimitiveModifier, Animatable {
    typealias Body = Never
    var opacity: Double

    nonisolated var animatableData: Double {
        get { opacity }
        set { opacity = newValue }
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        node.wrap(children, kind: .opacity, properties: ["opacity": .number(opacity)])
    }
}

/// Moves a view by, or to, `x` and `y`.
struct PlaceModifier: PrimitiveModifier, Animatable {
    typealias Body = Never
    let kind: NodeKind
    var x: CGFloat
    var y: CGFloat

    nonisolated var animatableData: AnimatablePair<CGFloat, CGFloat> {
        get { AnimatablePair(x, y) }
        set { (x, y) = (newValue.first, newValue.second) }
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        node.wrap(children, kind: kind, properties: ["x": .number(Double(x)), "y": .number(Double(y))])
    }
}

private struct ScaleModifier: PrimitiveModifier, Animatable {
    typealias Body = Never
    var x: CGFloat
    var y: CGFloat
    let anchor: UnitPoint

    nonisolated var animatableData: AnimatablePair<CGFloat, CGFloat> {
        get { AnimatablePair(x, y) }
        set { (x, y) = (newValue.first, newValue.second) }
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        node.wrap(
            children, kind: .scale,
            properties: ["x": .number(Double(x)), "y": .number(Double(y)), "anchor": .string(anchor.plain)])
    }
}

struct RotationModifier: PrimitiveModifier, Animatable {
    typealias Body = Never
    var degrees: Double
    let anchor: UnitPoint
    /// Those of a rotation in space.
    var space: [String: NodeValue] = [:]

    nonisolated var animatableData: Double {
        get { degrees }
        set { degrees = newValue }
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let properties: [String: NodeValue] = ["degrees": .number(degrees), "anchor": .string(anchor.plain)]
        return node.wrap(children, kind: .rotation, properties: properties.merging(space) { $1 })
    }
}

/// Changes the colors of the pixels of a view.
private struct FilterModifier: PrimitiveModifier, Animatable {
    enum Name: String {
        case grayscale, saturation, contrast, hueRotation
    }

    typealias Body = Never
    let name: Name
    /// A factor, or degrees.
    var amount: Double

    nonisolated var animatableData: Double {
        get { amount }
        set { amount = newValue }
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        node.wrap(children, kind: .filter, properties: ["filter": .string(name.rawValue), "amount": .number(amount)])
    }
}

/// Animates the content when a value changes.
private struct AnimationModifier<V: Equatable>: PrimitiveModifier {
    typealias Body = Never
    let animation: Animation?
    let value: V
}

extension AnimationModifier {
    /// The value of the last evaluation, and the transaction around the content while it is evaluated.
    private final class Seen {
        var value: V
        var outer: Transaction?

        init(_ value: V) {
            self.value = value
        }
    }

    func slots(content: any View, in node: ViewNode) -> [Slot] {
        if let seen = node.storage as? Seen {
            seen.outer = node.graph.transaction
            if seen.value != value { node.graph.transaction.animation = animation }
            seen.value = value
        } else {
            node.storage = Seen(value)
        }
        return [Slot(.position(0), content)]
    }

    func didUpdate(_ node: ViewNode, from previous: AnimationModifier?) {
        guard let seen = node.storage as? Seen, let outer = seen.outer else { return }
        node.graph.transaction = outer
        seen.outer = nil
    }
}

/// Animates the content whenever the view around it is evaluated again.
private struct EveryChangeAnimationModifier: PrimitiveModifier {
    typealias Body = Never
    let animation: Animation?

    private final class Seen {
        var outer: Transaction?
    }

    func slots(content: any View, in node: ViewNode) -> [Slot] {
        if let seen = node.storage as? Seen {
            seen.outer = node.graph.transaction
            node.graph.transaction.animation = animation
        } else {
            node.storage = Seen()
        }
        return [Slot(.position(0), content)]
    }

    func didUpdate(_ node: ViewNode, from previous: EveryChangeAnimationModifier?) {
        guard let seen = node.storage as? Seen, let outer = seen.outer else { return }
        node.graph.transaction = outer
        seen.outer = nil
    }
}

extension View {
    /// Animates all changes of the content, in the form before iOS 15.
    ///
    /// Partly: Without a value it leaves changes of the content's own state as they are.
    public func animation(_ animation: Animation?) -> some View {
        modifier(EveryChangeAnimationModifier(animation: animation))
    }

    public func opacity(_ opacity: Double) -> some View { modifier(OpacityModifier(opacity: opacity)) }

    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some View {
        modifier(PlaceModifier(kind: .offset, x: x, y: y))
    }

    public func offset(_ offset: CGSize) -> some View { self.offset(x: offset.width, y: offset.height) }

    public func scaleEffect(_ s: CGFloat, anchor: UnitPoint = .center) -> some View {
        modifier(ScaleModifier(x: s, y: s, anchor: anchor))
    }

    public func scaleEffect(x: CGFloat = 1, y: CGFloat = 1, anchor: UnitPoint = .center) -> some View {
        modifier(ScaleModifier(x: x, y: y, anchor: anchor))
    }

    public func rotationEffect(_ angle: Angle, anchor: UnitPoint = .center) -> some View {
        modifier(RotationModifier(degrees: angle.degrees, anchor: anchor))
    }

    public func blur(radius: CGFloat) -> some View {
        modifier(WrapModifier(kind: .blur, properties: ["radius": .number(Double(radius))]))
    }

    /// - Parameter amount: From 0, unchanged, to 1, without color.
    public func grayscale(_ amount: Double) -> some View {
        modifier(FilterModifier(name: .grayscale, amount: amount))
    }

    /// - Parameter amount: 1 is unchanged, 0 without color.
    public func saturation(_ amount: Double) -> some View {
        modifier(FilterModifier(name: .saturation, amount: amount))
    }

    /// - Parameter amount: 1 is unchanged, 0 a plain gray.
    public func contrast(_ amount: Double) -> some View {
        modifier(FilterModifier(name: .contrast, amount: amount))
    }

    public func hueRotation(_ angle: Angle) -> some View {
        modifier(FilterModifier(name: .hueRotation, amount: angle.degrees))
    }

    /// Animates changes of the content when `value` changes.
    public func animation<V: Equatable>(_ animation: Animation?, value: V) -> some View {
        modifier(AnimationModifier(animation: animation, value: value))
    }

    /// Replaces the content by placeholders.
    public func redacted(reason: RedactionReasons) -> some View {
        modifier(
            WrapModifier(kind: .redacted, properties: ["placeholder": .bool(reason.contains(.placeholder))]))
    }

    /// Marks private content, so that a page hides it in screenshots and recordings.
    public func privacySensitive(_ sensitive: Bool = true) -> some View {
        modifier(AnnotationModifier(properties: sensitive ? ["private": true] : [:]))
    }
}

/// The reasons for hiding content.
public struct RedactionReasons: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    public static let placeholder = RedactionReasons(rawValue: 1)
    public static let privacy = RedactionReasons(rawValue: 2)
}
