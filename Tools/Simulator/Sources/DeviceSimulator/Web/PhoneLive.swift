import AstrolabePlatform
import DeviceLink
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import ServerSupport
import ServiceLifecycle
import ViewTree

/// Streams the phone to pages as server-sent events: first `hello` with the whole state, then each change.
struct PhoneLive: Sendable {
    private let phone: PhoneSimulator
    private let readers = Locked(0)

    /// The limit of pages that show the phone at the same time.
    private static let readerLimit = 32
    /// The interval of comments that keep the connection open.
    private static let heartbeat = Duration.seconds(15)

    init(phone: PhoneSimulator) {
        self.phone = phone
    }

    func respond() throws -> Response {
        guard let slot = ConnectionSlot(among: readers, limit: Self.readerLimit) else {
            throw RequestError(
                .serviceUnavailable, "\(Self.readerLimit) pages already show the phone. Close one of them.")
        }
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                defer { slot.leave() }
                try await stream(to: &writer)
                try await writer.finish(nil)
            },
        )
    }

    private enum Item: Sendable {
        case event(PhoneEvent)
        case heartbeat
    }

    private func stream(to writer: inout any ResponseBodyWriter) async throws {
        let subscription = await phone.subscribe()
        let hello = Hello(
            state: subscription.state, tree: subscription.screen, status: subscription.status,
            output: subscription.output)
        try await writer.write(ByteBuffer(string: "retry: 500\n" + (try Self.text("hello", hello))))
        let (items, item) = AsyncStream.makeStream(of: Item.self, bufferingPolicy: .bufferingNewest(512))
        let relay = Task {
            for await event in subscription.events { item.yield(.event(event)) }
            item.finish()
        }
        let pulse = Task {
            while (try? await Task.sleep(for: Self.heartbeat)) != nil { item.yield(.heartbeat) }
        }
        defer {
            relay.cancel()
            pulse.cancel()
        }
        try await withGracefulShutdownHandler {
            for await item in items {
                switch item {
                case .event(let event): try await writer.write(ByteBuffer(string: Self.text(of: event)))
                case .heartbeat: try await writer.write(ByteBuffer(string: ": keep-alive\n\n"))
                }
            }
        } onGracefulShutdown: {
            item.finish()
        }
    }

    private struct Hello: Encodable {
        let state: PhoneState
        let tree: RenderedTree?
        let status: AppStatus?
        let output: [String]
    }

    private static func text(of event: PhoneEvent) throws -> String {
        switch event {
        case .state(let state): try text("state", state)
        case .screen(let tree): try text("screen", tree)
        case .patch(let patch): try text("patch", patch)
        case .outcome(let reply): try text("outcome", reply)
        case .frames(let summary): try text("frames", summary)
        case .status(let status): try text("status", status)
        case .output(let lines): try text("output", lines)
        }
    }

    private static func text(_ name: String, _ value: some Encodable) throws -> String {
        "event: \(name)\ndata: \(String(decoding: try JSONEncoder().encode(value), as: UTF8.self))\n\n"
    }
}
