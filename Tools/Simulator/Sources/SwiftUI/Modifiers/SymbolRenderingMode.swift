/// The way in which a symbol gets its colors.
public struct SymbolRenderingMode: Hashable, Sendable {
    private enum Kind: Hashable, Sendable {
        case monochrome
        case hierarchical
    }

    private let kind: Kind
    var isHierarchical: Bool { kind == .hierarchical }

    public static let monochrome = SymbolRenderingMode(kind: .monochrome)
    /// The shape around a symbol is paler than the symbol.
    public static let hierarchical = SymbolRenderingMode(kind: .hierarchical)

    @available(*, unavailable, message: "SwiftUI on Linux lacks palette. Use hierarchical.")
    public static let palette = SymbolRenderingMode(kind: .monochrome)

    @available(*, unavailable, message: "SwiftUI on Linux lacks multicolor. Use hierarchical.")
    public static let multicolor = SymbolRenderingMode(kind: .monochrome)
}

extension EnvironmentValues {
    private enum RenderingModeKey: EnvironmentKey {
        static var defaultValue: SymbolRenderingMode? { nil }
    }

    /// The way in which symbols here get their colors; `nil` for that of the system.
    public var symbolRenderingMode: SymbolRenderingMode? {
        get { self[RenderingModeKey.self] }
        set { self[RenderingModeKey.self] = newValue }
    }
}

extension View {
    public func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> some View {
        environment(\.symbolRenderingMode, mode)
    }
}

extension Image {
    public func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> Image {
        var copy = self
        copy.renderingMode = mode
        return copy
    }
}
