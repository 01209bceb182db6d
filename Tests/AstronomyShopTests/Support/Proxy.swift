import Foundation

@testable import AstronomyShop

/// A server that hands requests on to the real shop, but for those that a test answers itself.
///
///     let proxy = try proxy(to: shop) { request in
///         request.target.hasPrefix("/api/checkout") ? .answer(500, "") : .pass
///     }
func proxy(
    to shop: URL, _ decide: @escaping @Sendable (RawServer.Request) -> ProxyDecision,
) throws -> RawServer {
    let transport = HTTPTransport()
    return try RawServer { request, connection in
        switch decide(request) {
        case .answer(let status, let body): connection.answer(status, body)
        case .hangUp: break
        case .pass:
            guard let url = URL(string: shop.absoluteString + request.target) else { return }
            var onward = HTTPRequest(method: String(request.head.prefix { $0 != " " }), url: url)
            for name in ["traceparent", "baggage", "Content-Type"] { onward.headers[name] = request.header(name) }
            if !request.bytes.isEmpty { onward.body = Data(request.bytes) }
            let done = DispatchSemaphore(value: 0)
            Task { [onward] in
                if let answer = try? await transport.send(onward) {
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
