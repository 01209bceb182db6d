import Combine
import ViewTree

/// A place in the hierarchy, which persists while views are created and replaced.
///
/// A node lives as long as its parent declares a child with its key and type. It stores the state of its view, its
/// environment, its children, and its last output.
///
/// A node is updated, and no other node is looked at, for each of these:
/// - another view at its place, if ``ViewComparison`` finds a difference. Its own state is none.
/// - a value of the environment, if the view reads it. A primitive counts as reading all.
/// - what its evaluation has read: `@State` and what is kept like it, by itself or through a binding, and observable
///   objects. ``Readers`` and Observation tell the ``Inbox``.
/// - an `ObservableObject` that a property of the view holds, whatever changes in it.
/// - a measured size or place, and each frame of its animation.
///
/// The update hands new views to the children. It ends where a child's view and environment are the same. A node is
/// rendered again if what it shows itself has changed, or the output of a child.
@MainActor
class ViewNode {
    let id: Int
    unowned let graph: ViewGraph
    private(set) weak var parent: ViewNode?
    let key: SlotKey
    let depth: Int
    let viewType: ObjectIdentifier

    private(set) var environment: EnvironmentValues
    private(set) var children: [ViewNode] = []
    private(set) var isAlive = true
    /// True if the node is on the screen, according to the nodes around it.
    private(set) var isVisible = false
    var needsUpdate = false
    /// The handlers of the user's actions.
    private(set) var handlers: [ViewAction: @MainActor (NodeValue?) -> Bool] = [:]
    /// The handlers of actions on nodes that wrap a part of the output, such as a row of a list.
    private var wrapperHandlers: [Int: [ViewAction: @MainActor (NodeValue?) -> Bool]] = [:]
    /// The observers of actions on this node and its descendants, called before the action.
    private var observers: [ViewAction: @MainActor () -> Void] = [:]
    /// The storage of a primitive.
    var storage: AnyObject?

    private var slots: [Slot] = []
    private var output: Output?
    private var outputIsCurrent = false
    private var hasStarted = false
    /// True if the children have been declared before, so that new ones come later.
    private var hasChildren = false
    private var furtherIDs: [FurtherNode: Int] = [:]
    private var dependencies: [ObjectIdentifier: any Dependency] = [:]

    init(
        graph: ViewGraph, parent: ViewNode?, key: SlotKey, viewType: ObjectIdentifier, environment: EnvironmentValues,
    ) {
        self.graph = graph
        self.parent = parent
        self.key = key
        self.viewType = viewType
        self.environment = environment
        depth = (parent?.depth ?? -1) + 1
        id = graph.nextID()
        graph.register(self)
    }

    /// The name of the view in reports.
    var viewName: String { "" }

    /// Sets the new view, and returns how it differs from the one before.
    func adopt(_ view: any View) -> ViewChange { .none }

    /// True if what the node shows is more than the output of its children.
    var rendersItself: Bool { true }

    /// Returns whether the view reads a value of the environment that has changed.
    func readsChange(in environment: EnvironmentValues) -> Bool { true }

    /// Returns the declared children.
    func wantedSlots() -> [Slot] { [] }

    func didUpdate() {}
    func didChangeVisibility() {}
    func makeOutput(_ children: [Output]) -> Output { Output(merging: children) }
    /// Called before each evaluation, and when the node is removed.
    func forgetReads() {}
    /// The rule by which the node changes the size that is proposed to its children, if that is known.
    var sizeRule: (any SizeRule)? { nil }
    /// Called at each frame of an animation of the node.
    func advanceAnimation() {}
}

// Updating.
extension ViewNode {
    /// Updates the node with a new view and environment from its parent.
    func receive(_ view: any View, environment new: EnvironmentValues, isVisible: Bool) {
        let environmentChanged = !new.isSame(as: environment)
        let isAffected = environmentChanged && readsChange(in: new)
        if environmentChanged { environment = new }
        let change = adopt(view)
        setVisible(isVisible)
        if change == .shown || needsUpdate || isAffected {
            update()
        } else if change == .inside {
            declareChildren()
        } else if environmentChanged {
            reconcile(slots)
        }
    }

    /// Performs the first update of a new node.
    private func start(isVisible: Bool) {
        setVisible(isVisible)
        update()
    }

    /// Evaluates the view, updates the children, and has the node rendered again.
    func update() {
        needsUpdate = false
        for dependency in dependencies.values { dependency.forget(self) }
        dependencies.removeAll(keepingCapacity: true)
        declareChildren()
        if rendersItself { invalidateOutput() }
    }

    /// Evaluates the view and updates the children. What was read to render the node is still read.
    private func declareChildren() {
        graph.countUpdate()
        reconcile(graph.evaluate(self) { wantedSlots() })
        didUpdate()
    }

    private func reconcile(_ wanted: [Slot]) {
        slots = wanted
        let old = children
        var unclaimed: [SlotKey: ViewNode]?
        var next: [ViewNode] = []
        next.reserveCapacity(wanted.count)
        var kept = 0
        for (index, slot) in wanted.enumerated() {
            let type = ObjectIdentifier(Swift.type(of: slot.view))
            var match: ViewNode?
            if unclaimed == nil, index < old.count, old[index].key == slot.key, old[index].viewType == type {
                match = old[index]
            } else {
                if unclaimed == nil {
                    unclaimed = Dictionary(
                        old[index...].map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
                }
                if let node = unclaimed?[slot.key], node.viewType == type {
                    match = node
                    unclaimed?[slot.key] = nil
                }
            }
            if match != nil { kept += 1 }
            next.append(match ?? graph.makeNode(for: slot.view, key: slot.key, parent: self, environment: inner(slot)))
        }
        let keptIDs = kept == old.count ? [] : Set(next.map(\.id))
        if kept < old.count { for child in old where !keptIDs.contains(child.id) { child.remove() } }
        if next.count != old.count || kept < old.count || !zip(next, old).allSatisfy({ $0.0 === $0.1 }) {
            children = next
            invalidateOutput()
            let isAnimated = hasChildren && !graph.transaction.disablesAnimations
            if isAnimated, let animation = graph.transaction.animation { graph.arrival = animation }
        }
        hasChildren = true
        for (slot, child) in zip(wanted, next) {
            let visible = isVisible && slot.isVisible
            if child.hasStarted {
                child.receive(slot.view, environment: inner(slot), isVisible: visible)
            } else {
                child.hasStarted = true
                child.start(isVisible: visible)
            }
        }
    }

    private func inner(_ slot: Slot) -> EnvironmentValues {
        guard let change = slot.environment else { return environment }
        var values = environment
        change(&values)
        return values
    }

    private func setVisible(_ visible: Bool) {
        guard visible != isVisible else { return }
        isVisible = visible
        if visible { didChangeVisibility() }
        for (slot, child) in zip(slots, children) { child.setVisible(visible && slot.isVisible) }
        if !visible { didChangeVisibility() }
    }

    private func remove() {
        for child in children { child.remove() }
        isAlive = false
        let wasVisible = isVisible
        isVisible = false
        if wasVisible { didChangeVisibility() }
        for dependency in dependencies.values { dependency.forget(self) }
        dependencies = [:]
        forgetReads()
        handlers = [:]
        wrapperHandlers = [:]
        observers = [:]
        graph.unregister(self)
        for id in furtherIDs.values { graph.unregister(alias: id) }
    }

    /// Removes the node and its descendants, as when the window closes.
    func close() { remove() }

    /// Starts as the root of a hierarchy.
    func begin() {
        hasStarted = true
        start(isVisible: true)
    }

    /// Evaluates the node again when `dependency` changes.
    func depend(on dependency: any Dependency) {
        dependencies[ObjectIdentifier(dependency)] = dependency
    }
}

// Showing.
extension ViewNode {
    func invalidateOutput() {
        var node: ViewNode? = self
        while let current = node, current.outputIsCurrent {
            current.outputIsCurrent = false
            node = current.parent
        }
    }

    /// Returns the current output. Rendered nodes without changes are the same objects as before.
    func currentOutput() -> Output {
        if outputIsCurrent, let output { return output }
        let children = children.map { $0.currentOutput() }
        handlers.removeAll(keepingCapacity: true)
        if !observers.isEmpty { observers = [:] }
        if !wrapperHandlers.isEmpty { wrapperHandlers = [:] }
        var made = graph.evaluate(self) { makeOutput(children) }
        graph.countRender()
        if let output {
            let kept = keeping(output.nodes, in: made.nodes)
            for index in made.elements.indices { made.elements[index].node = kept[index] }
        }
        output = made
        outputIsCurrent = true
        return made
    }

    /// Returns the nodes, with the earlier one in place of each that is the same.
    private func keeping(_ old: [RenderedNode], in new: [RenderedNode]) -> [RenderedNode] {
        var all = new
        var byID: [Int: RenderedNode]?
        for (index, node) in new.enumerated() {
            var before = index < old.count && old[index].id == node.id ? old[index] : nil
            if before === node { continue }
            if before == nil {
                byID = byID ?? Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
                before = byID?[node.id]
            }
            if let before { all[index] = kept(before, for: node) }
        }
        return all
    }

    /// Returns the earlier node if it is the same, or else the new one with as many of its parts as are the same.
    ///
    /// It looks into the nodes that this node wraps around others, such as the rows of a list. The nodes inside have
    /// kept theirs already.
    private func kept(_ old: RenderedNode, for new: RenderedNode) -> RenderedNode {
        if old === new || old.isSame(as: new) { return old }
        guard graph.node(new.id) === self else { return new }
        let node = new.replacingChildren(with: keeping(old.children, in: new.children))
        return old.isSame(as: node) ? old : node
    }

    /// Accepts a user action on the node's output.
    ///
    /// - Parameter handler: Returns whether it accepts the value.
    func handle(_ action: ViewAction, _ handler: @escaping @MainActor (NodeValue?) -> Bool) {
        handlers[action] = handler
    }

    func handle(_ action: ViewAction, _ handler: @escaping @MainActor () -> Void) {
        handlers[action] = { _ in
            handler()
            return true
        }
    }

    /// Accepts a user action on a node that wraps a part of the output.
    func handle(_ action: ViewAction, on wrapper: Int, _ handler: @escaping @MainActor () -> Void) {
        wrapperHandlers[wrapper, default: [:]][action] = { _ in
            handler()
            return true
        }
    }

    /// Calls `observer` for an action on the node's output, whichever node handles it.
    func observe(_ action: ViewAction, _ observer: @escaping @MainActor () -> Void) {
        observers[action] = observer
    }

    /// Returns the observers of this node and of the nodes around it, the innermost first.
    func observers(of action: ViewAction) -> [@MainActor () -> Void] {
        (observers[action].map { [$0] } ?? []) + (parent?.observers(of: action) ?? [])
    }

    /// Returns the handler for an action on a rendered node of this node.
    func handler(for action: ViewAction, at rendered: Int) -> (@MainActor (NodeValue?) -> Bool)? {
        wrapperHandlers[rendered]?[action] ?? handler(for: action)
    }

    /// Returns the node's own value, or that of the nearest modifier around it.
    func handler(for action: ViewAction) -> (@MainActor (NodeValue?) -> Bool)? {
        handlers[action] ?? parent?.handler(for: action)
    }

    /// Returns the id of a further rendered node of this view: the only one of its kind, or the one that belongs to
    /// the rendered node `inner`.
    func wrapperID(_ kind: NodeKind, around inner: Int? = nil) -> Int { furtherID(.wrapper(kind, around: inner)) }

    /// Returns the id of one of several nodes around the rendered node `inner`.
    func stepID(_ number: Int, around inner: Int) -> Int { furtherID(.step(number, around: inner)) }

    private func furtherID(_ further: FurtherNode) -> Int {
        if let id = furtherIDs[further] { return id }
        let id = graph.nextID()
        furtherIDs[further] = id
        graph.register(self, alias: id)
        return id
    }

    /// Returns a node of this view or of one inside with ids of its own, for another place of the same screen.
    func copy(_ node: RenderedNode, for place: Int) -> RenderedNode {
        let owner = graph.node(node.id) ?? self
        return RenderedNode(
            id: owner.furtherID(.copy(of: node.id, for: place)), kind: node.kind, properties: node.properties,
            actions: node.actions, children: node.children.map { copy($0, for: place) })
    }

    /// Wraps each rendered node of the children; returns nothing if there are none.
    func wrap(
        _ children: [Output], kind: NodeKind, properties: [String: NodeValue], actions: [ViewAction] = [],
    ) -> Output {
        var output = Output(merging: children)
        for index in output.elements.indices {
            let inner = output.elements[index].node
            output.elements[index].node = RenderedNode(
                id: output.elements.count == 1 ? id : wrapperID(kind, around: inner.id), kind: kind,
                properties: properties, actions: actions, children: [inner],
            )
        }
        return output
    }
}

/// A node that a view renders beside its own, by what it is, so that no two have one id.
private enum FurtherNode: Hashable {
    case wrapper(NodeKind, around: Int?)
    case copy(of: Int, for: Int)
    case step(Int, around: Int)
}
