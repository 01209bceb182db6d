import AstrolabePlatform
import AstrolabeTelemetryModel
import ConsoleModel
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import ServerSupport
import ServiceLifecycle

/// Sends changes to pages as server-sent events.
///
///     event: change
///     data: {"cursor":4711,"sessions":1,"traces":2,"metrics":false}
///
/// The first event is `hello` with the current cursor, so that a page that reconnects knows whether it missed changes.
/// Changes within `liveInterval` are merged into one event. A comment is sent as a heartbeat, so that both sides detect
/// a broken connection.
struct LiveHandler: Sendable {
    private let store: any TelemetryStore
    private let limits: ConsoleConfiguration.Limits
    private let readers = Locked(0)

    static let headers: HTTPFields = [
        .contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store",
    ]

    init(store: any TelemetryStore, limits: ConsoleConfiguration.Limits) {
        self.store = store
        self.limits = limits
    }

    /// The changes that a page subscribes to: all, those of one session, or those of one trace.
    private enum Interest: Sendable {
        case everything
        case session(String)
        case trace(TraceID)
    }

    /// - Parameter isAdmitted: Whether the reader may still read. It is asked before each event.
    func respond(to request: Request, isAdmitted: @escaping @Sendable () -> Bool) async throws -> Response {
        let query = QueryReader(request.uri)
        let interest: Interest
        if let session = query.text("session") {
            interest = .session(session)
        } else if let trace = query.text("trace").flatMap({ TraceID(hex: $0.lowercased()) }) {
            interest = .trace(trace)
        } else {
            interest = .everything
        }
        guard let slot = ConnectionSlot(among: readers, limit: limits.liveReaders) else {
            var failure = APIFailure(
                .serviceUnavailable, "all \(limits.liveReaders) live connections are in use; close a page and retry",
            )
            failure.headers[.retryAfter] = "5"
            throw failure
        }
        return Response(
            status: .ok, headers: Self.headers,
            body: ResponseBody { writer in
                defer { slot.leave() }
                try await sendChanges(matching: interest, while: isAdmitted, to: &writer)
                try await writer.finish(nil)
            },
        )
    }

    private func sendChanges(
        matching interest: Interest, while isAdmitted: @Sendable () -> Bool, to writer: inout any ResponseBodyWriter,
    ) async throws {
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
                guard isAdmitted() else { return }
                if let change = await changes.take() {
                    guard try await concerns(change, interest) else { continue }
                    try await writer.write(ByteBuffer(string: Self.event(change)))
                    try await Task.sleep(for: limits.liveInterval)
                } else {
                    try await writer.write(ByteBuffer(string: ": heartbeat\n\n"))
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
