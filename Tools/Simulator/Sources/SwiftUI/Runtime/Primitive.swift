/// What the runtime draws itself: a view without a body, or a modifier of the stand-in's own.
///
/// A primitive says which children it wants and what becomes of their output; its node does the rest.
@MainActor
protocol Primitive {
    /// nil for a view of another type.
    static func make(from view: any View) -> Self?

    func slots(in node: ViewNode) -> [Slot]

    /// What is shown, given what the children show, in their order.
    func render(_ children: [Output], in node: ViewNode) -> Output

    /// Called once the children are up to date.
    func didUpdate(_ node: ViewNode, from previous: Self?)

    /// Called when the node comes onto the screen, leaves it, or is removed.
    func didChangeVisibility(_ node: ViewNode)
}

extension Primitive {
    func render(_ children: [Output], in node: ViewNode) -> Output { Output(merging: children) }
    func didUpdate(_ node: ViewNode, from previous: Self?) {}
    func didChangeVisibility(_ node: ViewNode) {}
}

/// The view as its very type; a cast with `as?` would look into an Optional.
func exact<T>(_ view: any View, as type: T.Type) -> T? {
    func take<V: View>(_ view: V) -> T? {
        guard V.self == T.self else { return nil }
        return withUnsafePointer(to: view) { UnsafeRawPointer($0).assumingMemoryBound(to: T.self).pointee }
    }
    return take(view)
}

@MainActor
protocol PrimitiveView: View, Primitive where Body == Never {}

extension Primitive where Self: View {
    static func make(from view: any View) -> Self? { exact(view, as: Self.self) }
}

/// A modifier that the runtime applies itself.
@MainActor
protocol PrimitiveModifier: ViewModifier where Body == Never {
    func slots(content: any View, in node: ViewNode) -> [Slot]
    func changeEnvironment(_ values: inout EnvironmentValues)
    func render(_ children: [Output], in node: ViewNode) -> Output
    func didUpdate(_ node: ViewNode, from previous: Self?)
    func didChangeVisibility(_ node: ViewNode)
}

extension PrimitiveModifier {
    func slots(content: any View, in node: ViewNode) -> [Slot] {
        [Slot(.position(0), content, environment: changeEnvironment)]
    }

    func changeEnvironment(_ values: inout EnvironmentValues) {}
    func render(_ children: [Output], in node: ViewNode) -> Output { Output(merging: children) }
    func didUpdate(_ node: ViewNode, from previous: Self?) {}
    func didChangeVisibility(_ node: ViewNode) {}
}

/// A primitive modifier and what it modifies.
struct Modified<Modifier: PrimitiveModifier>: Primitive {
    var modifier: Modifier
    let content: any View

    static func make(from view: any View) -> Modified? {
        guard let view = view as? any AnyModifiedContent, let modifier = view.anyModifier as? Modifier else {
            return nil
        }
        return Modified(modifier: modifier, content: view.anyContent)
    }

    func slots(in node: ViewNode) -> [Slot] { modifier.slots(content: content, in: node) }
    func render(_ children: [Output], in node: ViewNode) -> Output { modifier.render(children, in: node) }

    func didUpdate(_ node: ViewNode, from previous: Modified?) {
        modifier.didUpdate(node, from: previous?.modifier)
    }

    func didChangeVisibility(_ node: ViewNode) { modifier.didChangeVisibility(node) }
}
