/// A property of a view that is updated before the view's body is evaluated.
///
/// A struct of the app that conforms to it may contain other such properties.
@MainActor
@preconcurrency
public protocol DynamicProperty {
    mutating func update()
}

extension DynamicProperty {
    public mutating func update() {}
}
