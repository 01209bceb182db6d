import AstrolabePlatform
package import AstrolabeRecording
import AstrolabeSemantics
package import AstrolabeTelemetryModel

/// Records the lifecycle of an app's views, the visible screen, and taps.
///
/// An app has one, `Telemetry.views`, which `TracedView` and its modifiers find in the environment. All methods may be
/// called from any thread.
public final class ViewTracer: Sendable {
    /// The extent of what is recorded of views.
    package let mode: ViewTracingMode
    let tracer: Tracer
    let events: EventLogger
    let hooks: Hooks
    private let appearanceTimeout: Double
    private let state = Locked(State())

    /// The tracer's dependencies.
    package struct Hooks: Sendable {
        /// Nanoseconds since 1970, on the clock of spans.
        package var now: @Sendable () -> UInt64
        /// Sets the screen name of every record from now on; `nil` if there is none.
        package var setScreen: @Sendable (_ name: String?, _ id: String?) -> Void
        /// Called when the user has touched a control.
        package var noteActivity: @Sendable () -> Void
        /// Sleeps for a number of seconds.
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
        /// Changes of the current screen that `setScreen` has not got yet.
        var screenChanges = SerialWorkQueue<ScreenStack.Screen?>()
        var isSuspended = false
        var isWatching = false
        /// Incremented with each request to watch, so that the watch does not end while a new view starts to wait.
        var watchRequests = 0

        /// The living traces. Release them outside of the lock: they may be the last references.
        var living: [ViewTrace] { traces.values.compactMap(\.trace) }
    }

    private struct WeakTrace {
        weak var trace: ViewTrace?
    }

    /// - Parameter appearanceTimeout: Seconds until the trace of an evaluated view that does not appear ends. Default
    ///   10.
    package init(
        mode: ViewTracingMode, tracer: Tracer, events: EventLogger, hooks: Hooks, appearanceTimeout: Double = 10,
    ) {
        self.mode = mode
        self.tracer = tracer
        self.events = events
        self.hooks = hooks
        self.appearanceTimeout = appearanceTimeout
    }

    /// A tracer that records nothing and costs nothing.
    package static let disabled = ViewTracer(
        mode: .off, tracer: .disabled, events: .disabled, hooks: Hooks(now: { 0 }))

    /// True if anything is recorded.
    package var isEnabled: Bool { mode != .off }

    /// Returns true if anything is recorded for a view of this role.
    package func records(_ role: ViewRole) -> Bool {
        switch mode {
        case .off: false
        case .compact: role == .screen
        case .full: true
        }
    }

    /// Records a tap on a control, which counts as user activity.
    ///
    /// - Parameters:
    ///   - id: The control's accessibility identifier.
    ///   - name: The control's label, if known and not private.
    public func recordTap(_ id: String, name: String? = nil) {
        guard isEnabled else { return }
        hooks.noteActivity()
        var attributes: Attributes = [AttributeKey.appWidgetID: id]
        attributes[AttributeKey.appWidgetName] = name.map(AttributeValue.string)
        events.emit(EventName.appWidgetClick, attributes: attributes)
    }

    /// Creates the trace of a view instance.
    ///
    /// - Parameter madeAt: When the view was made; default now.
    package func trace(_ identity: ViewIdentity, attributes: Attributes, madeAt: UInt64? = nil) -> ViewTrace {
        let (number, isSuspended) = state.withLock { state in
            state.lastNumber += 1
            return (state.lastNumber, state.isSuspended)
        }
        let trace = ViewTrace(
            identity, number: number, attributes: attributes, tracer: self, madeAt: madeAt ?? hooks.now(),
            isSuspended: isSuspended)
        state.withLock { $0.traces[number] = WeakTrace(trace: trace) }
        return trace
    }
}

// Lifecycle of the app.
extension ViewTracer {
    /// Ends open spans: the process may not run again.
    package func enterBackground() {
        let traces = state.withLock { state in
            state.isSuspended = true
            return state.living
        }
        for trace in traces { trace.suspend() }
    }

    /// Begins new traces for the views that are visible again.
    package func leaveBackground() {
        let traces = state.withLock { state in
            state.isSuspended = false
            return state.living
        }
        for trace in traces { trace.resume() }
    }

    /// Starts again after the user has agreed: nothing of the views' past is recorded, and the visible screen is named.
    package func restart(isInBackground: Bool) {
        let (traces, screen) = state.withLock { state in
            state.isSuspended = isInBackground
            return (state.living, state.screens.current)
        }
        for trace in traces { trace.restart(isSuspended: isInBackground) }
        if let screen { hooks.setScreen(screen.name, screen.id) }
    }

    /// The number of traces, for tests of leaks.
    package var traceCount: Int { state.withLock { $0.traces.count } }
}

// Calls from traces.
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
        let mustTell = state.withLock { state in
            let before = state.screens.current
            change(&state.screens)
            let current = state.screens.current
            return current != before && state.screenChanges.add([current])
        }
        guard mustTell else { return }
        // In order, and without the lock: a session may begin, whose events go through processors of the app.
        while let screen = state.withLock({ $0.screenChanges.next() }) { hooks.setScreen(screen?.name, screen?.id) }
    }

    /// Ends traces of views that do not appear in time; one task serves all traces.
    func watch() {
        let mustStart = state.withLock { state in
            state.watchRequests += 1
            defer { state.isWatching = true }
            return !state.isWatching
        }
        guard mustStart else { return }
        let (sleep, appearanceTimeout) = (hooks.sleep, appearanceTimeout)
        Task.detached(priority: .utility) { [weak self] in
            // Nothing cancels the task, so the sleep does not fail.
            repeat { try? await sleep(appearanceTimeout) } while self?.sweep() == true
        }
    }

    /// Ends the traces that have waited too long; returns false if none is still waiting.
    private func sweep() -> Bool {
        let now = hooks.now()
        let deadline = now - min(now, UInt64(nanosecondsIn: appearanceTimeout))
        let (traces, requests) = state.withLock { ($0.living, $0.watchRequests) }
        for trace in traces { trace.expire(before: deadline) }
        let isAnyWaiting = traces.contains { $0.isWaiting }
        return state.withLock { state in
            state.isWatching = isAnyWaiting || state.watchRequests != requests
            return state.isWatching
        }
    }
}
