import AstrolabeTelemetryModel
import AstronomyShop
import ConsoleModel
import Foundation
import ShopAPI

/// The records of one trip in the console, which prove that its telemetry arrived.
struct TripReport: Sendable {
    let trip: TripSummary
    let services: [String]
    let spans: Int
    let events: Int
    let session: SessionSummary

    /// Waits until the store has the trip's session and spans of both services in the trip's trace.
    ///
    /// - Throws: `DemoFailure` that says what was missing when the timeout expired.
    static func gather(
        for trip: TripSummary, in store: any TelemetryStore, timeout: Duration,
    ) async throws -> TripReport {
        guard let id = TraceID(hex: trip.checkoutTraceID) else {
            throw DemoFailure("expected a trace id in the shopper's summary, found \"\(trip.checkoutTraceID)\"")
        }
        let changes = await store.changes()
        let watch = Task {
            var found = try await find(for: trip, id, in: store)
            var iterator = changes.makeAsyncIterator()
            while case .failure = found, await iterator.next() != nil {
                found = try await find(for: trip, id, in: store)
            }
            return found
        }
        let timer = Task {
            try await Task.sleep(for: timeout)
            watch.cancel()
        }
        defer { timer.cancel() }
        return try await watch.value.get()
    }

    private static func find(
        for trip: TripSummary, _ id: TraceID, in store: any TelemetryStore,
    ) async throws -> Result<TripReport, DemoFailure> {
        guard let trace = try await store.trace(id) else {
            return .failure(DemoFailure("the console received no span of trace \(trip.checkoutTraceID)"))
        }
        let services = try await store.services(inTrace: id)
        guard services.count == 2 else {
            return .failure(DemoFailure("trace \(id): expected spans of two services, found \(services)"))
        }
        guard trace.spans.first?.depth == 0, !trace.spans.contains(where: \.isOrphan) else {
            return .failure(DemoFailure("trace \(id) is incomplete: a parent span is missing"))
        }
        guard let session = try await store.session(trip.sessionID) else {
            return .failure(DemoFailure("the console received no record of session \(trip.sessionID)"))
        }
        return .success(
            TripReport(
                trip: trip, services: services, spans: trace.spans.count, events: trace.events.count, session: session,
            )
        )
    }

    func summary(consoleURL: String) -> String {
        """

        Trace    \(consoleURL)/traces/\(trip.checkoutTraceID)
                 \(spans) spans and \(events) events of \(services.count) services: \(services.joined(separator: ", "))
        Session  \(consoleURL)/sessions/\(trip.sessionID)
                 \(session.traces) traces, \(session.requests) requests, \(session.errors) errors, including the declined card
        Order    \(trip.orderID): \(trip.itemCount) items, \(trip.total.formatted)

        Run `./astrolabe console` to open these pages again.
        """
    }
}
