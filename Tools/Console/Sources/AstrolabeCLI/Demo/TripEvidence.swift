import AstrolabeTelemetryModel
import AstronomyShop
import ConsoleStore
import Foundation
import ShopAPI

/// What the console knows of a trip: the proof that its telemetry has arrived.
struct TripEvidence: Sendable {
    let trip: TripSummary
    let services: [String]
    let spans: Int
    let events: Int
    let session: SessionSummary

    /// Waits until the trip's trace has spans of both services and its session is known.
    ///
    /// - Throws: `DemoFailure` with what was missing when the time was over.
    static func gather(
        for trip: TripSummary, in store: TelemetryStore, within limit: Duration,
    ) async throws -> TripEvidence {
        guard let id = TraceID(hex: trip.checkoutTraceID) else {
            throw DemoFailure("the shopper's summary names no trace: \(trip.checkoutTraceID)")
        }
        let changes = await store.changes()
        let watch = Task {
            var found = try await look(for: trip, id, in: store)
            var news = changes.makeAsyncIterator()
            while case .failure = found, await news.next() != nil {
                found = try await look(for: trip, id, in: store)
            }
            return found
        }
        let timer = Task {
            try await Task.sleep(for: limit)
            watch.cancel()
        }
        defer { timer.cancel() }
        return try await watch.value.get()
    }

    private static func look(
        for trip: TripSummary, _ id: TraceID, in store: TelemetryStore,
    ) async throws -> Result<TripEvidence, DemoFailure> {
        guard let trace = try await store.trace(id) else {
            return .failure(DemoFailure("the console has no span of trace \(trip.checkoutTraceID)"))
        }
        let services = try await store.services(inTrace: id)
        guard services.count == 2 else {
            return .failure(DemoFailure("trace \(id) has spans of \(services), and two services were expected"))
        }
        guard trace.spans.first?.depth == 0, !trace.spans.contains(where: \.isOrphan) else {
            return .failure(DemoFailure("trace \(id) is not whole: a parent has not arrived"))
        }
        guard let session = try await store.session(trip.sessionID) else {
            return .failure(DemoFailure("the console has no session \(trip.sessionID)"))
        }
        return .success(
            TripEvidence(
                trip: trip, services: services, spans: trace.spans.count, events: trace.events.count, session: session,
            )
        )
    }

    func summary(consoleURL: String) -> String {
        """

        Trace    \(consoleURL)/traces/\(trip.checkoutTraceID)
                 \(spans) spans and \(events) events of \(services.count) services: \(services.joined(separator: ", "))
        Session  \(consoleURL)/sessions/\(trip.sessionID)
                 \(session.traces) traces, \(session.requests) requests, \(session.errors) errors, the refused card's included
        Order    \(trip.orderID): \(trip.itemCount) items, \(trip.total.formatted)

        `./astrolabe console` opens these pages again.
        """
    }
}
