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

/// Tells pages what happens to the phone, as server-sent events: first `hello` with all there is, then what changes.
struct PhoneLive: Sendable {
    private let phone: PhoneSimulator
    private let readers = Locked(0)

    /// Pages that show the phone at one moment.
    private static let readerLimit = 32
    /// How long a page may hear nothing at all.
    private static let heartbeat = Duration.seconds(15)

    init(phone: PhoneSimulator) {
        self.phone = phone
    }

    func respond() throws -> Response {
        guard let seat = ConnectionSlot(among: readers, limit: Self.readerLimit) else {
            throw Refusal(.serviceUnavailable, "\(Self.readerLimit) pages show the phone already; close one of them")
        }
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                defer { seat.leave() }
                try await tell(&writer)
                try await writer.finish(nil)
            },
        )
    }

    private enum Item: Sendable {
        case news(PhoneEvent)
        case heartbeat
    }

    private func tell(_ writer: inout any ResponseBodyWriter) async throws {
        let view = await phone.watch()
        let hello = Hello(state: view.state, tree: view.screen, status: view.status)
        try await writer.write(ByteBuffer(string: "retry: 500\n" + (try Self.event("hello", hello))))
        let (items, item) = AsyncStream.makeStream(of: Item.self, bufferingPolicy: .bufferingNewest(512))
        let relay = Task {
            for await news in view.news { item.yield(.news(news)) }
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
                case .news(let news): try await writer.write(ByteBuffer(string: Self.event(news)))
                case .heartbeat: try await writer.write(ByteBuffer(string: ": still here\n\n"))
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
    }

    private static func event(_ news: PhoneEvent) throws -> String {
        switch news {
        case .state(let state): try event("state", state)
        case .screen(let tree): try event("screen", tree)
        case .patch(let patch): try event("patch", patch)
        case .outcome(let reply): try event("outcome", reply)
        case .frames(let summary): try event("frames", summary)
        case .status(let status): try event("status", status)
        }
    }

    private static func event(_ name: String, _ value: some Encodable) throws -> String {
        "event: \(name)\ndata: \(String(decoding: try JSONEncoder().encode(value), as: UTF8.self))\n\n"
    }
}
