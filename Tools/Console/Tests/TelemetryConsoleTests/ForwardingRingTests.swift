import AstrolabeDelivery
import AstrolabeTestSupport
import BrowserKit
import ConsoleAccess
import ConsoleModel
import ConsoleTransports
import Foundation
import InMemoryLogging
import Logging
import Testing

@testable import TelemetryConsole

@Suite(.timeLimit(.minutes(5))) struct `Consoles that forward to one another` {
    private static func log(_ time: Int) -> String {
        #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"\#(time)","eventName":"e"}]}]}]}"#
    }

    private static func send(_ body: String, to console: ConsoleUnderTest, hops: String? = nil) async throws {
        var headers = ["Content-Type": "application/json"]
        if let hops { headers["Astrolabe-Hops"] = hops }
        let response = try await HTTP.request(
            "POST", "\(console.address)/v1/logs", headers: headers, body: Array(body.utf8))
        #expect(response.status == 200)
    }

    /// The upstream is the rest of the ring, by its requests.
    @Test func `store a request that comes back, and do not forward it a second time`() async throws {
        let (requests, arrival) = AsyncStream.makeStream(of: AstrolabeTestSupport.HTTPRequest.self)
        let upstream = try LoopbackServer { request in
            arrival.yield(request)
            return .status(200)
        }
        defer { upstream.kill() }
        let url = try #require(URL(string: "http://127.0.0.1:\(upstream.port)"))
        let log = InMemoryLogHandler()
        try await ConsoleUnderTest.run({
            let folder = URL(fileURLWithPath: $0.store.path).deletingLastPathComponent().path
            $0.forwarding = ForwardingConfiguration(
                endpoint: OTLPEndpoint(url: url), queuePath: folder + "/forward/queue.db")
            $0.logger = Logger(label: "console") { _ in log }
        }) { console in
            try await Self.send(Self.log(1), to: console)
            let first = try #require(await requests.first { _ in true })
            let id = try #require(first.head.headers["astrolabe-hops"])
            #expect(id.wholeMatch(of: /[0-9a-f]{16}/) != nil)
            let other = "0123456789abcdef"
            for hops in ["\(id), \(other)", Array(repeating: other, count: 8).joined(separator: ",")] {
                for time in 2...3 { try await Self.send(Self.log(time), to: console, hops: hops) }
            }
            try await Self.send(Self.log(4), to: console, hops: "\(other), x, no-id")
            let next = try #require(await requests.first { _ in true })
            #expect(String(decoding: next.body, as: UTF8.self) == Self.log(4))
            #expect(next.head.headers["astrolabe-hops"] == "\(other), \(id)")
            let state = try await console.get("/api/v1/forwarding")
            #expect(state["returned"].int == 4)
            #expect(try await console.console.store.arrivals?.lastSequence() ?? 0 > 0)
        }
        #expect(log.entries.count { "\($0.message)".contains("came back") } == 1)
    }

    @Test(arguments: [
        ("127.0.0.1", "http://127.0.0.1:4321", true), ("127.0.0.1", "http://LOCALHOST:4321/otlp", true),
        ("0.0.0.0", "http://localhost:4321", true), ("::1", "http://[::1]:4321", true),
        ("127.0.0.1", "http://0.0.0.0:4321", true), ("127.0.0.1", "https://console.example.com", true),
        ("127.0.0.1", "http://127.0.0.1:4322", false), ("127.0.0.1", "http://127.0.0.2:4321", false),
        ("127.0.0.1", "https://console.example.com:4321", false), ("127.0.0.1", "https://example.com", false),
    ])
    func `do not start if the upstream is the console itself`(
        host: String, upstream: String, isItself: Bool,
    ) async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = ConsoleUnderTest.configuration(in: folder)
        (configuration.host, configuration.port) = (host, 4321)
        configuration.publicNames = ["console.example.com"]
        configuration.forwarding = ForwardingConfiguration(
            endpoint: OTLPEndpoint(url: try #require(URL(string: upstream))),
            queuePath: folder.appendingPathComponent("forward/queue.db").path)
        _ = try KeyFile(path: configuration.keysPath, digest: .sha256).create("Ada", use: .view)
        guard isItself else {
            let console = try await ConsoleServer(configuration)
            await console.store.close()
            return
        }
        let console = configuration
        let error = await #expect(throws: ConsoleError.self) { _ = try await ConsoleServer(console) }
        #expect(error?.description.hasPrefix("cannot forward to http") == true)
        #expect(!FileManager.default.fileExists(atPath: configuration.store.path))
    }
}
