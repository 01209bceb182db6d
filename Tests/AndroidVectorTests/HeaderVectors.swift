import Astrolabe
import AstrolabeRecording
import AstrolabeTelemetryModel
import AstrolabeTesting
import Foundation

@testable import AstrolabeHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Headers as they arrive and as they are written again, and the headers that requests get.
struct HeaderVectors {
    var file: VectorFile {
        VectorFile(
            name: "headers",
            sections: [
                ("traceparents", Self.traceParents.map { [.string($0), JSON(Self.traceParent($0))] }),
                (
                    "tracestates",
                    Self.traceStates.map { [.string($0), JSON(TraceState(header: $0).map(\.header))] },
                ),
                ("baggage", Self.baggage.map { [.string($0), JSON(Baggage(header: $0).headerValue)] }),
                ("requests", Self.requests),
            ])
    }

    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let span = "00f067aa0ba902b7"

    private static let traceParents = [
        "00-\(trace)-\(span)-01", "00-\(trace)-\(span)-00", "00-\(trace)-\(span)-02", "00-\(trace)-\(span)-03",
        "00-\(trace)-\(span)-ff", "  00-\(trace)-\(span)-01\t", "01-\(trace)-\(span)-01", "cc-\(trace)-\(span)-01-more",
        "00-\(trace)-\(span)-01-more", "00-\(trace)-\(span)-01-", "ff-\(trace)-\(span)-01", "0-\(trace)-\(span)-01",
        "000-\(trace)-\(span)-01", "00-\(trace.uppercased())-\(span)-01", "00-\(trace)-\(span.uppercased())-01",
        "00-\(trace)-\(span)-0A", "00-\(String(repeating: "0", count: 32))-\(span)-01",
        "00-\(trace)-\(String(repeating: "0", count: 16))-01", "00-\(trace.dropLast())-\(span)-01",
        "00-\(trace)0-\(span)-01", "00-\(trace)-\(span)1-01", "00-\(trace)-\(span)-1", "00-\(trace)-\(span)-001",
        "00-\(trace)-\(span)", "", "-", "00-\(trace.dropLast())g-\(span)-01", "0x-\(trace)-\(span)-01",
        "00_\(trace)_\(span)_01", "00-\(trace)-\(span)-0\u{FF11}",
    ]

    private static func traceParent(_ header: String) -> String? {
        TraceContextPropagator.spanContext(traceParent: header).map(TraceContextPropagator.traceParent(of:))
    }

    private static let traceStates =
        [
            "ot=th:8", "ot=th:8;rv:6e6d1a75832a2f,vendor=1", " a=1 ,\tb=2", "a=1,,b=2", "a=1, ,b=2", ",", "", "a", "a=",
            "=1", "A=1", "a=1=2", "a=b c", "a=b ", "a= b", "a=b\u{7F}", "a=ü", "a@b=1", "1a@b=1", "_a=1", "a/b*c-d_e=1",
            "a=1,a=2", String(repeating: "k", count: 256) + "=1", String(repeating: "k", count: 257) + "=1",
            "a=" + String(repeating: "v", count: 256), "a=" + String(repeating: "v", count: 257),
            (0..<32).map { "k\($0)=1" }.joined(separator: ","), (0..<33).map { "k\($0)=1" }.joined(separator: ","),
            (0..<30).map { "k\($0)=" + String(repeating: "v", count: 20) }.joined(separator: ","),
            (0..<5).map { "k\($0)=" + String(repeating: "v", count: $0 == 2 ? 200 : 110) }.joined(separator: ","),
        ] as [String]

    private static let baggage =
        [
            "a=1", "a=1,b=2", " a = 1 , b\t=2", "a=1;ttl=60,b=2", "a=1 ; ttl=60 ; x", "a=1;\u{7}", "a=", "=1", "a", ",",
            "", "a=1,,b=2", "a=1,a=2", "a b=1", "a=b c", "a=%20%41%2C", "a=%FFx", "a=%", "a=%4", "a=%zz", "a=100%",
            "a=%E4%BD%A0", "a=\"1\"", "a=1\\2", "a=b=c", "a=ü", "ü=1", "(a)=1", "a!#$%&'*+-.^_`|~9=1", "a=1;b,c=2;d=e",
            (0..<66).map { "k\($0)=1" }.joined(separator: ","),
            "a=" + String(repeating: "v", count: 8_180) + ",b=123456789,c=1",
            "a=" + String(repeating: "v", count: 8_180) + ",b=1",
        ] as [String]

    private static let names = [
        "traceparent", "tracestate", "baggage", "X-Request-Id", "X-Session-Id", "X-Device-Id", "X-App-Version",
    ]

    /// Request, context and identity in, headers out. `X-Request-Id` is a new UUID each time, written as `*`.
    private static var requests: [JSON] {
        let context = SpanContext(
            traceID: TraceID(hex: trace) ?? .invalid, spanID: SpanID(hex: span) ?? .invalid, flags: .sampled,
            traceState: TraceState(header: "ot=th:8") ?? TraceState())
        let unsampled = SpanContext(traceID: context.traceID, spanID: context.spanID, flags: [.random])
        let hosts = ["Shop.example.com", "*.internal.example.com", "*."]
        let addresses = [
            "https://shop.example.com/api", "http://SHOP.example.com:8080/", "https://a.internal.example.com/",
            "https://internal.example.com/", "https://example.com/", "https://shop.example.com.evil.org/",
        ]
        var cases: [JSON] = []
        for address in addresses {
            cases.append(request(address, hosts, context, session: "s1", identity: true))
        }
        let own = addresses[0]
        for span in [context, unsampled, nil] {
            for always in [false, true] {
                for identity in [false, true] {
                    cases.append(request(own, hosts, span, session: "s1", identity: identity, always: always))
                }
            }
        }
        cases.append(request(own, hosts, context, session: "", identity: true))
        cases.append(request(own, hosts, .invalid, session: "s1"))
        let carried = ["baggage": "a=1;ttl=60,b=2"]
        cases.append(request(own, hosts, nil, carried: carried, baggage: ["b": "3", "c": "x y"]))
        cases.append(request(own, hosts, nil, session: "new", carried: ["baggage": "session.id=old,k=%2C"]))
        cases.append(
            request(
                own, hosts, context, session: "s1", identity: true,
                carried: [
                    "traceparent": "00-x", "tracestate": "other=1", "X-Session-Id": "mine", "X-Request-Id": "given",
                ]))
        cases.append(request(own, hosts, unsampled, session: "s1", carried: ["traceparent": "kept"]))
        cases.append(request(own, [], context, session: "s1", identity: true, carried: ["baggage": "a=1"]))
        return cases
    }

    private static func request(
        _ address: String, _ hosts: [String], _ span: SpanContext?, session: String = "",
        identity hasHeaders: Bool = false, always: Bool = false, carried: [String: String] = [:],
        baggage: [String: String] = [:],
    ) -> JSON {
        let telemetry = TelemetryCollector().start(TelemetryConfiguration(serviceName: "vectors"))
        var tracing = HTTPTracing(
            tracer: telemetry.tracer("vectors"), allowedHosts: AllowedHosts(hosts),
            identity: HTTPIdentity(installationID: "i1", appVersion: "1.4.0", sessionID: { session }))
        tracing.identity.hasHeaders = hasHeaders
        tracing.propagation = always ? .always : .sampledOnly
        guard let url = URL(string: address) else { return .null }
        var request = URLRequest(url: url)
        for (name, value) in carried { request.setValue(value, forHTTPHeaderField: name) }
        var current = Baggage()
        for name in baggage.keys.sorted() { current[name] = baggage[name] }
        let sent = tracing.withContext(
            request, of: TelemetryContext(span: span.map(Tracer.Span.nonRecording), baggage: current))
        func object(_ headers: [String: String]) -> JSON {
            .object(headers.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        }
        var headers: [String: String] = [:]
        for name in names {
            headers[name] = sent.value(forHTTPHeaderField: name)
        }
        if let id = headers["X-Request-Id"], UUID(uuidString: id) != nil { headers["X-Request-Id"] = "*" }
        return .object([
            ("url", .string(address)), ("host", JSON(url.host)), ("allowedHosts", JSON(hosts)),
            ("span", span.map { .string(TraceContextPropagator.traceParent(of: $0)) } ?? .null),
            ("state", .string(span?.traceState.header ?? "")), ("baggage", object(baggage)),
            ("session", .string(session)), ("hasHeaders", .boolean(hasHeaders)), ("always", .boolean(always)),
            ("carried", object(carried)), ("headers", object(headers)),
        ])
    }
}
