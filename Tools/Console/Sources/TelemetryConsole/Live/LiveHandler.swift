import AstrolabePlatform
import AstrolabeTelemetryModel
import ConsoleStore
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import ServerSupport
import ServiceLifecycle

/// Tells pages what changed, as server-sent events.
///
///     event: change
///     data: {"cursor":4711,"sessions":1,"traces":2,"metrics":false}
///
/// The first event is `hello` with the cursor of the moment, so that a page which was away knows what it missed.
/// Changes that come faster than `liveInterval` are told as one. Silence is broken by a comment, so that a connection
/// that died is noticed.
struct LiveHandler: Sendable {
    private let store: TelemetryStore
    private let limits: ConsoleConfiguration.Limits
    private let readers = Locked(0)

    static let headers: HTTPFields = [
        .contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store",
    ]

    init(store: TelemetryStore, limits: ConsoleConfiguration.Limits) {
        self.store = store
        self.limits = limits
    }

    /// What a page follows: everything, one session, or one trace.
    private enum Interest: Sendable {
        case everything
        case session(String)
        case trace(TraceID)
    }

    func respond(to request: Request) async throws -> Response {
        let query = QueryReader(request.uri.queryParameters)
        let interest: Interest
        if let session = query.text("session") {
            interest = .session(session)
        } else if let trace = query.text("trace").flatMap({ TraceID(hex: $0.lowercased()) }) {
            interest = .trace(trace)
        } else {
            interest = .everything
        }
        guard let seat = ConnectionSlot(among: readers, limit: limits.liveReaders) else {
            var failure = APIFailure(
                .serviceUnavailable, "\(limits.liveReaders) pages follow changes already; close one of them",
            )
            failure.headers[.retryAfter] = "5"
            throw failure
        }
        return Response(
            status: .ok, headers: Self.headers,
            body: ResponseBody { writer in
                defer { seat.leave() }
                try await tell(interest, to: &writer)
                try await writer.finish(nil)
            },
        )
    }

    private func tell(_ interest: Interest, to writer: inout any ResponseBodyWriter) async throws {
        let changes = await store.changes()
        let cursor = try await store.statistics().cursor
        try await writer.write(ByteBuffer(string: "retry: 1000\nevent: hello\ndata: {\"cursor\":\(cursor)}\n\n"))
        let (ticks, tick) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let heartbeat = limits.heartbeat
        let relay = Task {
            for await _ in changes.signals { tick.yield() }
            tick.finish()
        }
        let pulse = Task {
            while (try? await Task.sleep(for: heartbeat)) != nil { tick.yield() }
        }
        defer {
            relay.cancel()
            pulse.cancel()
        }
        try await withGracefulShutdownHandler {
            for await _ in ticks {
                if let change = await changes.take() {
                    guard try await concerns(change, interest) else { continue }
                    try await writer.write(ByteBuffer(string: Self.event(change)))
                    try await Task.sleep(for: limits.liveInterval)
                } else {
                    try await writer.write(ByteBuffer(string: ": still here\n\n"))
                }
            }
        } onGracefulShutdown: {
            tick.finish()
        }
    }

    private func concerns(_ change: Change, _ interest: Interest) async throws -> Bool {
        if change.isPartial { return true }
        switch interest {
        case .everything: return true
        case .trace(let id): return change.traces.contains(id)
        case .session(let id): return try await store.session(id).map { change.sessions.contains($0.number) } ?? false
        }
    }

    private static func event(_ change: Change) -> String {
        var text = JSONText()
        text.object { text in
            text.member("cursor", change.cursor)
            text.member("sessions", change.sessions.count)
            text.member("traces", change.traces.count)
            text.member("metrics", change.hasMetrics)
        }
        return "event: change\nid: \(change.cursor)\ndata: \(text.string)\n\n"
    }
}
