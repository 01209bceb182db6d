import Astrolabe
import AstrolabeBridges
import AstrolabeDelivery
import AstrolabeHTTP
import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstrolabeTesting
import BrowserKit
import ConsoleModel
import Foundation
import InMemoryLogging
import Instrumentation
import Logging
import ServiceContextModule
import Testing
import Tracing

@testable import TelemetryConsole

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A phone, a server and the console with sockets between them. Nothing is sampled in.
@Suite(.timeLimit(.minutes(5))) struct `A trace that a phone sends because something went wrong` {
    private struct Declined: Error {}

    private struct Headers: Extractor {
        func extract(key: String, from headers: [String: String]) -> String? { headers[key] }
    }

    private static let key = "key-of-the-recorder-7719"

    private static func telemetry(
        _ service: String, _ folder: URL, _ console: ConsoleUnderTest,
        _ change: (inout TelemetryConfiguration) -> Void,
    ) throws -> Telemetry {
        var configuration = TelemetryConfiguration(serviceName: service)
        configuration.storageDirectory = folder.appendingPathComponent(service)
        configuration.endpoint = OTLPEndpoint(url: try #require(URL(string: console.address)))
        configuration.flushInterval = .milliseconds(50)
        change(&configuration)
        return Telemetry.start(configuration, transport: URLSessionTransport())
    }

    /// A server that is instrumented with the bridges, and answers the console.
    private static func serve(_ telemetry: Telemetry) throws -> LoopbackServer {
        let bridge = TelemetryBridge(telemetry)
        let promotion = try #require(RecorderPromotion(telemetry, key: key))
        let logger = Logging.Logger(label: "shop") { bridge.logHandler(label: $0) }
        return try LoopbackServer { request in
            if request.path == RecorderPromotion.path {
                let answer = promotion.respond(
                    authorization: request.head.headers["authorization"], body: request.body)
                return .status(
                    answer.status, headers: ["Content-Type": "application/json"], body: Array(answer.body.utf8))
            }
            var context = ServiceContext.topLevel
            bridge.tracer.extract(request.head.headers, into: &context, using: Headers())
            bridge.tracer.withSpan("POST /api/checkout", context: context, ofKind: .server) { _ in
                logger.info("card charged")
            }
            return .status(200)
        }
    }

    /// Sends a request within a span, and returns its trace.
    private static func placeOrder(on phone: Telemetry, at url: URL, failing: Bool) async -> TraceID {
        let client = TracedHTTPClient(phone, allowedHosts: ["127.0.0.1"])
        let trace = Locked(TraceID.invalid)
        try? await phone.tracer("shop").withSpan("place order") { span in
            trace.withLock { $0 = span.context.traceID }
            var request = URLRequest(url: url.appendingPathComponent("api/checkout"))
            request.httpMethod = "POST"
            _ = try await client.send(request)
            if failing { throw Declined() }
        }
        return trace.withLock { $0 }
    }

    @Test func `has the part of the server, too, and both say why they were sent`() async throws {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let log = InMemoryLogHandler()
        let address = Locked<URL?>(nil)
        try await ConsoleUnderTest.run({
            $0.recorderServer = RecorderServer(address: { address.withLock { $0 } }, key: Self.key)
            $0.logger = Logging.Logger(label: "console") { _ in log }
            $0.logger.logLevel = .trace
        }) { console in
            let backend = try Self.telemetry("shop-server", folder, console) {
                $0.isServer = true
                $0.recorder.isEnabled = true
            }
            let server = try Self.serve(backend)
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
            address.withLock { $0 = url }
            let phone = try Self.telemetry("phone", folder, console) {
                $0.conditions = SimulatedDevice()
                $0.sampling = .ratio(0)
            }
            let good = await Self.placeOrder(on: phone, at: url, failing: false)
            // A session is sent as a whole, and an earlier one is not.
            phone.session.reset()
            let failed = await Self.placeOrder(on: phone, at: url, failing: true)

            let names = ["POST", "POST /api/checkout", "place order"]
            try await eventually("the trace is whole") {
                await phone.flush()
                let trace = try await console.console.store.trace(failed)
                let lines = trace?.events.filter { $0.attributes["astrolabe.recorder.trigger"] == "remote" } ?? []
                return trace?.spans.map(\.span.name).sorted() == names && !lines.isEmpty
            }
            let trace = try #require(try await console.console.store.trace(failed))
            let triggers = trace.spans.map { node in
                (node.span.name, node.span.attributes["astrolabe.recorder.trigger"]?.stringValue)
            }
            for (name, trigger) in triggers {
                #expect(trigger == (name == "POST /api/checkout" ? "remote" : "error"), "\(name)")
            }
            #expect(trace.spans.allSatisfy { $0.span.flags & 1 == 0 })
            #expect(trace.spans.map(\.depth) == [0, 1, 2])
            #expect(try await console.console.store.trace(good) == nil)
            try await eventually("the answer is counted") {
                try await console.get("/api/v1/recorder")["accepted"].int == 1
            }
            let state = try await console.get("/api/v1/recorder")
            #expect(state["waiting"].int == 0 && state["dropped"].int == 0)
            #expect(state["failure"].isMissing)
            await phone.shutdown()
            await backend.shutdown()
            server.kill()
        }
        for entry in log.entries { #expect(!"\(entry.message) \(entry.metadata)".contains(Self.key)) }
    }
}
