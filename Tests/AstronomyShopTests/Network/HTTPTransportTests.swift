import Foundation
import Testing

@testable import AstronomyShop

@Suite(.timeLimit(.minutes(1))) struct `The transport` {
    private func get(_ url: URL, limits: HTTPTransport.Limits = HTTPTransport.Limits()) async throws -> HTTPResponse {
        try await HTTPTransport(limits: limits).send(HTTPRequest(method: "GET", url: url))
    }

    @Test func `hands back any status with its body`() async throws {
        let server = try RawServer { _, connection in connection.answer(503, "busy") }
        let response = try await get(server.baseURL)
        #expect(response.status == 503)
        #expect(String(decoding: response.body, as: UTF8.self) == "busy")
        #expect(response.announcedLength == 4)
        #expect(response.contentType == "application/json")
    }

    @Test func `sends method, headers and body as they are`() async throws {
        let server = try RawServer { _, connection in connection.answer(200, "{}") }
        var request = HTTPRequest(method: "DELETE", url: try server.baseURL.appendingPathComponent("api/cart"))
        request.headers["X-Request-Id"] = "1"
        request.body = Data("{\"userId\":\"a\"}".utf8)
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
        var limits = HTTPTransport.Limits()
        limits.idleTime = .seconds(1)
        await #expect(throws: TransportFailure.timedOut) { try await get(server.baseURL, limits: limits) }
    }

    @Test func `refuses an answer larger than its limit, and keeps the beginning of an error's`() async throws {
        let server = try RawServer { request, connection in
            connection.answer(request.target == "/large" ? 200 : 500, String(repeating: "x", count: 300_000))
        }
        var limits = HTTPTransport.Limits()
        limits.answerSize = 100_000
        limits.errorSize = 1_000
        await #expect(throws: TransportFailure.answerTooLarge) {
            try await get(server.baseURL.appendingPathComponent("large"), limits: limits)
        }
        let error = try await get(server.baseURL.appendingPathComponent("error"), limits: limits)
        #expect(error.body.count == 1_000)
        #expect(error.bodyIsCut)
        #expect(error.announcedLength == 300_000)
    }

    @Test func `does not follow redirects`() async throws {
        let server = try RawServer { _, connection in
            connection.answer(302, "", headers: "Location: http://example.com/\r\n")
        }
        #expect(try await get(server.baseURL).status == 302)
        #expect(server.requests.count == 1)
    }

    @Test func `ends at once when its task is cancelled`() async throws {
        let (started, begin) = AsyncStream<Void>.makeStream()
        let server = try RawServer { _, connection in
            begin.yield()
            connection.waitUntilClosed()
        }
        let url = try server.baseURL
        let task = Task { try await HTTPTransport().send(HTTPRequest(method: "GET", url: url)) }
        for await _ in started { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `does not begin in a task that is cancelled already`() async throws {
        let server = try RawServer { _, connection in connection.answer(200, "") }
        let url = try server.baseURL
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await HTTPTransport().send(HTTPRequest(method: "GET", url: url))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.requests.isEmpty)
    }
}
