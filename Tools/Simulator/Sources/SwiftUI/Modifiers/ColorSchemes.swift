import ViewTree

/// Sets the color scheme of the window or the sheet around the view.
private struct PreferredSchemeModifier: PrimitiveModifier {
    typealias Body = Never
    let scheme: ColorScheme?

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        if let scheme { output.preferences.colorScheme = scheme }
        return output
    }
}

extension View {
    /// Sets the color scheme of the whole window or sheet; `nil` leaves the user's.
    public func preferredColorScheme(_ colorScheme: ColorScheme?) -> some View {
        modifier(PreferredSchemeModifier(scheme: colorScheme))
    }
}

/// The color scheme that the views inside of a window prefer.
final class SchemeChoice {
    private var scheme: ColorScheme?

    /// Sets it in the environment of the views inside.
    func apply(to values: inout EnvironmentValues) {
        if let scheme { values.colorScheme = scheme }
    }

    /// Returns the scheme to draw, and evaluates the views again if their preference has changed.
    @MainActor
    func adopt(_ preferred: ColorScheme?, in node: ViewNode) -> ColorScheme {
        if preferred != scheme {
            scheme = preferred
            node.graph.setNeedsUpdate(node)
        }
        return scheme ?? node.environment.colorScheme
    }
}
