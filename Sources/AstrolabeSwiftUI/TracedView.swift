public import Astrolabe
import AstrolabeViewTracing
public import SwiftUI

/// A view whose life is recorded: its making, each evaluation of its body, its coming and its going.
///
///     var body: some View {
///         TracedView("Cart") {
///             List { … }
///         }
///         .navigationTitle("Cart")
///     }
///
/// The closure is the body that `Cart.body` measures, so what is costly belongs into it. Give it one view; several
/// belong into a stack. Where view tracing is off, the closure's view is all there is.
///
/// What is recorded, and how it is chosen, is in ``ViewTracingMode``.
public struct TracedView<Content: View>: View {
    private let identity: ViewIdentity
    private let attributes: Attributes
    private let content: () -> Content
    /// Another for each value: SwiftUI must not take this view for the one before by its closure, which may be the same
    /// and read an object that has changed. The body is evaluated as often as without tracing.
    private let evaluation: Int
    @Environment(\.viewTracer) private var tracer

    /// - Parameters:
    ///   - name: Names the spans and, of a screen, every record that is made while it is seen. A fixed word of the
    ///     developer's, the same in every release, with no data in it.
    ///   - id: `app.screen.id`. Default the name.
    ///   - role: `part` for a view that does not fill the screen. Default `screen`.
    ///   - attributes: Added to the view's root span.
    public init(
        _ name: String, id: String? = nil, as role: ViewRole = .screen, attributes: Attributes = [:],
        @ViewBuilder content: @escaping () -> Content,
    ) {
        identity = ViewIdentity(name, id: id, role: role)
        self.attributes = attributes
        self.content = content
        evaluation = EvaluationCount.next()
    }

    public var body: some View {
        if tracer.records(identity.role) {
            RecordedView(
                identity: identity, attributes: attributes, evaluation: evaluation, tracer: tracer, content: content,
            )
        } else {
            content()
        }
    }
}

@MainActor
private enum EvaluationCount {
    private static var last = 0

    static func next() -> Int {
        last &+= 1
        return last
    }
}

extension View {
    /// Records the life of this view: see ``TracedView``, with the same parameters.
    ///
    ///     HomeView().traced("Home")
    ///
    /// The view is made before it gets here, so that its `.body` spans count the evaluations and do not measure them.
    public func traced(
        _ name: String, id: String? = nil, as role: ViewRole = .screen, attributes: Attributes = [:],
    ) -> some View {
        TracedView(name, id: id, as: role, attributes: attributes) { self }
    }
}
