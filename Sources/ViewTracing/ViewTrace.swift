import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
package import AstrolabeTelemetryModel

/// The trace of one view instance, from its creation to its release.
///
///     Cart                       from its creation or reappearance until it disappears
///     ├── Cart.body              each evaluation of its body
///     ├── Cart.onAppear
///     └── Cart.onDisappear
///
/// Each period of visibility is a separate trace without a parent. Open spans end when the app enters the background. A
/// view that is evaluated but never appears ends with its last body, after the tracer's timeout or when it is released.
package final class ViewTrace: Sendable {
    private let tracer: ViewTracer
    private let identity: ViewIdentity
    /// The tracer's number for this trace.
    let number: Int
    private let state: Locked<State>

    private struct State {
        var life: ViewLife
        var attributes: Attributes
        /// Used by the thread that records, one at a time.
        var root: Tracer.Span?
        /// Actions that are not recorded yet.
        var actions = SerialWorkQueue<Action>()
    }

    /// Something to record without the lock, because spans and events pass through processors of the app.
    private enum Action {
        /// A step of the view's life, with the attributes that its root has then.
        case step(ViewLife.Step, Attributes)
        /// New attributes of an open root.
        case describe(Attributes)
    }

    init(
        _ identity: ViewIdentity, number: Int, attributes: Attributes, tracer: ViewTracer, madeAt: UInt64,
        isSuspended: Bool,
    ) {
        self.identity = identity
        self.number = number
        self.tracer = tracer
        let life = ViewLife(isCompact: tracer.mode == .compact, at: madeAt, isSuspended: isSuspended)
        state = Locked(State(life: life, attributes: attributes))
    }

    deinit {
        advance { $0.ended(at: $1) }
        tracer.forget(number)
    }

    /// Evaluates `body` to create the view's content and records its duration.
    ///
    /// - Parameter attributes: The root's attributes; new ones are added to an open root.
    package func evaluate<Content>(_ attributes: Attributes, _ body: () -> Content) -> Content {
        guard tracer.mode == .full else { return body() }
        let start = tracer.hooks.now()
        let content = body()
        evaluated(attributes, from: start, to: tracer.hooks.now())
        return content
    }

    /// Records an evaluation that has been measured elsewhere.
    func evaluated(_ attributes: Attributes, from start: UInt64, to end: UInt64) {
        record { state in
            let isNew = state.attributes != attributes
            state.attributes = attributes
            let steps = state.life.evaluated(from: start, to: end)
            return (isNew ? [Action.describe(attributes)] : []) + steps.map { Action.step($0, attributes) }
        }
        if isWaiting { tracer.watch() }
    }

    /// Records the appearance of a part of the view.
    ///
    /// - Parameter part: The part that has become visible.
    package func appeared(_ part: ObjectIdentifier) {
        advance { $0.appeared(part, at: $1) }
        if identity.role == .screen { tracer.show(.init(name: identity.name, id: identity.id), number: number) }
    }

    package func disappeared(_ part: ObjectIdentifier) {
        advance { $0.disappeared(part, at: $1) }
        if !isVisible { tracer.hide(number) }
    }

    /// Records that a part was released; does nothing if it has already disappeared.
    package func lost(_ part: ObjectIdentifier) {
        advance { $0.lost(part, at: $1) }
        if !isVisible { tracer.hide(number) }
    }

    /// Starts again, with nothing of before: a visible view opens a root without attributes, until it is evaluated.
    func restart(isSuspended: Bool) {
        let now = tracer.hooks.now()
        record { state in
            state.attributes = [:]
            let steps = [ViewLife.Step.closeRoot(at: now)] + state.life.restarted(at: now, isSuspended: isSuspended)
            return steps.map { Action.step($0, [:]) }
        }
    }

    func suspend() { advance { $0.suspended(at: $1) } }
    func resume() { advance { $0.resumed(at: $1) } }
    func expire(before deadline: UInt64) { advance { life, _ in life.expired(before: deadline) } }

    var isWaiting: Bool { state.withLock { $0.life.isWaiting } }
    private var isVisible: Bool { state.withLock { $0.life.isVisible } }

    private func advance(_ change: (inout ViewLife, _ now: UInt64) -> [ViewLife.Step]) {
        let now = tracer.hooks.now()
        record { state in
            let steps = change(&state.life, now)
            let attributes = state.attributes
            return steps.map { Action.step($0, attributes) }
        }
    }

    /// Changes the state, and records what follows from it, in order. If another thread records for this view, that
    /// thread records this too.
    private func record(_ change: (inout State) -> [Action]) {
        let mustRecord = state.withLock { state in
            let actions = change(&state)
            return state.actions.add(actions)
        }
        guard mustRecord else { return }
        while let action = state.withLock({ $0.actions.next() }) { perform(action) }
    }
}

// Recording.
extension ViewTrace {
    private var root: Tracer.Span? { state.withLock { $0.root } }

    /// Replaces the open root and returns the one before.
    private func exchange(root new: Tracer.Span?) -> Tracer.Span? {
        state.withLock { state in
            defer { state.root = new }
            return state.root
        }
    }

    private func perform(_ action: Action) {
        switch action {
        case .describe(let attributes): root?.setAttributes(attributes)
        case .step(let step, let attributes): perform(step, attributes)
        }
    }

    private func perform(_ step: ViewLife.Step, _ attributes: Attributes) {
        switch step {
        case .openRoot(let time):
            let root = start(SpanName.view(identity.name), at: time, under: .invalid)
            root.setAttributes(attributes)
            root.setAttribute(AttributeKey.viewName, identity.name)
            root.setAttribute(AttributeKey.viewType, identity.framework)
            _ = exchange(root: root)
        case .body(let evaluation, let start, let end):
            child(SpanName.viewBody(identity.name), .body, from: start, to: end) {
                $0.setAttribute(AttributeKey.viewBodyEvaluation, evaluation)
            }
        case .appear(let count, let time):
            child(SpanName.viewOnAppear(identity.name), .onAppear, from: time, to: time) {
                $0.setAttribute(AttributeKey.viewAppearCount, count)
            }
        case .disappear(let count, let time):
            child(SpanName.viewOnDisappear(identity.name), .onDisappear, from: time, to: time) {
                $0.setAttribute(AttributeKey.viewDisappearCount, count)
            }
        case .closeRoot(let time):
            exchange(root: nil)?.end(timeUnixNano: time)
        case .firstAppearance(let start, let end):
            let span = self.start(SpanName.appScreenTimeToFirstAppear, at: start, under: .invalid)
            span.setAttributes(attributes)
            span.end(timeUnixNano: end)
        case .appearance(let time):
            tracer.events.emit(
                EventName.appScreenViewDidAppear, attributes: screenAttributes, timeUnixNano: time, context: .invalid,
            )
        }
    }

    private func child(
        _ name: String, _ lifecycle: KnownValue.ViewLifecycle, from start: UInt64, to end: UInt64,
        _ describe: (Tracer.Span) -> Void,
    ) {
        guard let root else { return }
        let span = self.start(name, at: start, under: root.context)
        span.setAttribute(AttributeKey.viewLifecycle, lifecycle.rawValue)
        describe(span)
        span.end(timeUnixNano: end)
    }

    /// Starts a span. The spans of a screen carry its own name, whichever screen is visible at the time.
    ///
    /// The full form has the kind that the requirements ask for. The compact form is `internal`, so that no backend
    /// takes a screen for a remote call.
    private func start(_ name: String, at time: UInt64, under parent: SpanContext) -> Tracer.Span {
        let span = tracer.tracer.spanBuilder(name).setParent(parent)
            .setSpanKind(tracer.mode == .compact ? .internal : .client)
            .setStartTime(timeUnixNano: time).startSpan()
        if identity.role == .screen { span.setAttributes(screenAttributes) }
        return span
    }

    private var screenAttributes: Attributes {
        [AttributeKey.appScreenName: identity.name, AttributeKey.appScreenID: identity.id]
    }
}
