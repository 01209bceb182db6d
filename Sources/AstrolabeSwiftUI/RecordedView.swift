import Astrolabe
import AstrolabeViewTracing
import Combine
import SwiftUI

/// A traced view where tracing is on.
struct RecordedView<Content: View>: View {
    private let attributes: Attributes
    private let evaluation: Int
    private let content: () -> Content
    @StateObject private var holder: TraceHolder

    init(
        identity: ViewIdentity, attributes: Attributes, evaluation: Int, tracer: ViewTracer,
        content: @escaping () -> Content,
    ) {
        self.attributes = attributes
        self.evaluation = evaluation
        self.content = content
        _holder = StateObject(wrappedValue: TraceHolder(tracer.trace(identity, attributes: attributes)))
    }

    var body: some View {
        holder.trace.evaluate(attributes, content)
            .modifier(Presence(trace: holder.trace))
    }
}

/// Keeps a trace for as long as its view has a place in the hierarchy, and never asks for another evaluation.
private final class TraceHolder: ObservableObject {
    let trace: ViewTrace
    let objectWillChange = ObservableObjectPublisher()

    init(_ trace: ViewTrace) {
        self.trace = trace
    }
}

/// Tells the trace when the view is seen.
///
/// SwiftUI applies a modifier to each view of a group and to each branch of an `if` by itself, so that each of them has
/// a mark of its own.
private struct Presence: ViewModifier {
    private let trace: ViewTrace
    @StateObject private var mark: Mark

    init(trace: ViewTrace) {
        self.trace = trace
        _mark = StateObject(wrappedValue: Mark(trace))
    }

    func body(content: Content) -> some View {
        content
            .onAppear { trace.appeared(ObjectIdentifier(mark)) }
            .onDisappear { trace.disappeared(ObjectIdentifier(mark)) }
    }

    private final class Mark: ObservableObject {
        let objectWillChange = ObservableObjectPublisher()
        private let trace: ViewTrace

        init(_ trace: ViewTrace) {
            self.trace = trace
        }

        deinit { trace.lost(ObjectIdentifier(self)) }
    }
}
