/// A style that depends on another one.
protocol FadedStyle {
    var base: any ShapeStyle { get }
    var opacity: Double { get }

    func resolve(in environment: EnvironmentValues) -> String
}

/// A style that is more transparent than another one.
public struct _OpacityShapeStyle<Style: ShapeStyle>: ShapeStyle, FadedStyle {
    let style: Style
    let opacity: Double
    var base: any ShapeStyle { style }

    /// Fades a color or a material, or each color of a gradient.
    func resolve(in environment: EnvironmentValues) -> String {
        let base = resolved(style, in: environment)
        guard base.contains(";") else { return faded(base) }
        let parts = base.split(separator: ";").map(String.init)
        let stops = parts.dropFirst().map { stop in
            let words = stop.split(separator: " ").map(String.init)
            return ([faded(words[0])] + words.dropFirst()).joined(separator: " ")
        }
        return (parts.prefix(1) + stops).joined(separator: ";")
    }

    private func faded(_ color: String) -> String {
        var text = ColorText(color)
        text.share *= opacity
        return text.description
    }
}

extension ShapeStyle {
    /// Returns a style that is more transparent.
    @_disfavoredOverload
    public func opacity(_ opacity: Double) -> some ShapeStyle { _OpacityShapeStyle(style: self, opacity: opacity) }
}

extension ShapeStyle where Self == HierarchicalShapeStyle {
    public static var quaternary: HierarchicalShapeStyle { HierarchicalShapeStyle(level: 3) }
}

extension HierarchicalShapeStyle {
    public static let quaternary = HierarchicalShapeStyle(level: 3)
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

/// Colors from the top to the bottom.
extension Gradient: ShapeStyle {}

extension Gradient {
    /// The colors with their positions in percent.
    func resolvedStops(in environment: EnvironmentValues) -> String {
        stops.map { "\(resolved($0.color, in: environment)) \(plain($0.location * 100))" }.joined(separator: ";")
    }
}
