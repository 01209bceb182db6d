/// The style of a shape, a text or a background.
public protocol ShapeStyle: Sendable {}

extension Color: ShapeStyle {}

/// The inherited style, at one of its levels.
public struct HierarchicalShapeStyle: ShapeStyle, Hashable {
    let level: Int

    public static let primary = HierarchicalShapeStyle(level: 0)
    public static let secondary = HierarchicalShapeStyle(level: 1)
    public static let tertiary = HierarchicalShapeStyle(level: 2)
}

/// The inherited tint.
public struct TintShapeStyle: ShapeStyle, Hashable {
    public init() {}
}

/// The background of a container here.
public struct BackgroundStyle: ShapeStyle, Hashable {
    public init() {}
}

/// A translucent material over the content behind it.
public struct Material: ShapeStyle, Hashable {
    let name: String

    public static let ultraThin = Material(name: "ultraThin")
    public static let thin = Material(name: "thin")
    public static let regular = Material(name: "regular")
    public static let thick = Material(name: "thick")
}

/// A list of colors with their positions.
public struct Gradient: Hashable, Sendable {
    public struct Stop: Hashable, Sendable {
        public var color: Color
        public var location: Double

        public init(color: Color, location: Double) {
            self.color = color
            self.location = location
        }
    }

    public var stops: [Stop]

    public init(stops: [Stop]) {
        self.stops = stops
    }

    public init(colors: [Color]) {
        stops = colors.enumerated().map {
            Stop(color: $0.element, location: colors.count < 2 ? 0 : Double($0.offset) / Double(colors.count - 1))
        }
    }
}

/// A gradient along a line.
public struct LinearGradient: ShapeStyle, Hashable {
    let gradient: Gradient
    let start: UnitPoint
    let end: UnitPoint

    public init(gradient: Gradient, startPoint: UnitPoint, endPoint: UnitPoint) {
        self.gradient = gradient
        start = startPoint
        end = endPoint
    }

    public init(colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint) {
        self.init(gradient: Gradient(colors: colors), startPoint: startPoint, endPoint: endPoint)
    }
}

extension ShapeStyle where Self == HierarchicalShapeStyle {
    public static var primary: HierarchicalShapeStyle { .primary }
    public static var secondary: HierarchicalShapeStyle { .secondary }
    public static var tertiary: HierarchicalShapeStyle { .tertiary }
}

extension ShapeStyle where Self == TintShapeStyle {
    public static var tint: TintShapeStyle { TintShapeStyle() }
}

extension ShapeStyle where Self == BackgroundStyle {
    public static var background: BackgroundStyle { BackgroundStyle() }
}

extension ShapeStyle where Self == Material {
    public static var ultraThinMaterial: Material { .ultraThin }
    public static var thinMaterial: Material { .thin }
    public static var regularMaterial: Material { .regular }
    public static var thickMaterial: Material { .thick }
}

extension ShapeStyle where Self == Color {
    /// The app's accent color, or the inherited tint.
    public static var accentColor: Color { Color.accent }
    public static var clear: Color { .clear }
    public static var white: Color { .white }
    public static var black: Color { .black }
    public static var gray: Color { .gray }
    public static var red: Color { .red }
    public static var orange: Color { .orange }
    public static var yellow: Color { .yellow }
    public static var green: Color { .green }
    public static var mint: Color { .mint }
    public static var teal: Color { .teal }
    public static var cyan: Color { .cyan }
    public static var blue: Color { .blue }
    public static var indigo: Color { .indigo }
    public static var purple: Color { .purple }
    public static var pink: Color { .pink }
    public static var brown: Color { .brown }
}
