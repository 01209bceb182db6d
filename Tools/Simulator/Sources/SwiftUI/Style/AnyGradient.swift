/// The gradient of a color: from a lighter tone at the top to the color.
///
/// Partly: The lighter tone is mixed with white, which Apple does not document.
public struct AnyGradient: ShapeStyle, Hashable {
    let color: Color
}

extension Color {
    /// The standard gradient of the color.
    public var gradient: AnyGradient { AnyGradient(color: self) }
}

extension AnyGradient {
    /// The tone at the top is the name of the color with "+".
    func resolve(in environment: EnvironmentValues) -> String {
        let color = ColorText(resolved(color, in: environment))
        let lighter = ColorText(base: color.base + "+", share: color.share)
        return "linear:0.5,0,0.5,1;\(lighter) 0;\(color) 100"
    }
}
