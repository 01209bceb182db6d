import AstrolabePlatform
import DeviceLink
import ViewTree

/// Sends screens and related messages to the device: first the whole screen, then patches.
///
/// It compares and encodes screens off the main actor. If the device reads slowly, it skips screens and sends only the
/// newest.
final class ScreenSender: Sendable {
    private struct State {
        var newest: RenderedTree?
        /// The animation of a screen that was skipped or is not sent yet.
        var animation: TreeAnimation?
        var isWholeWanted = true
        /// The messages in order. Each is sent after the screen that was current when it was queued, or a newer one.
        var messages: [AppMessage] = []
        var frames = FrameTally()
        var lastFrames: ContinuousClock.Instant?
        var isAwaitingFrames = false
    }

    private let link: AppLink
    private let state = Locked(State())
    private let wakeUps: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation

    /// The number of queued bytes on the link above which nothing is added.
    private static let backlog = 256 << 10
    /// The limit of queued messages, for a device that sends requests but does not read. More get no response.
    private static let messageLimit = 16_384
    private static let framePeriod = Duration.milliseconds(250)

    init(_ link: AppLink) {
        self.link = link
        (wakeUps, wakeUp) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func show(_ tree: RenderedTree) {
        state.withLock {
            $0.newest = tree
            $0.animation = tree.animation ?? $0.animation
        }
        wakeUp.yield()
    }

    /// Sends the whole screen again. The main actor is not needed.
    func showAgain() {
        state.withLock { $0.isWholeWanted = true }
        wakeUp.yield()
    }

    /// Sends a message after all screens shown so far.
    func post(_ message: AppMessage) {
        state.withLock { state in
            if state.messages.count < Self.messageLimit { state.messages.append(message) }
        }
        wakeUp.yield()
    }

    func count(_ frame: Duration, missed: Int) {
        state.withLock { $0.frames.add(frame, missed: missed) }
        wakeUp.yield()
    }

    /// Sends until the task is cancelled.
    func run() async {
        var shown: RenderedTree?
        for await _ in wakeUps {
            await link.waitUntilQueued(below: Self.backlog)
            let (tree, animation, isWhole, messages) = state.withLock { state in
                defer {
                    if state.newest != nil { state.isWholeWanted = false }
                    state.animation = nil
                    state.messages = []
                }
                return (state.newest, state.animation, state.isWholeWanted, state.messages)
            }
            if let tree, send(tree, after: isWhole ? nil : shown, animation) { shown = tree }
            for message in messages { link.send(message) }
            sendFrames()
        }
    }

    /// - Returns: `false` if nothing was sent, so the next patch must start from the last sent screen.
    private func send(_ tree: RenderedTree, after shown: RenderedTree?, _ animation: TreeAnimation?) -> Bool {
        guard let shown else { return link.send(.screen(tree)) }
        guard tree.revision != shown.revision else { return false }
        let patch = TreePatch(from: shown, to: tree, animation: animation)
        return !patch.isEmpty && link.send(.patch(patch))
    }

    /// Sends now, or as soon as the interval has passed.
    private func sendFrames() {
        let now = ContinuousClock.now
        let (summary, wait) = state.withLock { state -> (FrameSummary?, Duration?) in
            if state.frames.isEmpty { return (nil, nil) }
            let next = state.lastFrames.map { $0 + Self.framePeriod } ?? now
            if next <= now {
                state.lastFrames = now
                return (state.frames.take(), nil)
            }
            if state.isAwaitingFrames { return (nil, nil) }
            state.isAwaitingFrames = true
            return (nil, next - now)
        }
        if let summary { link.send(.frames(summary)) }
        guard let wait else { return }
        Task {
            try? await Task.sleep(for: wait)
            state.withLock { $0.isAwaitingFrames = false }
            wakeUp.yield()
        }
    }
}
