import Foundation
package import ViewTree

/// Runs a hierarchy of views, and provides the screen and the touch input.
///
///     let host = ViewHost(ContentView())
///     host.tap("go-shopping")
///     try await host.waitUntil("the shop is there") { $0.contains(text: "Astronomy Shop") }
@MainActor
package final class ViewHost {
    let graph: ViewGraph
    private let clock: any FrameClock
    private let root: RootView
    private var shown: RenderedTree
    #if DEBUG
    private var census = NodeCensus()
    #endif
    private var frameLoop: Task<Void, Never>?
    private var frameCount = 0
    private var isClosed = false
    private var waiters: [Int: Waiter] = [:]
    private var lastWaiter = 0

    private struct Waiter {
        let isOver: @MainActor () -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    /// The number of events by outcome.
    package private(set) var eventCounts: [EventOutcome: Int] = [:]
    /// Called for every frame with changes.
    package var onFrame: (@MainActor (FrameRecord) -> Void)?
    /// Called before the action of an event that a view accepts.
    package var onEvent: (@MainActor (ViewEvent, RenderedNode?) -> Void)?

    /// The properties and settings of the device. A change reaches the views through the environment.
    package var traits: DeviceTraits {
        didSet {
            guard traits != oldValue, !isClosed else { return }
            // The system shows an app that comes back, also if nothing in it has changed.
            let comesBack = traits.scenePhase == .active && oldValue.scenePhase != .active
            present(isShown: comesBack) { graph.setEnvironment(traits.environment, for: root, at: clock.now) }
        }
    }

    /// - Parameters:
    ///   - images: The source of images for `AsyncImage`.
    ///   - onIssue: Called once for each misuse. Default: writes to standard error.
    package init<Root: View>(
        _ root: Root, clock: any FrameClock = LiveFrameClock(), traits: DeviceTraits = DeviceTraits(),
        images: ImageLoader = .urlSession(),
        onIssue: @escaping @MainActor (RuntimeIssue) -> Void = ViewHost.reportIssue,
    ) {
        self.clock = clock
        self.traits = traits
        self.root = RootView(content: root)
        let wakeUp = WakeUp()
        graph = ViewGraph(images: ImageStore(images)) { wakeUp.call() }
        shown = RenderedTree(revision: 0, root: RenderedNode(id: 0, kind: .window))
        wakeUp.host.update { $0 = WeakHost(self) }
        graph.onIssue = onIssue
        graph.now = { clock.now }
        graph.wait = { await clock.wait(until: $0) }
        graph.onActivity = { [weak self] in self?.activityChanged() }
        present { graph.start(self.root, environment: traits.environment, at: clock.now) }
    }

    /// The current tree.
    package var tree: RenderedTree { shown }

    package var issues: [RuntimeIssue] { graph.issues }

    /// The URLs that views left to the system to open, in order.
    package var openedURLs: [URL] { graph.openedURLs }

    /// The number of evaluations of bodies, by name of the view's type.
    package var evaluations: [String: Int] { graph.evaluations }

    /// Returns the bytes of an image that a rendered node names.
    package func resource(_ name: String) -> ImageResource? { graph.images.resource(name) }

    /// Performs a user's event on the screen as the state is now, and updates the screen before it returns.
    @discardableResult
    package func send(_ event: ViewEvent) -> EventOutcome {
        update()
        let outcome = carryOut(event)
        eventCounts[outcome, default: 0] += 1
        return outcome
    }

    private func carryOut(_ event: ViewEvent) -> EventOutcome {
        guard !isClosed, let node = graph.node(event.node), node.isVisible else { return .gone }
        let rendered = shown.root.first { $0.id == event.node }
        guard let rendered, rendered.actions.contains(event.action),
            let handler = node.handler(for: event.action, at: event.node)
        else { return rendered == nil ? .gone : .notOffered }
        onEvent?(event, rendered)
        var isAccepted = false
        present {
            for observer in node.observers(of: event.action) { observer() }
            isAccepted = handler(event.value)
            graph.update(at: clock.now)
        }
        return isAccepted ? .handled : .invalidValue
    }

    /// Passes a URL to the views that handle one, and updates the screen before it returns.
    package func open(_ url: URL) {
        guard !isClosed else { return }
        present {
            graph.open(url)
            graph.update(at: clock.now)
        }
    }

    /// Updates the tree now, instead of in the main actor's next turn.
    package func update() {
        guard !isClosed, graph.needsUpdate else { return }
        present { graph.update(at: clock.now) }
    }

    /// Removes all views: they disappear, and their tasks are cancelled.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        graph.root?.close()
        graph.update(at: clock.now)
        frameLoop?.cancel()
        for waiter in waiters.values { waiter.continuation.resume() }
        waiters = [:]
    }

    nonisolated package static func reportIssue(_ issue: RuntimeIssue) {
        FileHandle.standardError.write(Data("SwiftUI stand-in: \(issue)\n".utf8))
    }
}

// Frames.
extension ViewHost {
    /// Performs the work of one frame and shows its result.
    private func present(
        promised: Duration? = nil, began: Duration? = nil, missed: Int = 0, isShown: Bool = false, _ work: () -> Void,
    ) {
        let start = began ?? clock.now
        let before = graph.evaluationCount
        work()
        var hasChanged = render()
        // What the output decides, such as preferences, may call for another update.
        for _ in 0..<ViewGraph.passLimit where graph.needsUpdate {
            graph.update(at: clock.now)
            hasChanged = render() || hasChanged
        }
        let record = FrameRecord(
            number: frameCount + 1, began: start, promised: promised ?? start + clock.interval, ended: clock.now,
            evaluations: graph.evaluationCount - before, missed: missed,
        )
        if hasChanged || isShown || record.evaluations > 0 {
            frameCount += 1
            onFrame?(record)
        }
        notify()
    }

    private func render() -> Bool {
        guard !isClosed, let root = graph.root?.currentOutput().elements.first?.node, root !== shown.root else {
            return false
        }
        #if DEBUG
        reportRepeatedIDs(in: root)
        #endif
        shown = RenderedTree(
            revision: shown.revision + 1, root: root, animation: graph.arrival.map { TreeAnimation($0) })
        graph.arrival = nil
        return true
    }

    #if DEBUG
    /// A page keeps one element for an id, so it would not show the others.
    private func reportRepeatedIDs(in root: RenderedNode) {
        for id in Set(census.repeatedIDs(in: root)).sorted() {
            let kinds = root.all { $0.id == id }.map(\.kind.rawValue)
            let view = graph.node(id)?.nearestViewName ?? "a view"
            graph.report(.repeatedNode(id: id, kinds: kinds, view: view))
        }
    }
    #endif

    private func activityChanged() {
        if graph.isAnimating, frameLoop == nil, !isClosed {
            frameLoop = Task { [weak self] in await Self.animate { self } }
        }
        if waiters.isEmpty { return }
        Task { notify() }
    }

    /// Renders a frame at each tick until nothing moves. Ticks during a slow frame are missed.
    private static func animate(_ host: @MainActor () -> ViewHost?) async {
        guard let clock = host()?.clock else { return }
        var tick = clock.now + clock.interval
        while !Task.isCancelled {
            await clock.wait(until: tick)
            guard !Task.isCancelled, let host = host() else { return }
            guard host.graph.isAnimating else {
                host.frameLoop = nil
                host.notify()
                return
            }
            var missed = 0
            while tick + clock.interval <= clock.now {
                tick += clock.interval
                missed += 1
            }
            host.present(promised: tick + clock.interval, began: tick, missed: missed) {
                host.graph.advanceAnimations(to: tick)
                host.graph.update(at: tick)
            }
            tick += clock.interval
        }
    }
}

// Waiting.
extension ViewHost {
    /// True if nothing is left to evaluate, no task is running, and nothing moves.
    package var isSettled: Bool { isClosed || (!graph.needsUpdate && graph.taskCount == 0 && !graph.isAnimating) }

    /// Waits until the host is idle. An endless task of a view keeps it waiting.
    package func waitUntilSettled() async {
        await wait { self.isSettled }
    }

    /// Waits until the tree meets the condition; returns at once if it does already.
    ///
    /// - Throws: ``WaitTimeout``, which contains the tree.
    package func waitUntil(
        _ what: String, timeout: Duration = .seconds(60), _ isWanted: @escaping @MainActor (RenderedTree) -> Bool,
    ) async throws {
        var timedOut = false
        var wasWanted = false
        let alarm = Task { @MainActor in
            try await Task.sleep(for: timeout)
            timedOut = true
            notify()
        }
        await wait {
            wasWanted = wasWanted || isWanted(self.tree)
            return wasWanted || timedOut || self.isClosed
        }
        alarm.cancel()
        if !wasWanted { throw WaitTimeout(what: what, tree: tree.root.outline) }
    }

    private func wait(_ isOver: @escaping @MainActor () -> Bool) async {
        update()
        if isOver() { return }
        lastWaiter += 1
        let id = lastWaiter
        await withCheckedContinuation { waiters[id] = Waiter(isOver: isOver, continuation: $0) }
    }

    private func notify() {
        for (id, waiter) in waiters where waiter.isOver() {
            waiters[id] = nil
            waiter.continuation.resume()
        }
    }
}

/// The screen did not meet a condition in time.
package struct WaitTimeout: Error, CustomStringConvertible {
    package let what: String
    /// The screen at the timeout.
    package let tree: String

    package var description: String { "timed out waiting until \(what). The screen shows:\n\(tree)" }
}

/// Updates the host in the main actor's next turn after a change.
private final class WakeUp: Sendable {
    let host = MutexValue(WeakHost(nil))

    func call() {
        let host = host.value
        Task { @MainActor in host.value?.update() }
    }
}

private struct WeakHost: Sendable {
    private(set) weak var value: ViewHost?

    init(_ value: ViewHost?) {
        self.value = value
    }
}
