package import Foundation
import Platform

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One HTTP request that carries OTLP.
package struct OTLPRequest: Sendable {
    package var url: URL
    package var headers: [String: String]
    package var body: [UInt8]
    /// Seconds for all of it.
    package var timeout: Double

    package init(url: URL, headers: [String: String], body: [UInt8], timeout: Double) {
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

/// Sends a request and tells how that ended. It never retries: `DeliveryService` owns that.
package protocol OTLPTransport: Sendable {
    func send(_ request: OTLPRequest) async -> SendResult
}

/// Sends by `URLSession`, so TLS, proxies and trust are the platform's.
package struct URLSessionTransport: OTLPTransport {
    #if !canImport(FoundationNetworking)
    private let session = Self.makeSession()
    #endif

    package init() {}

    private static func makeSession() -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 2
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        return URLSession(configuration: configuration)
    }

    package func send(_ request: OTLPRequest) async -> SendResult {
        await withTaskGroup(of: SendResult.self) { group in
            group.addTask { await attempt(request) }
            // URLSession begins its own time-out anew whenever something happens on the connection.
            group.addTask {
                try? await Task.sleep(nanoseconds: UInt64(nanosecondsIn: min(request.timeout, 3_600)))
                return .unreachable("no answer within \(request.timeout) s")
            }
            defer { group.cancelAll() }
            return await group.next() ?? .unreachable("no answer")
        }
    }

    private func attempt(_ request: OTLPRequest) async -> SendResult {
        var urlRequest = URLRequest(url: request.url, timeoutInterval: request.timeout)
        urlRequest.httpMethod = "POST"
        urlRequest.httpBody = Data(request.body)
        #if canImport(FoundationNetworking)
        // One for each request, so that no connection is used twice: where one that was used before is reset, this
        // URLSession sends the request's head once more and no body, and waits for ever, at full load.
        let session = Self.makeSession()
        defer { session.finishTasksAndInvalidate() }
        #endif
        for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
        do {
            let (data, response) = try await session.data(for: urlRequest)
            guard let http = response as? HTTPURLResponse else { return .unreachable("the answer was not HTTP") }
            let retryAfter = http.value(forHTTPHeaderField: "Retry-After").flatMap { Self.seconds(retryAfter: $0) }
            return .answered(
                status: http.statusCode, retryAfter: retryAfter, body: Array(data.prefix(Self.answerLimit)), )
        } catch {
            return .unreachable((error as NSError).localizedDescription)
        }
    }

    /// Bytes of an answer that are read: a status message, never more.
    private static let answerLimit = 65_536

    /// Seconds, or a date of RFC 9110 from which they are counted.
    static func seconds(retryAfter text: String, now: Date = Date()) -> Double? {
        if let seconds = Double(text), seconds >= 0 { return seconds }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "GMT")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return format.date(from: text).map { max(0, $0.timeIntervalSince(now)) }
    }
}
