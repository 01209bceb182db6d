/// A number that follows the user's text size.
///
/// Partly: The factor is that of the size of the text style's font.
@propertyWrapper
public struct ScaledMetric<Value: BinaryFloatingPoint>: DynamicProperty {
    @Environment(\.dynamicTypeSize) private var size
    private let base: Value
    private let style: Font.TextStyle

    /// - Parameters:
    ///   - wrappedValue: The number at the default text size.
    ///   - textStyle: The text style beside which the number is used.
    public init(wrappedValue: Value, relativeTo textStyle: Font.TextStyle = .body) {
        base = wrappedValue
        style = textStyle
    }

    public var wrappedValue: Value {
        let font = Font.system(style)
        return base * Value(font.points(at: size) / font.points(at: .large))
    }
}
