public import Astrolabe
import AstrolabePlatform
public import Foundation

/// Holds an `OTLPTransport` of your own against what delivery relies on: it sends once, tells what came of it, and ends
/// in time.
///
///     let violations = try await TransportConformance.check(PinnedTransport()) { behaviour in try serve(behaviour) }
///     #expect(violations == [])
///
/// Delivery owns retry, so a transport that tries again by itself sends twice. It has one request on its way at a time,
/// so a transport that hangs stops all.
public enum TransportConformance {
    /// The response of a server to each request.
    public enum Behaviour: Sendable {
        case answers(status: Int, headers: [String: String] = [:], body: [UInt8] = [])
        case resets
        case staysSilent
    }

    /// A server of the caller's, on a real socket.
    public struct Server: Sendable {
        public var url: URL
        /// The bodies and the headers, by names in lower case, of all requests so far.
        public var requests: @Sendable () -> [(headers: [String: String], body: [UInt8])]
        public var stop: @Sendable () -> Void

        public init(
            url: URL, requests: @escaping @Sendable () -> [(headers: [String: String], body: [UInt8])],
            stop: @escaping @Sendable () -> Void,
        ) {
            self.url = url
            self.requests = requests
            self.stop = stop
        }
    }

    /// The rules that the transport breaks; empty for a good one. Takes a second or two of real time.
    ///
    /// - Parameter serve: Starts a server that treats all requests so; called once for each rule.
    public static func check(
        _ transport: any OTLPTransport, serving serve: (Behaviour) throws -> Server,
    ) async rethrows -> [ConformanceViolation] {
        var violations: [ConformanceViolation] = []
        for rule in answers {
            let server = try serve(.answers(status: rule.status, headers: rule.headers, body: rule.body))
            let result = await transport.send(request(to: server))
            violations += judge(rule, result, server.requests())
            server.stop()
        }
        violations += try await judgeRedirect(transport, serving: serve)
        let portal = try serve(.answers(status: 200, headers: ["Content-Type": "text/html"], body: body))
        violations += judgePortal(await transport.send(request(to: portal)))
        portal.stop()
        for (behaviour, isStopped, found) in [
            (Behaviour.resets, false, "the server resets the connection"),
            (.answers(status: 200), true, "nobody listens"),
            (.staysSilent, false, "the server never answers"),
        ] {
            let server = try serve(behaviour)
            if isStopped { server.stop() }
            violations += await judgeSilence(transport, server, found)
            server.stop()
        }
        let server = try serve(.staysSilent)
        violations += await judgeCancellation(transport, server)
        server.stop()
        return violations
    }

    private struct AnswerRule {
        var status: Int
        var headers: [String: String] = [:]
        var body: [UInt8] = []
        var retryAfter: Duration?
    }

    private static let answers = [
        AnswerRule(status: 200, body: [0x0A, 0]),
        AnswerRule(status: 503, headers: ["Retry-After": "7"], retryAfter: .seconds(7)),
        AnswerRule(status: 429), AnswerRule(status: 400), AnswerRule(status: 413),
    ]

    private static let body = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }

    private static func request(to server: Server, timeout: Duration = .seconds(30)) -> OTLPRequest {
        OTLPRequest(
            url: server.url.appendingPathComponent("v1/traces"),
            headers: ["Content-Type": "application/x-protobuf", "x-conformance": "yes"], body: body, timeout: timeout,
        )
    }

    private static func judge(
        _ rule: AnswerRule, _ result: SendResult, _ requests: [(headers: [String: String], body: [UInt8])],
    ) -> [ConformanceViolation] {
        var violations: [ConformanceViolation] = []
        let expected = SendResult.response(status: rule.status, retryAfter: rule.retryAfter, body: rule.body)
        if result != expected {
            violations.append(
                ConformanceViolation(
                    rule: "the response is reported with status, Retry-After and body",
                    found: "\(result) in the place of \(expected)",
                ))
        }
        if requests.count != 1 {
            violations.append(
                ConformanceViolation(
                    rule: "a request is sent once", found: "\(requests.count) times, for \(rule.status)")
            )
        }
        for request in requests where request.body != body || request.headers["x-conformance"] != "yes" {
            violations.append(
                ConformanceViolation(
                    rule: "body and headers arrive as they were given",
                    found: "\(request.body.count) bytes, headers \(request.headers.keys.sorted())",
                ))
        }
        return violations
    }

    private static func judgeRedirect(
        _ transport: any OTLPTransport, serving serve: (Behaviour) throws -> Server,
    ) async rethrows -> [ConformanceViolation] {
        let other = try serve(.answers(status: 200))
        defer { other.stop() }
        let location = other.url.appendingPathComponent("v1/traces").absoluteString
        let server = try serve(.answers(status: 307, headers: ["Location": location]))
        defer { server.stop() }
        let result = await transport.send(request(to: server))
        let isTold = if case .response(307, _, _) = result { true } else { false }
        guard !isTold || !other.requests().isEmpty else { return [] }
        return [
            ConformanceViolation(
                rule: "a redirect is reported and not followed",
                found: "\(result), and \(other.requests().count) requests where it leads",
            )
        ]
    }

    private static func judgePortal(_ result: SendResult) -> [ConformanceViolation] {
        if case .unreachable = result { return [] }
        return [ConformanceViolation(rule: "a page in the place of an OTLP answer is no answer", found: "\(result)")]
    }

    private static func judgeSilence(
        _ transport: any OTLPTransport, _ server: Server, _ what: String,
    ) async -> [ConformanceViolation] {
        let start = SystemTime.sinceBoot
        let result = await transport.send(request(to: server, timeout: .milliseconds(500)))
        let isTold =
            switch result {
            case .unreachable, .timedOut: true
            case .response: false
            }
        let seconds = Double(SystemTime.sinceBoot - start) / 1e9
        guard !isTold || seconds > timeout else { return [] }
        return [
            ConformanceViolation(
                rule: "a missing response is reported within the timeout",
                found: "\(result) after \(seconds) s, where \(what)",
            )
        ]
    }

    private static func judgeCancellation(
        _ transport: any OTLPTransport, _ server: Server,
    ) async -> [ConformanceViolation] {
        let sending = Task { await transport.send(request(to: server)) }
        // A cancellation ends the wait, not the test.
        while server.requests().isEmpty, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(5)) }
        let start = SystemTime.sinceBoot
        sending.cancel()
        _ = await sending.value
        let seconds = Double(SystemTime.sinceBoot - start) / 1e9
        guard seconds > timeout else { return [] }
        return [ConformanceViolation(rule: "a task that is cancelled ends at once", found: "after \(seconds) s")]
    }

    /// Seconds beyond which an end is not in time, on a busy machine too. Less than the time-out of a request that is
    /// cancelled.
    private static let timeout = 20.0
}
