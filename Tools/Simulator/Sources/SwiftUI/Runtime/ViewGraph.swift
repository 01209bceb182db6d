/// The hierarchy of nodes, and the cycle that brings it up to date.
///
/// One update is: every node that something changed for is evaluated once, parents before children; then what that set
/// off is run, views that left before views that came, and what that changed is evaluated in turn, until nothing is
/// left to do. Only then is the result shown.
@MainActor
final class ViewGraph {
    /// An update gives up after so many rounds of effects that change state.
    static let passLimit = 25

    let inbox: Inbox
    let images: ImageStore
    private(set) var root: ViewNode?
    /// The time that the frame under way is made for.
    private(set) var frameTime: Duration = .zero
    /// How what changes now is to move; a modifier sets it for what is below it.
    var transaction = Transaction()

    private var evaluationsByType: [ObjectIdentifier: (type: Any.Type, count: Int)] = [:]
    private(set) var evaluationCount = 0
    private(set) var issues: [RuntimeIssue] = []
    var onIssue: (@MainActor (RuntimeIssue) -> Void)?
    /// Told when the number of tasks under way or of running animations changes.
    var onActivity: (@MainActor () -> Void)?
    private(set) var taskCount = 0

    private var lastID = 0
    private var nodes: [Int: ViewNode] = [:]
    private var animating: [Int: ViewNode] = [:]
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
    }

    func unregister(alias: Int) { nodes[alias] = nil }

    /// nil for what has left the hierarchy.
    func node(_ id: Int) -> ViewNode? { nodes[id] }

    var nodeCount: Int { nodes.count }

    /// Runs what reads on behalf of `node`.
    func evaluate<Result>(_ node: ViewNode, _ body: () -> Result) -> Result {
        Evaluation.$current.withValue(Evaluation(node)) { body() }
    }

    func countEvaluation(of type: Any.Type) {
        evaluationsByType[ObjectIdentifier(type), default: (type, 0)].count += 1
        evaluationCount += 1
    }

    /// By the name of the view's type.
    var evaluations: [String: Int] {
        Dictionary(evaluationsByType.values.map { (ViewName.short($0.type), $0.count) }, uniquingKeysWith: +)
    }

    /// Each issue is told once.
    func report(_ issue: RuntimeIssue) {
        guard !issues.contains(issue) else { return }
        issues.append(issue)
        onIssue?(issue)
    }

    /// Has a node evaluated with the next pass or update.
    func setNeedsUpdate(_ node: ViewNode) { inbox.add(node) }
}

// The cycle.
extension ViewGraph {
    /// When an effect runs: those of an earlier case before those of a later.
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

    /// Gives the root another environment with the next update.
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
        }
    }
}

// Tasks and animations.
extension ViewGraph {
    /// Runs a view's task; the graph is not settled before it is over.
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

    /// Moves everything that is in motion to where it is at `time`.
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
                environment: environment, )
        }
        func composite<V: View>(_ view: V) -> ViewNode {
            CompositeNode(view, graph: self, parent: parent, key: key, environment: environment)
        }
        // Types are asked, not values: a cast of a value looks into an Optional.
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
