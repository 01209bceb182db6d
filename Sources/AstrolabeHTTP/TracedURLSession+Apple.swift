#if canImport(Darwin)
public import Foundation

/// Members for which Foundation on Linux has no counterpart.
extension TracedURLSession {
    /// Returns the bytes of the body as they arrive. The span ends with the head of the response.
    public func bytes(
        for request: URLRequest, template: String? = nil, resendCount: Int = 0,
    ) async throws -> (URLSession.AsyncBytes, URLResponse) {
        try await tracing.trace(request, template: template, resendCount: resendCount) { request, _ in
            try await session.bytes(for: request)
        }
    }
}
#endif
