/// A preview of a view in Xcode. The phone does not show it.
@freestanding(declaration)
public macro Preview(
    _ name: String? = nil, @ViewBuilder body: @escaping @MainActor () -> any View,
) = #externalMacro(module: "SwiftUIMacros", type: "Preview")

/// A preview of a view in Xcode, with traits. The phone does not show it.
@freestanding(declaration)
public macro Preview(
    _ name: String? = nil, traits: PreviewTrait, _ more: PreviewTrait...,
    @ViewBuilder body: @escaping @MainActor () -> any View,
) = #externalMacro(module: "SwiftUIMacros", type: "Preview")

/// State in the body of a preview.
@attached(peer)
public macro Previewable() = #externalMacro(module: "SwiftUIMacros", type: "Previewable")

/// Makes a variable in an extension of `EnvironmentValues` a value of the environment, with its value as the default.
@attached(accessor)
@attached(peer, names: prefixed(__Key_))
public macro Entry() = #externalMacro(module: "SwiftUIMacros", type: "Entry")

/// The settings of a preview in Xcode.
public struct PreviewTrait: Sendable {
    public static let portrait = PreviewTrait()
    public static let landscapeLeft = PreviewTrait()
    public static let landscapeRight = PreviewTrait()
    public static let sizeThatFitsLayout = PreviewTrait()

    public static func fixedLayout(width: CGFloat, height: CGFloat) -> PreviewTrait { PreviewTrait() }
}
