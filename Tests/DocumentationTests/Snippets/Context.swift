import Astrolabe
import Dispatch
import Foundation

actor SearchIndex {
    func rebuild() {}
}

struct PhotoLab {
    let telemetry: Telemetry
    let queue: DispatchQueue
    let index: SearchIndex

    // snippet: context-queue
    func develop(_ photo: Data, then finish: @escaping @Sendable (Data) -> Void) {
        let context = TelemetryContext.current
        queue.async {
            context.withValue {
                telemetry.tracer("photos").withSpan("develop") { _ in finish(photo) }
            }
        }
    }
    // snippet: end

    func rebuildIndex() {
        // snippet: context-detached
        let context = TelemetryContext.current
        Task.detached(priority: .background) {
            await context.withValue { await index.rebuild() }
        }
        // snippet: end
    }

    func synchronize() {
        // snippet: context-link
        var builder = telemetry.tracer("photos").spanBuilder("synchronize").setNoParent()
        if let cause = TelemetryContext.current.span { builder = builder.addLink(cause.context) }
        let span = builder.startSpan()
        // snippet: end
        span.end()
    }
}

// snippet: context-delegate
final class PlaceSearch {
    private let tracer: Tracer
    private var span: Tracer.Span?

    init(telemetry: Telemetry) {
        tracer = telemetry.tracer("places")
    }

    func start() {
        span = tracer.spanBuilder("find places").startSpan()  // A child of the current span.
    }

    /// The system calls this later, without a context.
    func didFind(_ places: [String]) {
        guard let span else { return }
        span.setAttribute("places.count", places.count)
        TelemetryContext(span: span).withValue { show(places) }  // What this starts is a child of the search.
        span.end()
    }

    private func show(_ places: [String]) {}
}
// snippet: end
