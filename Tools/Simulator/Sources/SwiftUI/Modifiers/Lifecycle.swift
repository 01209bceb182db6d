/// The state of a view's effect: started or not, so that it ends once.
private final class Appearance {
    var hasAppeared = false
    var task: Task<Void, Never>?
}

extension ViewNode {
    fileprivate var appearance: Appearance {
        if let appearance = storage as? Appearance { return appearance }
        let appearance = Appearance()
        storage = appearance
        return appearance
    }

    fileprivate var isOnScreen: Bool { isAlive && isVisible }
}

private struct AppearanceModifier: PrimitiveModifier {
    typealias Body = Never
    var appear: (() -> Void)?
    var disappear: (() -> Void)?

    func rendersLike(_ other: Self) -> Bool { true }

    /// Compares the state when the effect runs, so a change and its reversal within one update call nothing.
    func didChangeVisibility(_ node: ViewNode) {
        let state = node.appearance
        node.graph.enqueue(node.isOnScreen ? .appear : .disappear) {
            guard node.isOnScreen != state.hasAppeared else { return }
            state.hasAppeared = node.isOnScreen
            if state.hasAppeared { appear?() } else { disappear?() }
        }
    }
}

private struct TaskModifier<ID: Equatable>: PrimitiveModifier {
    typealias Body = Never
    let id: ID
    let priority: TaskPriority
    let action: @Sendable () async -> Void

    func rendersLike(_ other: Self) -> Bool { true }

    func didChangeVisibility(_ node: ViewNode) {
        let state = node.appearance
        node.graph.enqueue(node.isOnScreen ? .appear : .disappear) {
            guard node.isOnScreen != state.hasAppeared else { return }
            state.hasAppeared = node.isOnScreen
            restart(state, node)
        }
    }

    func didUpdate(_ node: ViewNode, from previous: TaskModifier?) {
        guard let previous, previous.id != id else { return }
        let state = node.appearance
        node.graph.enqueue(.change) { if state.hasAppeared { restart(state, node) } }
    }

    private func restart(_ state: Appearance, _ node: ViewNode) {
        state.task?.cancel()
        state.task = state.hasAppeared ? node.graph.run(priority, action) : nil
    }
}

private struct ChangeModifier<Value: Equatable>: PrimitiveModifier {
    typealias Body = Never
    let value: Value
    var isInitial = false
    /// Gets the old and the new value.
    let action: (Value, Value) -> Void

    func rendersLike(_ other: Self) -> Bool { true }

    func didUpdate(_ node: ViewNode, from previous: ChangeModifier?) {
        if let previous, previous.value != value {
            node.graph.enqueue(.change) { action(previous.value, value) }
        } else if previous == nil, isInitial, node.storage == nil {
            node.storage = Appearance()
            node.graph.enqueue(.change) { action(value, value) }
        }
    }
}

extension View {
    /// Adds an action for when the view appears, also when a page over it is removed.
    public func onAppear(perform action: (() -> Void)? = nil) -> some View {
        modifier(AppearanceModifier(appear: action))
    }

    /// Adds an action for when the view disappears, because it is removed or covered by a page.
    public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
        modifier(AppearanceModifier(disappear: action))
    }

    /// Runs a task while the view is visible, and cancels it when the view disappears.
    public func task(
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void,
    ) -> some View {
        modifier(TaskModifier(id: 0, priority: priority, action: action))
    }

    /// Cancels and restarts the task whenever the id changes.
    public func task<T: Equatable>(
        id value: T, priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void,
    ) -> some View {
        modifier(TaskModifier(id: value, priority: priority, action: action))
    }

    /// Adds an action that gets the new value after the views have been updated.
    public func onChange<V: Equatable>(of value: V, perform action: @escaping (V) -> Void) -> some View {
        modifier(ChangeModifier(value: value) { action($1) })
    }

    /// Adds an action that gets the old and the new value. With `initial`, it also runs when the view appears.
    public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void,
    ) -> some View {
        modifier(ChangeModifier(value: value, isInitial: initial, action: action))
    }

    public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping () -> Void,
    ) -> some View {
        modifier(ChangeModifier(value: value, isInitial: initial) { _, _ in action() })
    }
}
