import ViewTree

/// Returns a style as a property of a rendered node.
///
/// A color by its name or value, `material:thin`, `linear:0,0,1,1;red 0;blue 100`, or
/// `radial:0.5,0.5,0,80;red 0;blue 100`.
/// A line has its end points, a radial gradient its center and its radii; each stop has its position in percent.
func resolved(_ style: any ShapeStyle, in environment: EnvironmentValues) -> String {
    switch style {
    case let any as AnyShapeStyle: resolved(any.base, in: environment)
    case let color as Color: resolved(color, in: environment)
    case let level as HierarchicalShapeStyle: foreground(level.level, in: environment)
    case is TintShapeStyle: resolved(.accentColor, in: environment)
    case is BackgroundStyle: "background"
    case let material as Material: "material:" + material.name
    case let gradient as AnyGradient: gradient.resolve(in: environment)
    case let angular as AngularGradient: angular.resolve(in: environment)
    case let system as any SystemColorStyle: resolved(system.color(in: environment), in: environment)
    case let faded as any FadedStyle: faded.resolve(in: environment)
    case let radial as RadialGradient:
        "radial:\(radial.center.plain),\(plain(radial.startRadius)),\(plain(radial.endRadius));"
            + radial.gradient.resolvedStops(in: environment)
    case let linear as LinearGradient:
        "linear:\(linear.start.plain),\(linear.end.plain);" + linear.gradient.resolvedStops(in: environment)
    case let gradient as Gradient: "linear:0.5,0,0.5,1;" + gradient.resolvedStops(in: environment)
    default: "primary"
    }
}

/// A color of an asset catalog is the one for the color scheme. `AccentColor` is the tint if nothing sets another.
func resolved(_ color: Color, in environment: EnvironmentValues) -> String {
    if color.kind == Color.accentColor.kind {
        let accent =
            environment.tint ?? Assets.main.colors["AccentColor"].map { tone($0, environment) } ?? .accentColor
        return accent.opacity(color.alpha).description
    }
    if case .mixed(let mix) = color.kind {
        return ColorText(base: mix.text { resolved($0, in: environment) }, share: color.alpha).description
    }
    guard let name = color.assetName else { return color.tone(in: environment.colorScheme).description }
    guard let tones = Assets.main.colors[name] else {
        if let graph = Evaluation.current?.node.graph {
            MainActor.assumeIsolated { graph.report(.missingAsset(name: name)) }
        }
        return color.description
    }
    return tone(tones, environment).opacity(color.alpha).description
}

extension EnvironmentValues {
    /// The tint here, for what the page draws by itself, such as a back button; empty if nothing sets one.
    var pageTint: [String: NodeValue] {
        let tint = resolved(.accentColor, in: self)
        return tint == Color.accentColor.description ? [:] : ["tint": .string(tint)]
    }
}

private func tone(_ tones: Assets.Tones, _ environment: EnvironmentValues) -> Color {
    environment.colorScheme == .dark ? tones.dark ?? tones.light : tones.light
}

/// Returns the text color here.
func foreground(_ level: Int = 0, in environment: EnvironmentValues) -> String {
    let levels = environment.foreground
    return switch level {
    case 0: resolved(levels?.primary ?? .primary, in: environment)
    case 1: resolved(levels?.secondary ?? levels?.primary.opacity(0.6) ?? .secondary, in: environment)
    case 2: resolved(levels?.tertiary ?? levels?.primary.opacity(0.3) ?? .tertiary, in: environment)
    default:
        resolved((levels?.tertiary ?? levels?.primary.opacity(0.3) ?? .tertiary).opacity(0.6), in: environment)
    }
}

/// Formats a number without an empty fraction.
func plain(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
}

extension View {
    public func foregroundColor(_ color: Color?) -> some View {
        modifier(EnvironmentModifier { $0.foreground = color.map { ForegroundLevels(primary: $0) } })
    }

    /// Partly: Colors and levels. A gradient or a material leaves the color as it is.
    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View {
        modifier(ForegroundModifier(styles: [style]))
    }

    /// Sets the color of contents, and that of their second level.
    public func foregroundStyle<S1: ShapeStyle, S2: ShapeStyle>(_ primary: S1, _ secondary: S2) -> some View {
        modifier(ForegroundModifier(styles: [primary, secondary]))
    }

    /// Sets the colors of the three levels of contents.
    public func foregroundStyle<S1: ShapeStyle, S2: ShapeStyle, S3: ShapeStyle>(
        _ primary: S1, _ secondary: S2, _ tertiary: S3,
    ) -> some View {
        modifier(ForegroundModifier(styles: [primary, secondary, tertiary]))
    }

    public func tint(_ tint: Color?) -> some View {
        modifier(EnvironmentModifier { $0.tint = tint })
    }

    /// Sets the tint, in the form before iOS 15.
    public func accentColor(_ accentColor: Color?) -> some View { tint(accentColor) }

    /// Sets the color scheme for this view and its descendants, regardless of the user's setting.
    public func colorScheme(_ colorScheme: ColorScheme) -> some View {
        environment(\.colorScheme, colorScheme)
    }
}

private struct ForegroundModifier: PrimitiveModifier {
    typealias Body = Never
    /// The styles of the first levels, one at least.
    let styles: [any ShapeStyle]

    func changeEnvironment(_ values: inout EnvironmentValues) {
        let colors = styles.map { color(of: $0, in: values) }
        let inherited = colors.count > 1 ? values.foreground?.primary ?? .primary : nil
        guard let primary = colors[0] ?? inherited else { return }
        values.foreground = ForegroundLevels(
            primary: primary, secondary: colors.count > 1 ? colors[1] : nil,
            tertiary: colors.count > 2 ? colors[2] : nil)
    }

    private func unfaded(_ style: any ShapeStyle, in values: EnvironmentValues) -> Color? {
        let isColorHere = (style as? HierarchicalShapeStyle)?.level == 0
        return isColorHere ? values.foreground?.primary ?? .primary : color(of: style, in: values)
    }

    /// Returns `nil` for a style that leaves the color as it is.
    private func color(of style: any ShapeStyle, in values: EnvironmentValues) -> Color? {
        switch (style as? AnyShapeStyle)?.base ?? style {
        case let color as Color: color
        case let level as HierarchicalShapeStyle where level.level == 1:
            values.foreground?.secondary ?? values.foreground?.primary.opacity(0.6) ?? .secondary
        case let level as HierarchicalShapeStyle where level.level > 1:
            values.foreground?.tertiary ?? values.foreground?.primary.opacity(0.3) ?? .tertiary
        case let system as any SystemColorStyle: system.color(in: values)
        case is TintShapeStyle: values.tint ?? .accentColor
        case let faded as any FadedStyle: unfaded(faded.base, in: values)?.opacity(faded.opacity)
        default: nil
        }
    }
}
