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
        let color = resolved(color, in: environment)
        let parts = color.split(separator: "/", maxSplits: 1)
        let lighter = "\(parts.first ?? "")+" + (parts.count > 1 ? "/\(parts[1])" : "")
        return "linear:0.5,0,0.5,1;\(lighter) 0;\(color) 100"
    }
}
