import ViewTree

/// The forms of a symbol, such as filled.
public struct SymbolVariants: Hashable, Sendable {
    var suffixes: [String] = []

    public static let none = SymbolVariants()
    public static let circle = SymbolVariants(suffixes: ["circle"])
    public static let square = SymbolVariants(suffixes: ["square"])
    public static let rectangle = SymbolVariants(suffixes: ["rectangle"])
    public static let fill = SymbolVariants(suffixes: ["fill"])
    public static let slash = SymbolVariants(suffixes: ["slash"])

    public var circle: SymbolVariants { adding("circle") }
    public var square: SymbolVariants { adding("square") }
    public var rectangle: SymbolVariants { adding("rectangle") }
    public var fill: SymbolVariants { adding("fill") }
    public var slash: SymbolVariants { adding("slash") }

    public func contains(_ other: SymbolVariants) -> Bool { other.suffixes.allSatisfy(suffixes.contains) }

    private func adding(_ suffix: String) -> SymbolVariants {
        SymbolVariants(suffixes: suffixes.contains(suffix) ? suffixes : suffixes + [suffix])
    }

    /// The name of the symbol in these forms, or in the given one if the page draws no other.
    func name(of symbol: String) -> String {
        let parts = Set(symbol.split(separator: ".").map(String.init))
        // Apple's names have the form around the symbol before the slash and the filling.
        let order = ["circle", "square", "rectangle", "slash", "fill"]
        let missing = order.filter { suffixes.contains($0) && !parts.contains($0) }
        let name = ([symbol] + missing).joined(separator: ".")
        return SymbolNames.isDrawn(name) ? name : symbol
    }
}

extension EnvironmentValues {
    private enum VariantsKey: EnvironmentKey {
        static let defaultValue = SymbolVariants.none
    }

    /// The forms in which symbols are drawn here.
    public var symbolVariants: SymbolVariants {
        get { self[VariantsKey.self] }
        set { self[VariantsKey.self] = newValue }
    }
}

extension View {
    /// Adds a form to those in which symbols are drawn here; `none` removes all of them.
    public func symbolVariant(_ variant: SymbolVariants) -> some View {
        modifier(
            EnvironmentModifier { values in
                let before = variant == .none ? [] : values.symbolVariants.suffixes
                values.symbolVariants = SymbolVariants(
                    suffixes: before + variant.suffixes.filter { !before.contains($0) })
            })
    }
}
