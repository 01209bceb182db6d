/// A way in which an HTTP server can misbehave, and what a client of OTLP must make of it.
///
///     let server = try RawServer { _, connection in fault.act(connection) }
package struct ServerFault: Sendable, CustomStringConvertible {
    package enum Expectation: Hashable, Sendable {
        /// The status is the result.
        case status(Int)
        case noResponse
        /// The status, or no response because a strict client refuses it.
        case statusOrNoResponse(Int)
        /// Clients differ, and all that matters is that they end.
        case any
    }

    /// The outcome of a request.
    package enum Outcome: Hashable, Sendable {
        case status(Int)
        case timedOut
        case unreachable
    }

    package let description: String
    package let expectation: Expectation
    /// True if it ends by the client's timeout only.
    package let isSlow: Bool
    /// A request's timeout that does not hold up a test.
    package var timeout: Duration { isSlow ? .milliseconds(300) : .seconds(60) }
    /// The number of requests that a client makes. A server may read none if the client's time is up before it has run.
    package var requests: ClosedRange<Int> { isSlow ? 0...1 : 1...1 }
    /// Responds to one request, on the connection's thread.
    package let act: @Sendable (RawServer.Connection) -> Void

    /// Returns true if a client may make this of it.
    ///
    /// - Parameter isStrict: Whether the client refuses what is wrong only after the response.
    package func accepts(_ outcome: Outcome, isStrict: Bool = false) -> Bool {
        switch (expectation, outcome) {
        case (.any, _), (.noResponse, .timedOut), (.noResponse, .unreachable): true
        case (.statusOrNoResponse, .unreachable): isStrict
        case (.status(let expected), .status(let status)), (.statusOrNoResponse(let expected), .status(let status)):
            status == expected
        default: false
        }
    }

    private init(
        _ description: String, _ expectation: Expectation, isSlow: Bool = false,
        _ act: @escaping @Sendable (RawServer.Connection) -> Void,
    ) {
        self.description = description
        self.expectation = expectation
        self.isSlow = isSlow
        self.act = act
    }

    /// A fault that is some bytes, after which the server closes the connection.
    private init(_ description: String, _ expectation: Expectation, _ text: String) {
        self.init(description, expectation) { $0.write(text) }
    }

    /// A fault that is a beginning and then the same bytes for ever.
    private init(
        _ description: String, _ expectation: Expectation, _ text: String, forever: String,
    ) {
        self.init(description, expectation) { connection in
            connection.write(text)
            connection.writeForever(forever)
        }
    }

    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    private static let kibibyte = String(repeating: "x", count: 1_024)

    package static let all = trailers + sizes + endless + silent + closed + odd

    package static let trailers = [
        ServerFault("a trailer after an empty body", .status(200), chunked + "0\r\nX-T: 1\r\n\r\n"),
        ServerFault("a trailer after a body", .status(200), chunked + "2\r\nok\r\n0\r\nX-T: 1\r\nX-U: 2\r\n\r\n"),
        ServerFault(
            "a trailer that looks like a status line", .statusOrNoResponse(200),
            chunked + "0\r\nHTTP/1.1 500 Error: 1\r\nRetry-After: 99\r\n\r\n"),
        ServerFault("a trailer of a failure", .status(503)) {
            $0.write("HTTP/1.1 503 X\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-T: 1\r\n\r\n")
        },
    ]

    package static let sizes = [
        ServerFault(
            "a body of 1 GiB", .status(200), "HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n",
            forever: kibibyte),
        ServerFault(
            "a failure with a body of 1 GiB", .status(503),
            "HTTP/1.1 503 X\r\nContent-Length: 1073741824\r\n\r\n", forever: kibibyte),
        ServerFault(
            "a body without a length", .status(200), "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n",
            forever: kibibyte),
        ServerFault("endless chunks", .status(200), chunked, forever: "400\r\n\(kibibyte)\r\n"),
        ServerFault("endless chunks of one byte", .status(200), chunked, forever: "1\r\nx\r\n"),
    ]

    private static let endless = [
        ServerFault("an endless chunk extension", .noResponse, chunked + "1;", forever: kibibyte),
        ServerFault("endless trailers", .noResponse, chunked + "0\r\n", forever: "X-T: \(kibibyte)\r\n"),
        ServerFault("endless fields", .noResponse, "HTTP/1.1 200 OK\r\n", forever: "A: b\r\n"),
        ServerFault("an endless field", .noResponse, "HTTP/1.1 200 OK\r\nA: ", forever: kibibyte),
        ServerFault("an endless status line", .noResponse, "HTTP/1.1 200 ", forever: kibibyte),
        ServerFault("endless informational responses", .noResponse, "", forever: "HTTP/1.1 100 Continue\r\n\r\n"),
        ServerFault("endless bytes that are not HTTP", .noResponse, "", forever: kibibyte),
        ServerFault("endless line breaks", .noResponse, "", forever: "\r\n"),
    ]

    private static let silent = [
        ServerFault("silence", .noResponse, isSlow: true) { $0.waitUntilClosed() },
        ServerFault("silence after the status line", .noResponse, isSlow: true) {
            $0.write("HTTP/1.1 200 OK\r\n")
            $0.waitUntilClosed()
        },
        ServerFault("silence after the head", .noResponse, isSlow: true) {
            $0.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
            $0.waitUntilClosed()
        },
        ServerFault("silence within a chunk", .noResponse, isSlow: true) {
            $0.write(chunked + "5\r\nab")
            $0.waitUntilClosed()
        },
    ]

    private static let closed = [
        ServerFault("no response", .noResponse) { _ in },
        ServerFault("half of a head", .noResponse, "HTTP/1.1 200 OK\r\nContent-Le"),
        ServerFault("half of a body", .noResponse, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"),
        ServerFault("half of a chunk", .noResponse, chunked + "5\r\nab"),
        ServerFault("a half-closed connection without a response", .noResponse) {
            $0.endWriting()
            $0.waitUntilClosed()
        },
        ServerFault("a half-closed connection after half of a body", .noResponse) {
            $0.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab")
            $0.endWriting()
            $0.waitUntilClosed()
        },
        ServerFault("a half-closed connection after a response", .status(200)) {
            $0.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            $0.endWriting()
            $0.waitUntilClosed()
        },
    ]

    private static let odd = [
        ServerFault("bytes that are not HTTP", .noResponse, "SSH-2.0-OpenSSH_9.6\r\n\r\n"),
        ServerFault("a response of HTTP/1.0", .status(200), "HTTP/1.0 200 OK\r\n\r\nok"),
        ServerFault("50 informational responses", .status(200)) {
            $0.write(String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 50))
            $0.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        },
        ServerFault("another protocol", .any, "HTTP/1.1 101 X\r\nUpgrade: y\r\nConnection: upgrade\r\n\r\nzzz"),
        ServerFault("a body after 204", .any, "HTTP/1.1 204 X\r\nContent-Length: 3\r\n\r\nabc"),
        ServerFault("two lengths", .any, "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
        ServerFault("a length below zero", .any, "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nab"),
        ServerFault("a chunk size beyond 64 bits", .any, chunked + "fffffffffffffffff\r\nab\r\n"),
        ServerFault("a status of two digits", .any, "HTTP/1.1 20 X\r\nContent-Length: 0\r\n\r\n"),
        ServerFault("a status of 999", .any, "HTTP/1.1 999 X\r\nContent-Length: 0\r\n\r\n"),
        ServerFault("a NUL in a field", .any, "HTTP/1.1 200 OK\r\nA: b\0c\r\nContent-Length: 0\r\n\r\n"),
        ServerFault("a redirect without a location", .status(302), "HTTP/1.1 302 X\r\nContent-Length: 0\r\n\r\n"),
        ServerFault(
            "gzip that is not", .status(200),
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nok"),
        ServerFault(
            "a challenge", .status(401),
            "HTTP/1.1 401 X\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n"),
    ]
}
