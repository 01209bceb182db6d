import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends HTTP requests over a real socket with Foundation's client, and no cookies but those of the given headers.
package enum HTTP {
    package struct Response: Sendable {
        package let status: Int
        package let headers: [String: String]
        package let body: [UInt8]

        /// Returns a header's value. Ignores the case of its name.
        package subscript(header name: String) -> String? {
            headers.first { $0.key.lowercased() == name.lowercased() }?.value
        }

        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    private static let session: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        return URLSession(configuration: configuration)
    }()

    package static func request(
        _ method: String, _ url: String, headers: [String: String] = [:], body: [UInt8]? = nil,
    ) async throws -> Response {
        guard let address = URL(string: url) else { throw URLError(.badURL) }
        var request = URLRequest(url: address, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 180)
        request.httpMethod = method
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        if let body { request.httpBody = Data(body) }
        let (data, response) = try await session.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        let fields = response.allHeaderFields.reduce(into: [String: String]()) { fields, field in
            fields[String(describing: field.key)] = String(describing: field.value)
        }
        return Response(status: response.statusCode, headers: fields, body: Array(data))
    }
}

/// A response that a test did not expect.
package struct UnexpectedResponse: Error, CustomStringConvertible {
    private let response: HTTP.Response

    package init(response: HTTP.Response) { self.response = response }

    package var description: String { "\(response.status): \(response.text.prefix(500))" }
}
