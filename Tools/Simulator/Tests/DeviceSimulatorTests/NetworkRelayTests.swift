import AstrolabeTestSupport
import Foundation
import Testing

@testable import DeviceSimulator

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(2))) struct `A relay` {
    /// A server on a real socket, behind a relay, and a client that keeps no connection.
    private final class Road: Sendable {
        let server: LoopbackServer
        let relay: NetworkRelay

        init(answer: @escaping @Sendable (HTTPRequest) -> LoopbackServer.Answer = { .status(200, body: $0.body) })
            throws
        {
            server = try LoopbackServer(answer: answer)
            relay = try NetworkRelay(to: ServerAddress(port: Int(server.port)))
        }

        deinit { server.kill() }

        func post(_ body: [UInt8]) async throws -> [UInt8] {
            let session = URLSession(configuration: .ephemeral)
            defer { session.invalidateAndCancel() }
            var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(relay.port)/")))
            request.httpMethod = "POST"
            request.httpBody = Data(body)
            // Only ends a test that would hang.
            request.timeoutInterval = 120
            return [UInt8](try await session.data(for: request).0)
        }
    }

    @Test func `carries requests and answers whole, large ones too`() async throws {
        let road = try Road()
        try await road.relay.apply(NetworkQuality())
        let body = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        #expect(try await road.post(body) == body)
        await road.relay.stop()
    }

    @Test func `delays, in each direction`() async throws {
        let road = try Road()
        try await road.relay.apply(NetworkQuality(delay: .milliseconds(100)))
        let time = try await ContinuousClock().measure { _ = try await road.post([1]) }
        #expect(time >= .milliseconds(300))
        await road.relay.stop()
    }

    @Test func `is as slow as its network`() async throws {
        let road = try Road(answer: { _ in .status(200) })
        try await road.relay.apply(NetworkQuality(bytesPerSecond: 100_000))
        let time = try await ContinuousClock().measure {
            _ = try await road.post([UInt8](repeating: 7, count: 50_000))
        }
        #expect(time >= .milliseconds(500))
        await road.relay.stop()
    }

    @Test func `refuses where there is no network, and has its port again when there is`() async throws {
        let road = try Road()
        try await road.relay.apply(nil)
        await #expect(throws: URLError.self) { try await road.post([1]) }
        try await road.relay.apply(NetworkQuality())
        #expect(try await road.post([1]) == [1])
        try await road.relay.apply(nil)
        await #expect(throws: URLError.self) { try await road.post([1]) }
        try await road.relay.apply(NetworkQuality())
        #expect(try await road.post([2]) == [2])
        await road.relay.stop()
    }

    @Test func `breaks off what is under way when the network goes`() async throws {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        let road = try Road(answer: { _ in
            arrival.yield()
            gate.wait()
            return .status(200)
        })
        try await road.relay.apply(NetworkQuality())
        let request = Task { try await road.post([1]) }
        _ = await arrivals.first { _ in true }
        try await road.relay.apply(nil)
        await #expect(throws: URLError.self) { try await request.value }
        gate.signal()
        await road.relay.stop()
    }

    @Test func `cuts connections in the middle`() async throws {
        let road = try Road()
        try await road.relay.apply(NetworkQuality(cut: 1))
        await #expect(throws: URLError.self) { try await road.post([1]) }
        await road.relay.stop()
    }

    @Test func `fails where nobody is behind it, as without it`() async throws {
        let relay = try NetworkRelay(to: ServerAddress(port: 9))
        try await relay.apply(NetworkQuality())
        let url = try #require(URL(string: "http://127.0.0.1:\(relay.port)/"))
        await #expect(throws: URLError.self) { try await URLSession.shared.data(from: url) }
        await relay.stop()
    }
}
