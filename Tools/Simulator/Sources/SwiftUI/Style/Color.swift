import ViewTree

/// A color. Named colors have light and dark variants.
public struct Color: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case named(String)
        case rgb(red: Double, green: Double, blue: Double)
        indirect case adaptive(light: Color, dark: Color)
        indirect case mixed(ColorMix)
    }

    let kind: Kind
    let alpha: Double

    init(_ kind: Kind, alpha: Double = 1) {
        self.kind = kind
        self.alpha = alpha
    }

    private init(named name: String) {
        self.init(.named(name))
    }

    /// A color that depends on the color scheme.
    init(light: Color, dark: Color) {
        self.init(.adaptive(light: light, dark: dark))
    }

    /// - Parameter hex: The components as in "#rrggbb".
    init(hex: Int, _ opacity: Double = 1) {
        self.init(
            red: Double(hex >> 16 & 0xFF) / 255, green: Double(hex >> 8 & 0xFF) / 255, blue: Double(hex & 0xFF) / 255,
            opacity: opacity)
    }

    /// Components from 0 to 1.
    public init(red: Double, green: Double, blue: Double, opacity: Double = 1) {
        self.init(.rgb(red: red, green: green, blue: blue), alpha: opacity)
    }

    public init(white: Double, opacity: Double = 1) {
        self.init(.rgb(red: white, green: white, blue: white), alpha: opacity)
    }

    public init(hue: Double, saturation: Double, brightness: Double, opacity: Double = 1) {
        func part(_ n: Double) -> Double {
            let k = (n + hue * 6).truncatingRemainder(dividingBy: 6)
            return brightness - brightness * saturation * max(0, min(k, 4 - k, 1))
        }
        self.init(red: part(5), green: part(3), blue: part(1), opacity: opacity)
    }

    /// A color of the app's asset catalog.
    public init(_ name: String) {
        self.init(named: "asset:" + name)
    }

    /// The name in the asset catalog; `nil` for other colors.
    var assetName: String? {
        if case .named(let name) = kind, name.hasPrefix("asset:") { String(name.dropFirst(6)) } else { nil }
    }

    public func opacity(_ opacity: Double) -> Color { Color(kind, alpha: alpha * opacity) }

    /// Returns the color with another opacity in place of its own.
    func withAlpha(_ alpha: Double) -> Color { Color(kind, alpha: alpha) }

    /// The color in a color scheme.
    func tone(in scheme: ColorScheme) -> Color {
        guard case .adaptive(let light, let dark) = kind else { return self }
        return (scheme == .dark ? dark : light).opacity(alpha)
    }

    public static let primary = Color(named: "primary")
    public static let secondary = Color(named: "secondary")
    public static let clear = Color(white: 0, opacity: 0)
    public static let white = Color(white: 1)
    public static let black = Color(white: 0)
    public static let gray = Color(named: "gray")
    public static let red = Color(named: "red")
    public static let orange = Color(named: "orange")
    public static let yellow = Color(named: "yellow")
    public static let green = Color(named: "green")
    public static let mint = Color(named: "mint")
    public static let teal = Color(named: "teal")
    public static let cyan = Color(named: "cyan")
    public static let blue = Color(named: "blue")
    public static let indigo = Color(named: "indigo")
    public static let purple = Color(named: "purple")
    public static let pink = Color(named: "pink")
    public static let brown = Color(named: "brown")
    static let tertiary = Color(named: "tertiary")
    static let accent = Color(named: "accent")
}

extension Color {
    /// The name or "#rrggbb", followed by "/" and the opacity in percent if it is not opaque.
    var description: String {
        let base: String
        switch kind {
        case .named(let name): base = name
        case .rgb(let red, let green, let blue):
            base = "#" + [red, green, blue].map(Self.hex).joined()
        case .adaptive: return tone(in: .light).description
        case .mixed(let mix): base = mix.text { $0.description }
        }
        return alpha == 1 ? base : base + "/" + String(Int((alpha * 100).rounded()))
    }

    private static func hex(_ part: Double) -> String {
        let text = String(Int((min(max(part, 0), 1) * 255).rounded()), radix: 16)
        return text.count < 2 ? "0" + text : text
    }
}

extension Color: View {
    public typealias Body = Never
}

extension Color: PrimitiveView {
    func slots(in node: ViewNode) -> [Slot] { [] }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        Output(
            RenderedNode(
                id: node.id, kind: .color, properties: ["fill": .string(resolved(self, in: node.environment))]))
    }
}
