public import Foundation
import ViewTree

/// Changes to the look of a view that leave its layout as it is.
public protocol VisualEffect: Sendable {
    /// The nodes around the view, the innermost first.
    var _steps: [_VisualStep] { get }
}

/// A node around a view.
public struct _VisualStep: Hashable, Sendable {
    let kind: NodeKind
    let properties: [String: NodeValue]
}

/// A view without a change to its look.
public struct EmptyVisualEffect: VisualEffect {
    public init() {}
    public var _steps: [_VisualStep] { [] }
}

/// An effect on top of others.
private struct AddedEffect: VisualEffect {
    let _steps: [_VisualStep]
}

extension VisualEffect {
    private func adding(_ kind: NodeKind, _ properties: [String: NodeValue]) -> AddedEffect {
        AddedEffect(_steps: _steps + [_VisualStep(kind: kind, properties: properties)])
    }

    private func filtered(_ name: String, _ amount: Double) -> AddedEffect {
        adding(.filter, ["filter": .string(name), "amount": .number(amount)])
    }

    public func opacity(_ opacity: Double) -> some VisualEffect { adding(.opacity, ["opacity": .number(opacity)]) }

    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some VisualEffect {
        adding(.offset, ["x": .number(Double(x)), "y": .number(Double(y))])
    }

    public func offset(_ offset: CGSize) -> some VisualEffect { self.offset(x: offset.width, y: offset.height) }

    public func scaleEffect(_ scale: CGFloat, anchor: UnitPoint = .center) -> some VisualEffect {
        scaleEffect(x: scale, y: scale, anchor: anchor)
    }

    public func scaleEffect(_ scale: CGSize, anchor: UnitPoint = .center) -> some VisualEffect {
        scaleEffect(x: scale.width, y: scale.height, anchor: anchor)
    }

    public func scaleEffect(x: CGFloat = 1, y: CGFloat = 1, anchor: UnitPoint = .center) -> some VisualEffect {
        adding(.scale, ["x": .number(Double(x)), "y": .number(Double(y)), "anchor": .string(anchor.plain)])
    }

    public func rotationEffect(_ angle: Angle, anchor: UnitPoint = .center) -> some VisualEffect {
        adding(.rotation, ["degrees": .number(angle.degrees), "anchor": .string(anchor.plain)])
    }

    public func blur(radius: CGFloat, opaque: Bool = false) -> some VisualEffect {
        adding(.blur, ["radius": .number(Double(radius))])
    }

    public func grayscale(_ amount: Double) -> some VisualEffect { filtered("grayscale", amount) }
    public func saturation(_ amount: Double) -> some VisualEffect { filtered("saturation", amount) }
    public func contrast(_ amount: Double) -> some VisualEffect { filtered("contrast", amount) }
    public func hueRotation(_ angle: Angle) -> some VisualEffect { filtered("hueRotation", angle.degrees) }
}

/// Changes the look of the content by its size and place, which the page reports.
struct VisualEffectModifier: PrimitiveModifier {
    typealias Body = Never
    let effect: @MainActor (GeometryProxy, ViewNode) -> [_VisualStep]

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let extent = node.extent
        let proxy = GeometryProxy(
            measurement: extent.current(for: node), spaces: node.environment.coordinateSpaces,
            interest: extent.interest(of: node))
        node.acceptMeasurements()
        var output = Output(merging: children)
        let steps = effect(proxy, node)
        for index in output.elements.indices {
            let inner = output.elements[index].node
            var changed = inner
            for (number, step) in steps.enumerated() {
                changed = RenderedNode(
                    id: node.stepID(number, around: inner.id), kind: step.kind, properties: step.properties,
                    children: [changed])
            }
            let isOnly = output.elements.count == 1
            output.elements[index].node = RenderedNode(
                id: isOnly ? node.id : node.wrapperID(.group, around: inner.id), kind: .group,
                properties: extent.interest(of: node).isPlaceRead ? ["place": true] : [:], actions: [.measure],
                children: [changed])
        }
        return output
    }
}

@available(iOS 17, macOS 14, *)
extension View {
    /// Changes the look of the view by its size and place. The layout stays as it is.
    public func visualEffect(
        _ effect: @escaping @Sendable (EmptyVisualEffect, GeometryProxy) -> some VisualEffect
    ) -> some View {
        modifier(VisualEffectModifier { proxy, _ in effect(EmptyVisualEffect(), proxy)._steps })
    }
}
