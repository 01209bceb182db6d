import Foundation
import Observation

/// The hierarchy of nodes, and its update cycle.
///
/// An update evaluates every changed node once, parents before children. It then runs their effects, those of removed
/// views before those of new ones. State that the effects change is evaluated in the next pass, until nothing is left.
/// Only then is the result shown.
@MainActor
final class ViewGraph {
    /// The limit of passes in which effects change state.
    static let passLimit = 25

    let inbox: Inbox
    let images: ImageStore
    private(set) var root: ViewNode?
    /// The time of the current frame.
    private(set) var frameTime: Duration = .zero
    /// The animation of current changes. A modifier sets it for its content.
    var transaction = Transaction()
    /// The animation with which views have come or gone since the last tree.
    var arrival: Animation?

    private var evaluationsByType: [ObjectIdentifier: (type: Any.Type, count: Int)] = [:]
    private(set) var evaluationCount = 0
    /// The number of times that a node declared its children, and that a node was rendered.
    private(set) var updatedNodes = 0
    private(set) var renderedNodes = 0
    private(set) var issues: [RuntimeIssue] = []
    var onIssue: (@MainActor (RuntimeIssue) -> Void)?
    /// The current time of the host's clock.
    var now: @MainActor () -> Duration = { .zero }
    /// Waits until a time of the host's clock.
    var wait: @Sendable (Duration) async -> Void = { _ in }
    /// Called when the number of running tasks or animations changes.
    var onActivity: (@MainActor () -> Void)?
    private(set) var taskCount = 0
    /// The URLs that views left to the system to open.
    var openedURLs: [URL] = []

    private var lastID = 0
    private var nodes: [Int: ViewNode] = [:]
    private var animating: [Int: ViewNode] = [:]
    /// The nodes whose size counts, with what is known of it.
    private var measured: [Int: (node: ViewNode, extent: MeasuredExtent)] = [:]
    /// The handlers of views for a URL that the system opens in the app.
    private var urlHandlers: [Int: (URL) -> Void] = [:]
    private var effects: [EffectPhase: [@MainActor () -> Void]] = [:]
    private var isUpdating = false
    private(set) var updateCount = 0

    init(images: ImageStore, wake: @escaping @Sendable () -> Void) {
        self.images = images
        inbox = Inbox(wake: wake)
    }

    func nextID() -> Int {
        lastID += 1
        return lastID
    }

    func register(_ node: ViewNode) { nodes[node.id] = node }
    func register(_ node: ViewNode, alias: Int) { nodes[alias] = node }

    func unregister(_ node: ViewNode) {
        nodes[node.id] = nil
        animating[node.id] = nil
        measured[node.id] = nil
        urlHandlers[node.id] = nil
    }

    func keep(_ extent: MeasuredExtent, of node: ViewNode) { measured[node.id] = (node, extent) }

    func handleURLs(in node: ViewNode, _ handler: @escaping (URL) -> Void) { urlHandlers[node.id] = handler }

    /// Calls the handlers of all views, in the order in which the views were made.
    func open(_ url: URL) {
        for (_, handler) in urlHandlers.sorted(by: { $0.key < $1.key }) { handler(url) }
    }

    func unregister(alias: Int) { nodes[alias] = nil }

    /// Returns `nil` for a node that has left the hierarchy.
    func node(_ id: Int) -> ViewNode? { nodes[id] }

    var nodeCount: Int { nodes.count }

    /// Runs work that reads values on behalf of `node`.
    func evaluate<Result>(_ node: ViewNode, _ body: () -> Result) -> Result {
        let inbox = inbox
        let change: @Sendable () -> Void = { [weak node] in
            guard let node else { return }
            if let evaluation = Evaluation.current {
                evaluation.reportWrite(to: "a property of an observable object")
            } else {
                inbox.add(node)
            }
        }
        return Evaluation(node).run { withObservationTracking(body, onChange: change) }
    }

    func countEvaluation(of type: Any.Type) {
        evaluationsByType[ObjectIdentifier(type), default: (type, 0)].count += 1
        evaluationCount += 1
    }

    func countUpdate() { updatedNodes += 1 }
    func countRender() { renderedNodes += 1 }

    /// The number of evaluations by type of view.
    var evaluations: [String: Int] {
        Dictionary(evaluationsByType.values.map { (ViewName.short($0.type), $0.count) }, uniquingKeysWith: +)
    }

    /// Reports an issue once.
    func report(_ issue: RuntimeIssue) {
        guard !issues.contains(issue) else { return }
        issues.append(issue)
        onIssue?(issue)
    }

    /// Schedules the evaluation of a node in the next pass or update.
    func setNeedsUpdate(_ node: ViewNode) { inbox.add(node) }
}

// The cycle.
extension ViewGraph {
    /// The order of effects: those of an earlier case run before those of a later one.
    enum EffectPhase: CaseIterable {
        case disappear
        case appear
        case change
    }

    func enqueue(_ phase: EffectPhase, _ effect: @escaping @MainActor () -> Void) {
        effects[phase, default: []].append(effect)
    }

    func start<Root: View>(_ view: Root, environment: EnvironmentValues, at time: Duration) {
        frameTime = time
        let root = makeNode(for: view, key: .position(0), parent: nil, environment: environment)
        self.root = root
        isUpdating = true
        root.begin()
        isUpdating = false
        update(at: time)
    }

    /// Sets another environment for the root in the next update.
    func setEnvironment<Root: View>(_ environment: EnvironmentValues, for view: Root, at time: Duration) {
        frameTime = time
        isUpdating = true
        root?.receive(view, environment: environment, isVisible: true)
        isUpdating = false
        update(at: time)
    }

    var needsUpdate: Bool { !inbox.isEmpty || effects.values.contains { !$0.isEmpty } }

    func update(at time: Duration) {
        guard !isUpdating else { return }
        isUpdating = true
        defer { isUpdating = false }
        frameTime = time
        updateCount += 1
        var passes = 0
        while needsUpdate {
            passes += 1
            let (changed, transaction) = inbox.drain()
            if passes > Self.passLimit {
                let names = Set(changed.map(\.nearestViewName)).sorted()
                report(.unsettled(views: names, passes: Self.passLimit))
                for phase in EffectPhase.allCases { effects[phase] = nil }
                break
            }
            self.transaction = transaction
            for node in changed { node.needsUpdate = true }
            for node in changed.sorted(by: { ($0.depth, $0.id) < ($1.depth, $1.id) }) {
                if node.isAlive, node.needsUpdate { node.update() }
            }
            self.transaction = Transaction()
            for phase in EffectPhase.allCases {
                for effect in effects.removeValue(forKey: phase) ?? [] { effect() }
            }
            for (node, extent) in measured.values where extent.estimateChanged(for: node) { setNeedsUpdate(node) }
        }
    }
}

// Tasks and animations.
extension ViewGraph {
    /// Runs a view's task. The graph is not idle until it has ended.
    func run(_ priority: TaskPriority, _ action: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        taskCount += 1
        return Task(priority: priority) {
            await action()
            taskCount -= 1
            onActivity?()
        }
    }

    var isAnimating: Bool { !animating.isEmpty }

    func startAnimating(_ node: ViewNode) {
        animating[node.id] = node
        onActivity?()
    }

    func stopAnimating(_ node: ViewNode) { animating[node.id] = nil }

    /// Moves all running animations to `time`.
    func advanceAnimations(to time: Duration) {
        frameTime = time
        for node in animating.values.sorted(by: { ($0.depth, $0.id) < ($1.depth, $1.id) }) where node.isAlive {
            node.advanceAnimation()
        }
    }
}

extension ViewGraph {
    func makeNode(
        for view: any View, key: SlotKey, parent: ViewNode?, environment: EnvironmentValues,
    ) -> ViewNode {
        let type = ObjectIdentifier(Swift.type(of: view))
        func primitive<P: PrimitiveView>(_: P.Type) -> ViewNode? {
            exact(view, as: P.self).map {
                PrimitiveNode($0, viewType: type, graph: self, parent: parent, key: key, environment: environment)
            }
        }
        func modified<M: PrimitiveModifier>(_ modifier: M, _ content: any View) -> ViewNode {
            PrimitiveNode(
                Modified(modifier: modifier, content: content), viewType: type, graph: self, parent: parent, key: key,
                environment: environment,
            )
        }
        func custom<M: ViewModifier>(_ modifier: M, _ content: any View) -> ViewNode {
            ModifierNode(
                modifier, view: view, content: content, graph: self, parent: parent, key: key,
                environment: environment)
        }
        func composite<V: View>(_ view: V) -> ViewNode {
            CompositeNode(view, graph: self, parent: parent, key: key, environment: environment)
        }
        // Checks types, not values, because a cast of a value unwraps an Optional.
        func make<V: View>(_ view: V) -> ViewNode {
            if V.self is any AnyModifiedContent.Type, let view = view as? any AnyModifiedContent {
                if let modifier = view.anyModifier as? any PrimitiveModifier {
                    return modified(modifier, view.anyContent)
                }
                return custom(view.anyModifier, view.anyContent)
            }
            if let type = V.self as? any PrimitiveView.Type { return primitive(type) ?? composite(view) }
            return composite(view)
        }
        return make(view)
    }
}
