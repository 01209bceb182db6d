import Astrolabe
import AstrolabeDelivery
import AstrolabeOTLP
import AstrolabePlatform
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import AstrolabeTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Export metrics` {
    private static let names = ["otel.sdk.exporter.span.exported", "otel.sdk.exporter.log.exported"]
    /// `ExportTraceServiceResponse { partial_success { rejected_spans: 1, error_message: "no" } }`
    private static let rejection: [UInt8] = [0x0A, 6, 0x08, 1, 0x12, 2, 0x6E, 0x6F]

    /// Records three spans and two log records, and sends them to a collector on a socket, whose response to each
    /// request with spans the closure chooses. Five minutes pass on a virtual clock after each flush.
    private func received(
        measuresExport: Bool = true, flushes: Int = 3,
        response: @escaping @Sendable (_ number: Int) -> LoopbackServer.Answer = { _ in .status(200) },
    ) async throws -> (received: Received, port: Int) {
        let received = Locked(Received())
        let server = try LoopbackServer { request in
            received.withLock { received in
                guard request.path.hasSuffix("/v1/traces") else {
                    received.take(request)
                    return .status(200)
                }
                received.traceRequests += 1
                let response = response(received.traceRequests)
                if case .status(200, _, _) = response { received.take(request) }
                return response
            }
        }
        defer { server.kill() }
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.storageDirectory = temporaryFolder()
        configuration.conditions = SimulatedDevice()
        configuration.sampler = AlwaysOnSampler()
        configuration.flushInterval = .seconds(3_600)
        configuration.metricInterval = .seconds(3_600)
        configuration.measuresExport = measuresExport
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
        configuration.endpoint = OTLPEndpoint(url: url)
        // A busy machine must not exceed it.
        configuration.endpoint?.timeout = .seconds(300)
        configuration.endpoint?.isCompressed = false
        let clock = TestClock()
        let time = DeliveryTime(
            now: { clock.now.offset.seconds },
            sleep: { try await clock.sleep(until: clock.now.advanced(by: .seconds($0))) })
        let telemetry = Telemetry.start(configuration, transport: URLSessionTransport(), time: time)
        for _ in 0..<3 { telemetry.tracer("shop").spanBuilder("work").startSpan().end() }
        for _ in 0..<2 { telemetry.logger("shop").info("done") }
        for _ in 0..<flushes {
            await telemetry.flush()
            clock.advance(by: .seconds(301))
        }
        let result = received.withLock { $0 }
        await telemetry.shutdown()
        return (result, Int(server.port))
    }

    @Test func `equal what a collector on a socket received, and say where it is`() async throws {
        let (received, port) = try await received()
        #expect(received.spans == 3 && received.logs >= 2)
        for (name, count, type) in [
            (Self.names[0], received.spans, "otlp_http_span_exporter"),
            (Self.names[1], received.logs, "otlp_http_log_exporter"),
        ] {
            let expected: [String: AttributeValue] = [
                "otel.component.type": .string(type), "otel.component.name": .string(type + "/0"),
                "server.address": "127.0.0.1", "server.port": .int(Int64(port)),
            ]
            #expect(received.totals[name] == [expected: Double(count)])
        }
        #expect(received.units[Self.names[0]] == "{span}" && received.units[Self.names[1]] == "{log_record}")
    }

    @Test func `count a span that the server rejected with its error type`() async throws {
        let (received, _) = try await received { _ in .status(200, body: Self.rejection) }
        let rejected = Double(received.traceRequests)
        #expect(received.spansByError == ["rejected": rejected, "": 3 - rejected])
    }

    @Test func `count spans that the server refused for the last time with the status of its response`() async throws {
        let (received, _) = try await received(flushes: 12) { _ in .status(400) }
        #expect(received.spans == 0)
        #expect(received.traceRequests >= 18, "each of the three is tried six times")
        #expect(received.spansByError == ["400": 3])
    }

    @Test func `count spans that arrive after a retry once, without an error`() async throws {
        let (received, _) = try await received { .status($0 == 1 ? 503 : 200) }
        #expect(received.traceRequests >= 2 && received.spans == 3)
        #expect(received.spansByError == ["": 3])
    }

    @Test func `are not made by default`() async throws {
        #expect(!TelemetryConfiguration(serviceName: "shop").measuresExport)
        let (received, _) = try await received(measuresExport: false)
        #expect(received.spans == 3)
        #expect(received.totals.keys.filter { $0.hasPrefix("otel.sdk.") } == [])
    }
}

/// The records that a collector got.
private struct Received {
    var spans = 0
    var logs = 0
    var traceRequests = 0
    /// The sums of counters, by name and attributes.
    var totals: [String: [[String: AttributeValue]: Double]] = [:]
    var units: [String: String] = [:]

    /// The number of exported spans by `error.type`, which is empty for those that the server accepted.
    var spansByError: [String: Double] {
        totals["otel.sdk.exporter.span.exported", default: [:]].reduce(into: [:]) { sums, total in
            sums[total.key["error.type"]?.stringValue ?? "", default: 0] += total.value
        }
    }

    mutating func take(_ request: HTTPRequest) {
        if let groups = try? OTLPDecoder.traces(protobuf: request.body), request.path.hasSuffix("/v1/traces") {
            spans += groups.flatMap { $0.scopes.flatMap(\.records) }.count
        }
        if let groups = try? OTLPDecoder.logs(protobuf: request.body), request.path.hasSuffix("/v1/logs") {
            logs += groups.flatMap { $0.scopes.flatMap(\.records) }.count
        }
        guard request.path.hasSuffix("/v1/metrics"), let groups = try? OTLPDecoder.metrics(protobuf: request.body)
        else { return }
        for metric in groups.flatMap({ $0.scopes.flatMap(\.records) }) {
            guard case .sum(let points, _, _) = metric.data else { continue }
            units[metric.name] = metric.unit
            for point in points {
                let attributes = Dictionary(uniqueKeysWithValues: point.attributes.map { ($0.key, $0.value) })
                totals[metric.name, default: [:]][attributes, default: 0] += point.value.doubleValue
            }
        }
    }
}
