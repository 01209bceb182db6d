import ViewTree

/// A gradient that turns around a point, clockwise from the right.
public struct AngularGradient: ShapeStyle, Hashable {
    let gradient: Gradient
    let center: UnitPoint
    let startAngle: Angle
    let endAngle: Angle

    /// Turns once around, from an angle.
    public init(gradient: Gradient, center: UnitPoint, angle: Angle = .zero) {
        self.init(
            gradient: gradient, center: center, startAngle: angle, endAngle: .degrees(angle.degrees + 360))
    }

    public init(colors: [Color], center: UnitPoint, angle: Angle = .zero) {
        self.init(gradient: Gradient(colors: colors), center: center, angle: angle)
    }

    public init(stops: [Gradient.Stop], center: UnitPoint, angle: Angle = .zero) {
        self.init(gradient: Gradient(stops: stops), center: center, angle: angle)
    }

    /// Turns from one angle to another. The nearest color fills the rest.
    public init(gradient: Gradient, center: UnitPoint, startAngle: Angle, endAngle: Angle) {
        self.gradient = gradient
        self.center = center
        self.startAngle = startAngle
        self.endAngle = endAngle
    }

    public init(colors: [Color], center: UnitPoint, startAngle: Angle, endAngle: Angle) {
        self.init(gradient: Gradient(colors: colors), center: center, startAngle: startAngle, endAngle: endAngle)
    }

    public init(stops: [Gradient.Stop], center: UnitPoint, startAngle: Angle, endAngle: Angle) {
        self.init(gradient: Gradient(stops: stops), center: center, startAngle: startAngle, endAngle: endAngle)
    }
}

extension AngularGradient {
    /// Such as `angular:0.5,0.5,0,360;red 0;blue 100`. A gradient to a lower angle is the reverse of one to a higher.
    func resolve(in environment: EnvironmentValues) -> String {
        let isReverse = endAngle.degrees < startAngle.degrees
        let angles = [startAngle.degrees, endAngle.degrees].sorted().map(plain)
        let stops = isReverse ? gradient.stops.reversed() : gradient.stops
        let colors = stops.map { stop in
            let location = isReverse ? 1 - stop.location : stop.location
            return "\(resolved(stop.color, in: environment)) \(plain(location * 100))"
        }
        return "angular:" + ([([center.plain] + angles).joined(separator: ",")] + colors).joined(separator: ";")
    }
}

extension AngularGradient: View, PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] { [] }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        Output(RenderedNode(id: node.id, kind: .color, properties: ["fill": .string(resolve(in: node.environment))]))
    }
}

extension ShapeStyle where Self == AngularGradient {
    public static func angularGradient(
        _ gradient: Gradient, center: UnitPoint = .center, startAngle: Angle, endAngle: Angle,
    ) -> AngularGradient {
        AngularGradient(gradient: gradient, center: center, startAngle: startAngle, endAngle: endAngle)
    }

    public static func angularGradient(
        colors: [Color], center: UnitPoint = .center, startAngle: Angle, endAngle: Angle,
    ) -> AngularGradient {
        AngularGradient(colors: colors, center: center, startAngle: startAngle, endAngle: endAngle)
    }

    public static func conicGradient(
        _ gradient: Gradient, center: UnitPoint = .center, angle: Angle = .zero,
    ) -> AngularGradient {
        AngularGradient(gradient: gradient, center: center, angle: angle)
    }

    public static func conicGradient(
        colors: [Color], center: UnitPoint = .center, angle: Angle = .zero,
    ) -> AngularGradient {
        AngularGradient(colors: colors, center: center, angle: angle)
    }
}
