/// The node of a primitive.
final class PrimitiveNode<P: Primitive>: ViewNode {
    private(set) var primitive: P
    private var previous: P?
    private var animator: (any NodeAnimator)?

    init(
        _ primitive: P, viewType: ObjectIdentifier, graph: ViewGraph, parent: ViewNode?, key: SlotKey,
        environment: EnvironmentValues,
    ) {
        self.primitive = primitive
        super.init(graph: graph, parent: parent, key: key, viewType: viewType, environment: environment)
        animator = makeAnimator(for: P.self)
    }

    override func adopt(_ view: any View) -> ViewChange {
        guard let new = P.make(from: view), !ViewComparison.areSame(primitive, new) else { return .none }
        let change = animator == nil && new.rendersLike(primitive) ? ViewChange.inside : .shown
        animator?.retarget(from: primitive, to: new, in: graph, node: self)
        previous = primitive
        primitive = new
        return change
    }

    override func wantedSlots() -> [Slot] { primitive.slots(in: self) }

    override func makeOutput(_ children: [Output]) -> Output {
        (animator?.presented(primitive, as: P.self, at: graph.frameTime) ?? primitive).render(children, in: self)
    }

    override func didUpdate() {
        let before = previous
        previous = nil
        primitive.didUpdate(self, from: before)
    }

    override var sizeRule: (any SizeRule)? { primitive as? any SizeRule }
    override func didChangeVisibility() { primitive.didChangeVisibility(self) }
    override func advanceAnimation() { invalidateOutput() }
    override func forgetReads() { graph.stopAnimating(self) }
}
