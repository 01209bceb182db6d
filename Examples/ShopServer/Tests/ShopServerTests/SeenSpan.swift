import InMemoryTracing
import ShopServer
import Tracing

/// A finished span as plain values.
struct SeenSpan: Sendable, Hashable {
    var name: String
    var id: String
    var parent: String?
    var trace: String
    var isServer: Bool
    var isClient: Bool
    var isError: Bool
    var errors: [String]
    /// Every value as text.
    var attributes: [String: String]

    init(_ span: FinishedInMemorySpan) {
        name = span.operationName
        id = span.spanID
        parent = span.parentSpanID
        trace = span.traceID
        isServer = span.kind == .server
        isClient = span.kind == .client
        isError = span.status?.code == .error
        errors = span.errors.map { "\($0.error)" }
        attributes = [:]
        var attributes: [String: String] = [:]
        span.attributes.forEach { name, value in
            switch value {
            case .string(let text): attributes[name] = text
            case .int64(let number): attributes[name] = String(number)
            case .int32(let number): attributes[name] = String(number)
            case .double(let number): attributes[name] = String(number)
            case .bool(let flag): attributes[name] = String(flag)
            default: attributes[name] = "\(value)"
            }
        }
        self.attributes = attributes
    }
}

extension InMemoryTracer {
    /// The spans that have ended since the last call, in the order in which they ended.
    func takeSpans() -> [SeenSpan] {
        popFinishedSpans().map(SeenSpan.init)
    }
}

/// Runs a test against a shop whose spans it can read.
func withTracedShop(
    _ transport: Transport, _ configure: @Sendable (inout ShopBackend.Configuration) -> Void = { _ in },
    _ test: @Sendable (Shop, InMemoryTracer) async throws -> Void,
) async throws {
    let tracer = InMemoryTracer()
    try await withTracer(tracer) {
        try await withShop(transport, configure) { shop in try await test(shop, tracer) }
    }
}
