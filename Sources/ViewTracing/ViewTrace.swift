import AstrolabePlatform
import AstrolabeRecording
import AstrolabeSemantics
package import AstrolabeTelemetryModel

/// The trace of one view, from when its place on the screen is made to when that is gone.
///
///     Cart                       from the making, or from when it comes back, until it disappears
///     ├── Cart.body              each evaluation of its body
///     ├── Cart.onAppear
///     └── Cart.onDisappear
///
/// Each time that the view is seen is a trace of its own, which no other span is the parent of. What is open when the
/// app goes to the background ends there. A view that is evaluated and never seen ends, too, with its last body: after
/// the tracer's patience, or with the object.
package final class ViewTrace: Sendable {
    private let tracer: ViewTracer
    private let identity: ViewIdentity
    /// Which of the tracer's this is.
    let number: Int
    private let state: Locked<State>

    private struct State {
        var life: ViewLife
        var attributes: Attributes
        var root: Span?
    }

    init(
        _ identity: ViewIdentity, number: Int, attributes: Attributes, tracer: ViewTracer, isSuspended: Bool,
    ) {
        self.identity = identity
        self.number = number
        self.tracer = tracer
        let life = ViewLife(
            isCompact: tracer.mode == .compact, at: tracer.hooks.now(), isSuspended: isSuspended,
        )
        state = Locked(State(life: life, attributes: attributes))
    }

    deinit {
        advance { $0.ended(at: $1) }
        tracer.forget(number)
    }

    /// Makes the view's content by `body`, and records how long that took.
    ///
    /// - Parameter attributes: Those of the root; what is new in them is added to one that is open.
    package func evaluate<Content>(_ attributes: Attributes, _ body: () -> Content) -> Content {
        guard tracer.mode == .full else { return body() }
        let start = tracer.hooks.now()
        let content = body()
        let end = tracer.hooks.now()
        let isWaiting = state.withLock { state in
            if state.attributes != attributes {
                state.attributes = attributes
                state.root?.setAttributes(attributes)
            }
            for step in state.life.evaluated(from: start, to: end) { perform(step, &state) }
            return state.life.isWaiting
        }
        if isWaiting { tracer.watch() }
        return content
    }

    /// - Parameter part: The part of the view that has come into sight.
    package func appeared(_ part: ObjectIdentifier) {
        advance { $0.appeared(part, at: $1) }
        if identity.role == .screen { tracer.show(.init(name: identity.name, id: identity.id), number: number) }
    }

    package func disappeared(_ part: ObjectIdentifier) {
        advance { $0.disappeared(part, at: $1) }
        if !isVisible { tracer.hide(number) }
    }

    /// The part no longer exists; does nothing where it has disappeared before.
    package func lost(_ part: ObjectIdentifier) {
        advance { $0.lost(part, at: $1) }
        if !isVisible { tracer.hide(number) }
    }

    func suspend() { advance { $0.suspended(at: $1) } }
    func resume() { advance { $0.resumed(at: $1) } }
    func expire(before deadline: UInt64) { advance { life, _ in life.expired(before: deadline) } }

    var isWaiting: Bool { state.withLock { $0.life.isWaiting } }
    private var isVisible: Bool { state.withLock { $0.life.isVisible } }

    private func advance(_ change: (inout ViewLife, _ now: UInt64) -> [ViewLife.Step]) {
        let now = tracer.hooks.now()
        state.withLock { state in
            for step in change(&state.life, now) { perform(step, &state) }
        }
    }
}

// Recording.
extension ViewTrace {
    private func perform(_ step: ViewLife.Step, _ state: inout State) {
        switch step {
        case .openRoot(let time):
            let root = start(SpanName.view(identity.name), at: time, under: .invalid)
            root.setAttributes(state.attributes)
            root.setAttribute(key: AttributeKey.viewName, value: identity.name)
            root.setAttribute(key: AttributeKey.viewType, value: KnownValue.swiftUIView)
            state.root = root
        case .body(let evaluation, let start, let end):
            child(SpanName.viewBody(identity.name), .body, from: start, to: end, of: state) {
                $0.setAttribute(key: AttributeKey.viewBodyEvaluation, value: evaluation)
            }
        case .appear(let count, let time):
            child(SpanName.viewOnAppear(identity.name), .onAppear, from: time, to: time, of: state) {
                $0.setAttribute(key: AttributeKey.viewAppearCount, value: count)
            }
        case .disappear(let count, let time):
            child(SpanName.viewOnDisappear(identity.name), .onDisappear, from: time, to: time, of: state) {
                $0.setAttribute(key: AttributeKey.viewDisappearCount, value: count)
            }
        case .closeRoot(let time):
            state.root?.end(timeUnixNano: time)
            state.root = nil
        case .firstAppearance(let start, let end):
            let span = self.start(SpanName.appScreenTimeToFirstAppear, at: start, under: .invalid)
            span.setAttributes(state.attributes)
            span.end(timeUnixNano: end)
        case .appearance(let time):
            tracer.events.emit(
                EventName.appScreenViewDidAppear, attributes: screenAttributes, timeUnixNano: time, context: .invalid,
            )
        }
    }

    private func child(
        _ name: String, _ lifecycle: KnownValue.ViewLifecycle, from start: UInt64, to end: UInt64, of state: State,
        _ describe: (Span) -> Void,
    ) {
        guard let root = state.root else { return }
        let span = self.start(name, at: start, under: root.context)
        span.setAttribute(key: AttributeKey.viewLifecycle, value: lifecycle.rawValue)
        describe(span)
        span.end(timeUnixNano: end)
    }

    /// A screen's own spans name it, whichever screen is seen while it is made.
    private func start(_ name: String, at time: UInt64, under parent: SpanContext) -> Span {
        let span = tracer.tracer.spanBuilder(name).setParent(parent).setSpanKind(.client)
            .setStartTime(timeUnixNano: time).startSpan()
        if identity.role == .screen { span.setAttributes(screenAttributes) }
        return span
    }

    private var screenAttributes: Attributes {
        [AttributeKey.appScreenName: .string(identity.name), AttributeKey.appScreenID: .string(identity.id)]
    }
}
