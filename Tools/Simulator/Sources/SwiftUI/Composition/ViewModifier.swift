/// A modifier that creates a view from another view.
@MainActor
@preconcurrency
public protocol ViewModifier {
    associatedtype Body: View
    typealias Content = _ViewModifier_Content<Self>

    @ViewBuilder
    @MainActor
    @preconcurrency
    func body(content: Content) -> Body
}

extension ViewModifier where Body == Never {
    /// Traps, because the runtime applies the stand-in's own modifiers.
    public func body(content: Content) -> Never { fatalError("\(Self.self) has no body") }
}

/// The view that is passed to a modifier's `body`.
public struct _ViewModifier_Content<Modifier: ViewModifier>: View {
    let content: any View
}

extension _ViewModifier_Content: PrimitiveView {
    func slots(in node: ViewNode) -> [Slot] { [Slot(.position(0), content)] }
    func rendersLike(_ other: Self) -> Bool { true }
}

/// A view with a modifier applied.
public struct ModifiedContent<Content, Modifier> {
    public var content: Content
    public var modifier: Modifier

    public init(content: Content, modifier: Modifier) {
        self.content = content
        self.modifier = modifier
    }
}

extension ModifiedContent: View where Content: View, Modifier: ViewModifier {}

extension View {
    public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> {
        ModifiedContent(content: self, modifier: modifier)
    }
}

extension ModifiedContent: AnyModifiedContent where Content: View, Modifier: ViewModifier {
    var anyContent: any View { content }
    var anyModifier: any ViewModifier { modifier }
    static var modifierType: any ViewModifier.Type { Modifier.self }

    func replacingContent(with view: any View) -> any View {
        func wrap<V: View>(_ view: V) -> any View { ModifiedContent<V, Modifier>(content: view, modifier: modifier) }
        return wrap(view)
    }
}

/// A `ModifiedContent` of types that the runtime does not know.
@MainActor
protocol AnyModifiedContent {
    var anyContent: any View { get }
    var anyModifier: any ViewModifier { get }
    static var modifierType: any ViewModifier.Type { get }
    /// The same modifier around another view.
    func replacingContent(with view: any View) -> any View
}
