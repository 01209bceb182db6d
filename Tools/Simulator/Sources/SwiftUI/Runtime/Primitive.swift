/// A view without a body, or a modifier of the stand-in, which the runtime renders.
///
/// A primitive declares its children and renders their output. Its node does the rest.
@MainActor
protocol Primitive {
    /// Returns `nil` for a view of another type.
    static func make(from view: any View) -> Self?

    func slots(in node: ViewNode) -> [Slot]

    /// Returns the output for the output of the children, in their order.
    func render(_ children: [Output], in node: ViewNode) -> Output

    /// Returns true if both are rendered alike around the same output of their children.
    ///
    /// Handlers of actions then take the action from ``ViewNode/current(_:)``, because those of the former remain.
    func rendersLike(_ other: Self) -> Bool

    /// Called after the children have been updated.
    func didUpdate(_ node: ViewNode, from previous: Self?)

    /// Called when the node appears, disappears, or is removed.
    func didChangeVisibility(_ node: ViewNode)
}

extension Primitive {
    func render(_ children: [Output], in node: ViewNode) -> Output { Output(merging: children) }
    func rendersLike(_ other: Self) -> Bool { false }
    func didUpdate(_ node: ViewNode, from previous: Self?) {}
    func didChangeVisibility(_ node: ViewNode) {}
}

/// The difference of a view to the one before at its place.
enum ViewChange {
    case none
    /// Its children or its actions are others. What it shows itself is the same.
    case inside
    case shown
}

extension ViewNode {
    /// Returns the newest value of a primitive that this node has rendered.
    func current<P: Primitive>(_ rendered: P) -> P { (self as? PrimitiveNode<P>)?.primitive ?? rendered }
}

/// Returns the view as its exact type. A cast with `as?` would unwrap an Optional.
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

/// A modifier that the runtime applies.
@MainActor
protocol PrimitiveModifier: ViewModifier where Body == Never {
    func slots(content: any View, in node: ViewNode) -> [Slot]
    func changeEnvironment(_ values: inout EnvironmentValues)
    func render(_ children: [Output], in node: ViewNode) -> Output
    func rendersLike(_ other: Self) -> Bool
    func didUpdate(_ node: ViewNode, from previous: Self?)
    func didChangeVisibility(_ node: ViewNode)
}

extension PrimitiveModifier {
    func slots(content: any View, in node: ViewNode) -> [Slot] {
        [Slot(.position(0), content, environment: changeEnvironment)]
    }

    func changeEnvironment(_ values: inout EnvironmentValues) {}
    func render(_ children: [Output], in node: ViewNode) -> Output { Output(merging: children) }
    func rendersLike(_ other: Self) -> Bool { ViewComparison.areSame(self, other) }
    func didUpdate(_ node: ViewNode, from previous: Self?) {}
    func didChangeVisibility(_ node: ViewNode) {}
}

/// A primitive modifier and its content.
struct Modified<Modifier: PrimitiveModifier>: Primitive {
    nonisolated(unsafe) var modifier: Modifier  // read and written on the main actor alone
    let content: any View

    static func make(from view: any View) -> Modified? {
        guard let view = view as? any AnyModifiedContent, let modifier = view.anyModifier as? Modifier else {
            return nil
        }
        return Modified(modifier: modifier, content: view.anyContent)
    }

    func slots(in node: ViewNode) -> [Slot] { modifier.slots(content: content, in: node) }
    func render(_ children: [Output], in node: ViewNode) -> Output { modifier.render(children, in: node) }
    func rendersLike(_ other: Modified) -> Bool { modifier.rendersLike(other.modifier) }

    func didUpdate(_ node: ViewNode, from previous: Modified?) {
        modifier.didUpdate(node, from: previous?.modifier)
    }

    func didChangeVisibility(_ node: ViewNode) { modifier.didChangeVisibility(node) }
}

extension Modified: Animatable where Modifier: Animatable {
    nonisolated var animatableData: Modifier.AnimatableData {
        get { modifier.animatableData }
        set { modifier.animatableData = newValue }
    }
}
