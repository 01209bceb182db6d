/// The node of a view with a body.
final class CompositeNode<V: View>: ViewNode {
    private var view: V
    private let properties = NodeProperties()
    private var animator: (any NodeAnimator)?

    init(_ view: V, graph: ViewGraph, parent: ViewNode?, key: SlotKey, environment: EnvironmentValues) {
        self.view = view
        super.init(
            graph: graph, parent: parent, key: key, viewType: ObjectIdentifier(V.self), environment: environment)
        animator = makeAnimator(for: V.self)
    }

    override var viewName: String { ViewName.short(V.self) }

    override var rendersItself: Bool { false }

    override func adopt(_ view: any View) -> ViewChange {
        guard let new = exact(view, as: V.self), !ViewComparison.areSame(self.view, new) else { return .none }
        animator?.retarget(from: self.view, to: new, in: graph, node: self)
        self.view = new
        return .shown
    }

    override func readsChange(in environment: EnvironmentValues) -> Bool { properties.readsChange(in: environment) }

    override func wantedSlots() -> [Slot] {
        var view = animator?.presented(self.view, as: V.self, at: graph.frameTime) ?? self.view
        withUnsafeMutablePointer(to: &view) {
            FieldLayout.of(V.self).install(in: UnsafeMutableRawPointer($0), node: self, properties: properties)
        }
        graph.countEvaluation(of: V.self)
        return [Slot(.position(0), view.body)]
    }

    override func advanceAnimation() { update() }
    override func forgetReads() {
        properties.cancel()
        graph.stopAnimating(self)
    }
}

/// The node of a view with a modifier defined by the app.
final class ModifierNode<M: ViewModifier>: ViewNode {
    private var modifier: M
    private var content: any View
    private let properties = NodeProperties()
    private var animator: (any NodeAnimator)?

    init(
        _ modifier: M, view: any View, content: any View, graph: ViewGraph, parent: ViewNode?, key: SlotKey,
        environment: EnvironmentValues,
    ) {
        self.modifier = modifier
        self.content = content
        super.init(
            graph: graph, parent: parent, key: key, viewType: ObjectIdentifier(type(of: view)),
            environment: environment)
        animator = makeAnimator(for: M.self)
    }

    override var viewName: String { ViewName.short(M.self) }

    override var rendersItself: Bool { false }

    override func adopt(_ view: any View) -> ViewChange {
        guard let view = view as? any AnyModifiedContent, let new = view.anyModifier as? M else { return .none }
        let contentIsSame = ViewComparison.areSameViews(content, view.anyContent)
        content = view.anyContent
        if ViewComparison.areSame(modifier, new) { return contentIsSame ? .none : .shown }
        animator?.retarget(from: modifier, to: new, in: graph, node: self)
        modifier = new
        return .shown
    }

    override func readsChange(in environment: EnvironmentValues) -> Bool { properties.readsChange(in: environment) }

    override func wantedSlots() -> [Slot] {
        var modifier = animator?.presented(self.modifier, as: M.self, at: graph.frameTime) ?? self.modifier
        withUnsafeMutablePointer(to: &modifier) {
            FieldLayout.of(M.self).install(in: UnsafeMutableRawPointer($0), node: self, properties: properties)
        }
        graph.countEvaluation(of: M.self)
        return [Slot(.position(0), modifier.body(content: _ViewModifier_Content<M>(content: content)))]
    }

    override func advanceAnimation() { update() }
    override func forgetReads() {
        properties.cancel()
        graph.stopAnimating(self)
    }
}
