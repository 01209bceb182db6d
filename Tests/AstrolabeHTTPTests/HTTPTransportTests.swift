import AstrolabePlatform
import AstrolabeTestSupport
import Foundation
import Testing

@testable import AstrolabeHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct `The transport` {
    private func get(_ url: URL, limits: HTTPLimits = HTTPLimits()) async throws -> TracedResponse {
        try await HTTPTransport(limits: limits).send(URLRequest(url: url))
    }

    @Test func `hands back any status with its body`() async throws {
        let server = try RawServer { _, connection in connection.answer(503, "busy") }
        let response = try await get(server.baseURL)
        #expect(response.status == 503)
        #expect(String(decoding: response.body, as: UTF8.self) == "busy")
        #expect(response.expectedContentLength == 4)
        #expect(response.contentType == "application/json")
    }

    @Test func `sends method, headers and body as they are`() async throws {
        let server = try RawServer { _, connection in connection.answer(200, "{}") }
        var request = URLRequest(url: try server.baseURL.appendingPathComponent("api/cart"))
        request.httpMethod = "DELETE"
        request.setValue("1", forHTTPHeaderField: "X-Request-Id")
        request.httpBody = Data("{\"userId\":\"a\"}".utf8)
        _ = try await HTTPTransport().send(request)
        let received = try #require(server.requests.first)
        #expect(received.head.hasPrefix("DELETE /api/cart HTTP/1.1"))
        #expect(received.header("x-request-id") == "1")
        #expect(received.body == "{\"userId\":\"a\"}")
        #expect(received.header("Cookie") == nil)
    }

    @Test func `says that a connection was refused`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:\(try refusedPort())"))
        await #expect(throws: TransportFailure.connectionRefused) { try await get(url) }
    }

    @Test func `says that a name was not found`() async throws {
        let url = try #require(URL(string: "http://no-such-host.invalid"))
        await #expect(throws: TransportFailure.nameNotResolved) { try await get(url) }
    }

    @Test func `says that the connection ended within the body`() async throws {
        let server = try RawServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"half\":")
        }
        await #expect(throws: TransportFailure.connectionLost) { try await get(server.baseURL) }
    }

    @Test func `says that the connection ended before any answer`() async throws {
        let server = try RawServer { _, _ in }
        await #expect(throws: TransportFailure.connectionLost) { try await get(server.baseURL) }
    }

    @Test func `says that what came back is not HTTP`() async throws {
        let server = try RawServer { _, connection in connection.write("SSH-2.0-OpenSSH_9.6\r\n\r\n") }
        await #expect(throws: TransportFailure.other) { try await get(server.baseURL) }
    }

    @Test func `says that nothing came in time`() async throws {
        let server = try RawServer { _, connection in connection.waitUntilClosed() }
        var limits = HTTPLimits()
        limits.idleTimeout = .seconds(1)
        await #expect(throws: TransportFailure.timedOut) { try await get(server.baseURL, limits: limits) }
    }

    @Test func `refuses an answer larger than its limit, and keeps the beginning of an error's`() async throws {
        let server = try RawServer { request, connection in
            connection.answer(request.target == "/large" ? 200 : 500, String(repeating: "x", count: 300_000))
        }
        var limits = HTTPLimits()
        limits.maxResponseBytes = 100_000
        limits.errorSize = 1_000
        await #expect(throws: TransportFailure.responseTooLarge) {
            try await get(server.baseURL.appendingPathComponent("large"), limits: limits)
        }
        let error = try await get(server.baseURL.appendingPathComponent("error"), limits: limits)
        #expect(error.body.count == 1_000)
        #expect(error.isBodyTruncated)
        #expect(error.expectedContentLength == 300_000)
    }

    @Test func `says that an answer which never ends takes too long`() async throws {
        let server = try RawServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n")
            while connection.write("x") {}
        }
        var limits = HTTPLimits()
        limits.maxResponseBytes = .max
        limits.totalTimeout = .milliseconds(500)
        await #expect(throws: TransportFailure.timedOut) { try await get(server.baseURL, limits: limits) }
    }

    @Test func `follows a redirect of a question at the same place`() async throws {
        let server = try RawServer { request, connection in
            if request.target == "/new" {
                connection.answer(200, "here")
            } else {
                connection.answer(301, "moved", headers: "Location: /new\r\n")
            }
        }
        let answer = try await get(server.baseURL.appendingPathComponent("old"))
        #expect(String(decoding: answer.body, as: UTF8.self) == "here")
        #expect(server.requests.map(\.target) == ["/old", "/new"])
    }

    @Test func `does not follow one to another host or port`() async throws {
        let other = try RawServer { _, connection in connection.answer(200, "elsewhere") }
        for location in ["http://127.0.0.1:\(other.port)/", "http://localhost:\(other.port)/", "http://example.com/"] {
            let server = try RawServer { _, connection in
                connection.answer(302, "", headers: "Location: \(location)\r\n")
            }
            #expect(try await get(server.baseURL).status == 302)
            #expect(server.requests.count == 1)
        }
        #expect(other.requests.isEmpty)
    }

    @Test func `does not send what changes something on to another place`() async throws {
        let server = try RawServer { _, connection in
            connection.answer(307, "", headers: "Location: /new\r\n")
        }
        var request = URLRequest(url: try server.baseURL)
        request.httpMethod = "POST"
        request.httpBody = Data("{}".utf8)
        #expect(try await HTTPTransport().send(request).status == 307)
        #expect(server.requests.count == 1)
    }

    @Test func `gives up a place that redirects to itself`() async throws {
        let server = try RawServer { _, connection in connection.answer(302, "", headers: "Location: /\r\n") }
        _ = try? await get(server.baseURL)
        #expect((2...21).contains(server.requests.count))
    }

    @Test func `says that a connection was reset that was there before, and sends the next body`() async throws {
        let count = Locked(0)
        let server = try LoopbackServer { _ in
            count.withLock { count in
                count += 1
                return count == 2 ? .nothing : .status(200)
            }
        }
        defer { server.kill() }
        var limits = HTTPLimits()
        // It would be the failure if the reset were noticed by the passing of time alone.
        limits.totalTimeout = .seconds(120)
        let transport = HTTPTransport(limits: limits)
        var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")))
        request.httpMethod = "POST"
        request.httpBody = Data(repeating: 1, count: 100_000)
        #expect(try await transport.send(request).status == 200)
        await #expect(throws: TransportFailure.connectionLost) { try await transport.send(request) }
        #expect(try await transport.send(request).status == 200)
        #expect(count.withLock { $0 } == 3)
    }

    @Test func `ends at once when its task is cancelled`() async throws {
        let (started, begin) = AsyncStream<Void>.makeStream()
        let server = try RawServer { _, connection in
            begin.yield()
            connection.waitUntilClosed()
        }
        let url = try server.baseURL
        let task = Task { try await HTTPTransport().send(URLRequest(url: url)) }
        for await _ in started { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(arguments: Cancellation.allCases)
    func `takes each type of a cancellation for a cancellation`(shape: Cancellation) async {
        let exchange = HTTPExchange(limits: HTTPLimits())
        exchange.complete(shape.error)
        await #expect(throws: CancellationError.self) {
            try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<TracedResponse, any Error>) in
                exchange.onFinish { waiter.resume(with: $0) }
            }
        }
    }

    @Test func `does not begin in a task that is cancelled already`() async throws {
        let server = try RawServer { _, connection in connection.answer(200, "") }
        let url = try server.baseURL
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await HTTPTransport().send(URLRequest(url: url))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.requests.isEmpty)
    }
}
