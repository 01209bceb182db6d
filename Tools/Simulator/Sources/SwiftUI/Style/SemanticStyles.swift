/// A fill of the system, which lies over a background.
@available(iOS 17, macOS 14, *)
public struct FillShapeStyle: ShapeStyle, Hashable {
    public init() {}
}

/// The color of lines between contents.
@available(iOS 17, macOS 14, *)
public struct SeparatorShapeStyle: ShapeStyle, Hashable {
    public init() {}
}

/// The color of links.
@available(iOS 17, macOS 14, *)
public struct LinkShapeStyle: ShapeStyle, Hashable {
    public init() {}
}

/// The color of the placeholder in an empty field.
@available(iOS 17, macOS 14, *)
public struct PlaceholderTextShapeStyle: ShapeStyle, Hashable {
    public init() {}
}

@available(iOS 17, macOS 14, *)
extension ShapeStyle where Self == FillShapeStyle {
    public static var fill: FillShapeStyle { FillShapeStyle() }
}

@available(iOS 17, macOS 14, *)
extension ShapeStyle where Self == SeparatorShapeStyle {
    public static var separator: SeparatorShapeStyle { SeparatorShapeStyle() }
}

@available(iOS 17, macOS 14, *)
extension ShapeStyle where Self == LinkShapeStyle {
    public static var link: LinkShapeStyle { LinkShapeStyle() }
}

@available(iOS 17, macOS 14, *)
extension ShapeStyle where Self == PlaceholderTextShapeStyle {
    public static var placeholder: PlaceholderTextShapeStyle { PlaceholderTextShapeStyle() }
}

/// A level of a style, such as the second one of a fill.
@available(iOS 17, macOS 14, *)
public struct _LevelShapeStyle<Base: ShapeStyle>: ShapeStyle, SystemColorStyle {
    let base: Base
    let level: Int

    func color(in environment: EnvironmentValues) -> Color {
        switch base {
        case is FillShapeStyle:
            let fills: [UIColor] = [.secondarySystemFill, .tertiarySystemFill, .quaternarySystemFill]
            return fills[level - 1].color
        case is BackgroundStyle:
            let backgrounds: [UIColor] = [.secondarySystemBackground, .tertiarySystemBackground]
            return backgrounds[min(level, 2) - 1].color
        case let system as any SystemColorStyle: return faded(system.color(in: environment))
        case let color as Color: return faded(color)
        case is TintShapeStyle: return faded(environment.tint ?? .accentColor)
        default: return faded(environment.foreground?.primary ?? .primary)
        }
    }

    private func faded(_ color: Color) -> Color { color.opacity([0.6, 0.3, 0.18][level - 1]) }
}

@available(iOS 17, macOS 14, *)
extension ShapeStyle {
    public var secondary: some ShapeStyle { _LevelShapeStyle(base: self, level: 1) }
    public var tertiary: some ShapeStyle { _LevelShapeStyle(base: self, level: 2) }
    public var quaternary: some ShapeStyle { _LevelShapeStyle(base: self, level: 3) }
}

/// A style that is a color of the system.
protocol SystemColorStyle: ShapeStyle {
    func color(in environment: EnvironmentValues) -> Color
}

@available(iOS 17, macOS 14, *)
extension FillShapeStyle: SystemColorStyle {
    func color(in environment: EnvironmentValues) -> Color { UIColor.systemFill.color }
}

@available(iOS 17, macOS 14, *)
extension SeparatorShapeStyle: SystemColorStyle {
    func color(in environment: EnvironmentValues) -> Color { UIColor.separator.color }
}

@available(iOS 17, macOS 14, *)
extension LinkShapeStyle: SystemColorStyle {
    func color(in environment: EnvironmentValues) -> Color { UIColor.link.color }
}

@available(iOS 17, macOS 14, *)
extension PlaceholderTextShapeStyle: SystemColorStyle {
    func color(in environment: EnvironmentValues) -> Color { UIColor.placeholderText.color }
}
