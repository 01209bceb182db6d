/// A scene whose view has an effect.
private struct AffectedScene<Content: Scene>: Scene, RootScene {
    typealias Body = Never
    let content: Content
    let affect: @MainActor (AnyView) -> any View

    var root: any View { affect(AnyView(rootView(of: content))) }
}

extension Scene {
    /// Adds an action that gets the new value after the views have been updated.
    public func onChange<V: Equatable>(of value: V, perform action: @escaping (V) -> Void) -> some Scene {
        AffectedScene(content: self) { $0.onChange(of: value, perform: action) }
    }

    /// Adds an action that gets the old and the new value. With `initial`, it also runs when the scene appears.
    @available(iOS 17, macOS 14, *)
    public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void,
    ) -> some Scene {
        AffectedScene(content: self) { $0.onChange(of: value, initial: initial, action) }
    }

    @available(iOS 17, macOS 14, *)
    public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping () -> Void,
    ) -> some Scene {
        AffectedScene(content: self) { $0.onChange(of: value, initial: initial, action) }
    }
}
