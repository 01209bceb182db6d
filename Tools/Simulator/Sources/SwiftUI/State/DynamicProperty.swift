/// A property of a view that is brought up to date before the view's body is evaluated.
///
/// A struct of the app's own that conforms may hold other such properties.
@MainActor
@preconcurrency
public protocol DynamicProperty {
    mutating func update()
}

extension DynamicProperty {
    public mutating func update() {}
}
