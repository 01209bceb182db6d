/// Animates the value that a node shows towards its target.
@MainActor
protocol NodeAnimator: AnyObject {
    /// Handles a new value of the view: starts an animation if the change is animated, or applies it at once.
    func retarget<T>(from old: T, to new: T, in graph: ViewGraph, node: ViewNode)
    /// Returns the value to show for `target` at this time.
    func presented<T>(_ target: T, as type: T.Type, at time: Duration) -> T
}

/// Returns `nil` if the value is not `Animatable`.
@MainActor
func makeAnimator<T>(for type: T.Type) -> (any NodeAnimator)? {
    func make<A: Animatable>(_ type: A.Type) -> (any NodeAnimator)? {
        A.AnimatableData.self == EmptyAnimatableData.self ? nil : DataAnimator<A>()
    }
    return (type as? any Animatable.Type).flatMap { make($0) }
}

private final class DataAnimator<A: Animatable>: NodeAnimator {
    private struct Journey {
        let start: A.AnimatableData
        let end: A.AnimatableData
        let animation: Animation
        let began: Duration
        weak var node: ViewNode?
        weak var graph: ViewGraph?
    }

    private var journey: Journey?

    func retarget<T>(from old: T, to new: T, in graph: ViewGraph, node: ViewNode) {
        guard let old = old as? A, let new = new as? A, old.animatableData != new.animatableData else { return }
        let transaction = graph.transaction
        guard let animation = transaction.animation, !transaction.disablesAnimations else {
            journey = nil
            graph.stopAnimating(node)
            return
        }
        journey = Journey(
            start: data(of: old, at: graph.frameTime).data, end: new.animatableData, animation: animation,
            began: graph.frameTime, node: node, graph: graph,
        )
        graph.startAnimating(node)
    }

    func presented<T>(_ target: T, as type: T.Type, at time: Duration) -> T {
        guard journey != nil, var value = target as? A else { return target }
        let (data, isOver) = data(of: value, at: time)
        value.animatableData = data
        if isOver, let journey {
            if let node = journey.node { journey.graph?.stopAnimating(node) }
            self.journey = nil
        }
        return value as? T ?? target
    }

    private func data(of target: A, at time: Duration) -> (data: A.AnimatableData, isOver: Bool) {
        guard let journey else { return (target.animatableData, true) }
        let (fraction, isOver) = journey.animation.progress(after: (time - journey.began) / .seconds(1))
        var way = journey.end - journey.start
        way.scale(by: fraction)
        return (journey.start + way, isOver)
    }
}
