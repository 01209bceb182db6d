/// A style that depends on another one.
protocol FadedStyle {
    func resolve(in environment: EnvironmentValues) -> String
}

/// A style that is more transparent than another one.
public struct _OpacityShapeStyle<Style: ShapeStyle>: ShapeStyle, FadedStyle {
    let style: Style
    let opacity: Double

    /// The base as a color where it is one, and by its levels otherwise.
    func resolve(in environment: EnvironmentValues) -> String {
        let base = resolved(style, in: environment)
        guard !base.contains(":") else { return base }
        let parts = base.split(separator: "/")
        let share = parts.count > 1 ? Double(parts[1]) ?? 100 : 100
        return "\(parts.first ?? "primary")/\(Int((share * opacity).rounded()))"
    }
}

extension ShapeStyle where Self == HierarchicalShapeStyle {
    public static var quaternary: HierarchicalShapeStyle { HierarchicalShapeStyle(level: 3) }
}

extension HierarchicalShapeStyle {
    public static let quaternary = HierarchicalShapeStyle(level: 3)

    public func opacity(_ opacity: Double) -> some ShapeStyle { _OpacityShapeStyle(style: self, opacity: opacity) }
}

extension TintShapeStyle {
    public func opacity(_ opacity: Double) -> some ShapeStyle { _OpacityShapeStyle(style: self, opacity: opacity) }
}

extension BackgroundStyle {
    public func opacity(_ opacity: Double) -> some ShapeStyle { _OpacityShapeStyle(style: self, opacity: opacity) }
}

extension ShapeStyle where Self == Material {
    /// The material of the bars.
    public static var bar: Material { .bar }
    public static var ultraThickMaterial: Material { .ultraThick }
}

extension Material {
    public static let ultraThick = Material(name: "ultraThick")
    public static let bar = Material(name: "bar")
}
