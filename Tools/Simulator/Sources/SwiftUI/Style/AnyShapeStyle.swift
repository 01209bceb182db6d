/// A style of any type, for styles that depend on a condition.
public struct AnyShapeStyle: ShapeStyle {
    /// The style, which is not another `AnyShapeStyle`.
    let base: any ShapeStyle

    public init<S: ShapeStyle>(_ style: S) {
        base = (style as? AnyShapeStyle)?.base ?? style
    }
}
