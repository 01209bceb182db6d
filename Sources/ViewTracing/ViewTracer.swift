import AstrolabePlatform
package import AstrolabeRecording
import AstrolabeSemantics
package import AstrolabeTelemetryModel

/// Records what becomes of an app's views, which screen is seen, and what is tapped.
///
/// An app has one, `Telemetry.views`, which `TracedView` and its modifiers find in the environment. All calls may come
/// from any thread.
public final class ViewTracer: Sendable {
    public let mode: ViewTracingMode
    let tracer: Tracer
    let events: EventLogger
    let hooks: Hooks
    private let patience: Double
    private let state = Locked(State())

    /// What the tracer is connected to.
    package struct Hooks: Sendable {
        /// Nanoseconds since 1970, of the clock that spans are recorded by.
        package var now: @Sendable () -> UInt64
        /// Names the screen on every record from now on; `nil` where there is none.
        package var setScreen: @Sendable (_ name: String?, _ id: String?) -> Void
        /// The person has touched something.
        package var noteActivity: @Sendable () -> Void
        /// Waits for so many seconds.
        package var sleep: @Sendable (Double) async throws -> Void

        package init(
            now: @escaping @Sendable () -> UInt64,
            setScreen: @escaping @Sendable (_ name: String?, _ id: String?) -> Void = { _, _ in },
            noteActivity: @escaping @Sendable () -> Void = {},
            sleep: @escaping @Sendable (Double) async throws -> Void = {
                try await Task.sleep(nanoseconds: UInt64(nanosecondsIn: $0))
            },
        ) {
            self.now = now
            self.setScreen = setScreen
            self.noteActivity = noteActivity
            self.sleep = sleep
        }
    }

    private struct State {
        var traces: [Int: WeakTrace] = [:]
        var lastNumber = 0
        var screens = ScreenStack()
        var isSuspended = false
        var isWatching = false
        /// How often somebody asked for the watch, so that it does not end while another comes to wait.
        var watchRequests = 0

        /// To be let go of outside of the lock: the last reference to a trace may be one of these.
        var living: [ViewTrace] { traces.values.compactMap(\.trace) }
    }

    private struct WeakTrace {
        weak var trace: ViewTrace?
    }

    /// - Parameter patience: Seconds that an evaluated view may take to appear until its trace ends without it.
    package init(
        mode: ViewTracingMode, tracer: Tracer, events: EventLogger, hooks: Hooks, patience: Double = 10,
    ) {
        self.mode = mode
        self.tracer = tracer
        self.events = events
        self.hooks = hooks
        self.patience = patience
    }

    /// Records nothing, and costs nothing.
    public static let disabled = ViewTracer(
        mode: .off, tracer: .disabled, events: .disabled, hooks: Hooks(now: { 0 }), )

    public var isEnabled: Bool { mode != .off }

    /// Whether anything is recorded of a view of this role.
    public func records(_ role: ViewRole) -> Bool {
        switch mode {
        case .off: false
        case .compact: role == .screen
        case .full: true
        }
    }

    /// Records that a control was tapped, and counts it as activity of the person's.
    ///
    /// - Parameters:
    ///   - id: The control's accessibility identifier.
    ///   - name: What it says, where that is known and holds nothing private.
    public func recordTap(_ id: String, name: String? = nil) {
        guard isEnabled else { return }
        hooks.noteActivity()
        var attributes: Attributes = [AttributeKey.appWidgetID: .string(id)]
        attributes[AttributeKey.appWidgetName] = name.map(AttributeValue.string)
        events.emit(EventName.appWidgetClick, attributes: attributes)
    }

    /// The trace of a view whose place on the screen is being made.
    package func trace(_ identity: ViewIdentity, attributes: Attributes) -> ViewTrace {
        let (number, isSuspended) = state.withLock { state in
            state.lastNumber += 1
            return (state.lastNumber, state.isSuspended)
        }
        let trace = ViewTrace(
            identity, number: number, attributes: attributes, tracer: self, isSuspended: isSuspended, )
        state.withLock { $0.traces[number] = WeakTrace(trace: trace) }
        return trace
    }
}

// The app's life.
extension ViewTracer {
    /// Ends what is open: the process may not run again.
    package func enterBackground() {
        let traces = state.withLock { state in
            state.isSuspended = true
            return state.living
        }
        for trace in traces { trace.suspend() }
    }

    /// Begins anew for the views that are seen again.
    package func leaveBackground() {
        let traces = state.withLock { state in
            state.isSuspended = false
            return state.living
        }
        for trace in traces { trace.resume() }
    }

    /// How many traces there are, for tests of leaks.
    package var traceCount: Int { state.withLock { $0.traces.count } }
}

// What a trace tells.
extension ViewTracer {
    func show(_ screen: ScreenStack.Screen, number: Int) {
        changeScreens { $0.show(screen, number: number) }
    }

    func hide(_ number: Int) {
        changeScreens { $0.hide(number) }
    }

    func forget(_ number: Int) {
        state.withLock { $0.traces[number] = nil }
        hide(number)
    }

    private func changeScreens(_ change: (inout ScreenStack) -> Void) {
        state.withLock { state in
            let before = state.screens.current
            change(&state.screens)
            let current = state.screens.current
            if current != before { hooks.setScreen(current?.name, current?.id) }
        }
    }

    /// Sees to it that a trace ends whose view does not appear; one task does so for all.
    func watch() {
        let mustStart = state.withLock { state in
            state.watchRequests += 1
            defer { state.isWatching = true }
            return !state.isWatching
        }
        guard mustStart else { return }
        let (sleep, patience) = (hooks.sleep, patience)
        Task.detached(priority: .utility) { [weak self] in
            repeat { try? await sleep(patience) } while self?.sweep() == true
        }
    }

    /// Ends the traces that have waited for too long; false where none is left to wait for.
    private func sweep() -> Bool {
        let now = hooks.now()
        let deadline = now - min(now, UInt64(nanosecondsIn: patience))
        let (traces, requests) = state.withLock { ($0.living, $0.watchRequests) }
        for trace in traces { trace.expire(before: deadline) }
        let isSomebodyWaiting = traces.contains { $0.isWaiting }
        return state.withLock { state in
            state.isWatching = isSomebodyWaiting || state.watchRequests != requests
            return state.isWatching
        }
    }
}
