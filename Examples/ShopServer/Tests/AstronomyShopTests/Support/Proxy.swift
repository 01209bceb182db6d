import Astrolabe
import AstrolabeHTTP
import AstrolabeTestSupport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A server that hands requests on to the real shop, except those that a test answers itself.
///
///     let proxy = try proxy(to: shop) { request in
///         request.target.hasPrefix("/api/checkout") ? .answer(500, "") : .pass
///     }
func proxy(
    to shop: URL, _ decide: @escaping @Sendable (RawServer.Request) -> ProxyDecision,
) throws -> RawServer {
    try RawServer { request, connection in
        switch decide(request) {
        case .answer(let status, let body): connection.answer(status, body)
        case .hangUp: break
        case .pass:
            guard let url = URL(string: shop.absoluteString + request.target) else { return }
            var onward = URLRequest(url: url)
            onward.httpMethod = String(request.head.prefix { $0 != " " })
            for name in ["traceparent", "baggage", "Content-Type"] {
                onward.setValue(request.header(name), forHTTPHeaderField: name)
            }
            if !request.bytes.isEmpty { onward.httpBody = Data(request.bytes) }
            let done = DispatchSemaphore(value: 0)
            Task { [onward] in
                if let answer = try? await plainAnswer(to: onward) {
                    connection.answer(answer.status, String(decoding: answer.body, as: UTF8.self))
                }
                done.signal()
            }
            done.wait()
        }
    }
}

enum ProxyDecision: Sendable {
    case pass
    case answer(Int, String)
    /// Closes the connection without a word.
    case hangUp
}

/// Asks without telemetry, and hands back any answer.
func plainAnswer(to request: URLRequest) async throws -> TracedResponse {
    do {
        return try await TracedHTTPClient(.disabled, allowedHosts: []).send(request)
    } catch let error as HTTPRequestError {
        guard let answer = error.answer else { throw error }
        return answer
    }
}
