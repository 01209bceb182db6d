import Astrolabe
import AstrolabePlatform
import AstrolabeTestSupport
import AstrolabeTesting
import Foundation
import Testing

@testable import AstrolabeHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct `Tasks of a traced URLSession` {
    private func server() throws -> RawServer {
        try RawServer { _, connection in connection.answer(201, "comet") }
    }

    private func put(_ url: URL) -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = "PUT"
        return request
    }

    private func bodyFile(in folder: TemporaryDirectory) throws -> URL {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let file = URL(fileURLWithPath: folder.path + "/body")
        try Data("comet".utf8).write(to: file)
        return file
    }

    /// Expects the span of the request that `server` received, and one measurement.
    private func expectSpan(of test: SessionUnderTest, _ name: String, _ server: RawServer) async throws {
        let span = try await test.span(named: name)
        #expect(span.attributes["http.response.status_code"] == 201)
        #expect(span.attributes["http.response.body.size"] == 5)
        #expect(server.requests.first?.header("traceparent")?.contains("\(span.context.spanID)") == true)
        #expect(await test.measured() == 1)
    }

    @Test func `a data task calls the delegate of the app`() async throws {
        let (server, log) = (try server(), AppDelegateLog())
        let test = SessionUnderTest(delegate: log)
        test.session.dataTask(with: test.get(try server.baseURL), template: "/a").resume()
        await log.completion()
        #expect(log.names == ["response", "data", "complete"])
        #expect(log.bytes == 5)
        try await expectSpan(of: test, "GET /a", server)
    }

    @Test func `a data task calls its completion handler, and not the delegate`() async throws {
        let (server, log) = (try server(), AppDelegateLog())
        let test = SessionUnderTest(delegate: log)
        let request = test.get(try server.baseURL)
        let body = await withCheckedContinuation { continuation in
            test.session.dataTask(with: request, template: "/a") { data, _, _ in
                continuation.resume(returning: data)
            }.resume()
        }
        #expect(body == Data("comet".utf8))
        #expect(log.names.isEmpty)
        try await expectSpan(of: test, "GET /a", server)
    }

    @Test(arguments: ["data", "file", "stream"]) func `an upload task calls the delegate of the app`(
        source: String
    ) async throws {
        let (server, log, folder) = (try server(), AppDelegateLog(), TemporaryDirectory())
        let test = SessionUnderTest(delegate: log)
        var request = put(try server.baseURL)
        let body = Data("comet".utf8)
        let file = try bodyFile(in: folder)
        switch source {
        case "data": test.session.uploadTask(with: request, from: body, template: "/a").resume()
        case "file": test.session.uploadTask(with: request, fromFile: file, template: "/a").resume()
        default:
            request.setValue("5", forHTTPHeaderField: "Content-Length")
            test.session.uploadTask(withStreamedRequest: request, template: "/a").resume()
        }
        await log.completion()
        #expect(log.names.contains("sent"))
        #expect(log.names.contains("stream") == (source == "stream"))
        #expect(log.names.suffix(3) == ["response", "data", "complete"])
        #expect(server.requests.first?.body.contains("comet") == true)
        try await expectSpan(of: test, "PUT /a", server)
    }

    @Test(arguments: ["handler", "handler of a file", "async", "async of a file"])
    func `an upload gives the response's body`(way: String) async throws {
        let (server, test, folder) = (try server(), SessionUnderTest(), TemporaryDirectory())
        let request = put(try server.baseURL)
        let body = Data("comet".utf8)
        let file = try bodyFile(in: folder)
        let received: Data? =
            switch way {
            case "handler":
                await withCheckedContinuation { continuation in
                    test.session.uploadTask(with: request, from: body, template: "/a") { data, _, _ in
                        continuation.resume(returning: data)
                    }.resume()
                }
            case "handler of a file":
                await withCheckedContinuation { continuation in
                    test.session.uploadTask(with: request, fromFile: file, template: "/a") { data, _, _ in
                        continuation.resume(returning: data)
                    }.resume()
                }
            case "async": try await test.session.upload(for: request, from: body, template: "/a").0
            default: try await test.session.upload(for: request, fromFile: file, template: "/a").0
            }
        #expect(received == body)
        #expect(server.requests.first?.body == "comet")
        try await expectSpan(of: test, "PUT /a", server)
    }

    @Test func `a download task calls the delegate of the app`() async throws {
        let (server, log) = (try server(), AppDelegateLog())
        let test = SessionUnderTest(delegate: log)
        test.session.downloadTask(with: test.get(try server.baseURL), template: "/a").resume()
        await log.completion()
        #expect(log.names == ["progress", "file", "complete"])
        #expect(log.bytes == 5)
        try await expectSpan(of: test, "GET /a", server)
    }

    @Test func `a download gives a file to its completion handler, and deletes it afterwards`() async throws {
        let (server, test) = (try server(), SessionUnderTest())
        let request = test.get(try server.baseURL)
        let (file, body) = await withCheckedContinuation { continuation in
            test.session.downloadTask(with: request, template: "/a") { file, _, _ in
                continuation.resume(returning: (file, file.flatMap { try? Data(contentsOf: $0) }))
            }.resume()
        }
        #expect(body == Data("comet".utf8))
        try await expectSpan(of: test, "GET /a", server)
        // The delegate queue is serial: the task that ends after the first one finds its file deleted.
        _ = try await test.session.data(for: request)
        #expect(!FileManager.default.fileExists(atPath: try #require(file).path))
    }

    @Test func `an awaited download gives a file that stays`() async throws {
        let (server, test) = (try server(), SessionUnderTest())
        let (file, _) = try await test.session.download(for: test.get(server.baseURL), template: "/a")
        #expect(try Data(contentsOf: file) == Data("comet".utf8))
        try FileManager.default.removeItem(at: file)
        try await expectSpan(of: test, "GET /a", server)
    }

    @Test func `the span of a WebSocket ends when it closes, and is not measured`() async throws {
        let log = AppDelegateLog()
        let test = SessionUnderTest(delegate: log)
        let url = try #require(URL(string: "ws://127.0.0.1:\(try refusedPort())/live"))
        let task = test.session.webSocketTask(with: test.get(url), template: "/live")
        let span = try #require(task.originalRequest?.value(forHTTPHeaderField: "traceparent"))
        let proxy = try #require(test.session.session.delegate as? SessionDelegateProxy)
        // Called by hand: the libcurl that these tests ran with, 7.88.1 of Debian 12, was built without WebSockets.
        let delegate: any URLSessionWebSocketDelegate = proxy
        #if canImport(FoundationNetworking)
        delegate.urlSession(test.session.session, webSocketTask: task, didOpenWithProtocol: nil)
        #else
        delegate.urlSession?(test.session.session, webSocketTask: task, didOpenWithProtocol: nil)
        #endif
        proxy.urlSession(test.session.session, webSocketTask: task, didCloseWith: .normalClosure, reason: nil)
        proxy.urlSession(test.session.session, task: task, didCompleteWithError: nil)
        #expect(log.names == ["open", "close", "complete"])
        let ended = try await test.span(named: "GET /live")
        #expect(span.contains("\(ended.context.spanID)"))
        #expect(ended.status == .unset)
        #expect(await test.measured() == 0)
    }

    @Test func `a WebSocket that cannot be opened is an error`() async throws {
        let log = AppDelegateLog()
        let test = SessionUnderTest(delegate: log)
        let url = try #require(URL(string: "ws://127.0.0.1:\(try refusedPort())/live"))
        test.session.webSocketTask(with: test.get(url), template: "/live").resume()
        await log.completion()
        let span = try await test.span(named: "GET /live")
        #expect(span.attributes["error.type"] != nil)
        #expect(await test.measured() == 0)
    }

    @Test func `the delegate of the app may refuse a redirect`() async throws {
        final class Refusal: NSObject, URLSessionTaskDelegate {
            func urlSession(
                _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
                newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void,
            ) {
                completionHandler(nil)
            }
        }
        let server = try RawServer { _, connection in connection.answer(302, "", headers: "Location: /new\r\n") }
        let test = SessionUnderTest(delegate: Refusal())
        _ = try await test.session.data(for: test.get(server.baseURL))
        let span = try await test.span(named: "GET")
        #expect(server.requests.count == 1)
        #expect(span.attributes["http.response.status_code"] == 302)
        #expect(span.attributes["http.request.resend_count"] == nil)
    }

    @Test(
        .enabled(if: Thoroughness.isThorough, "1 GiB is sent only by ./astrolabe test --thorough"),
        .serialized, arguments: ["download", "data"],
    )
    func `a response of 1 GiB is not kept in memory`(kind: String) async throws {
        let server = try RawServer { _, connection in connection.stream(pages: 1_024) }
        let memory = MemoryDelegate()
        let test = SessionUnderTest(delegate: memory)
        let before = try #require(MemoryDelegate.resident)
        let request = test.get(try server.baseURL)
        (kind == "data" ? test.session.dataTask(with: request) : test.session.downloadTask(with: request)).resume()
        #expect(await memory.size() == 1 << 30)
        #expect(memory.peak > 0)
        #expect(memory.peak - before < 256 << 20, "\(before) \(memory.peak)")
        let span = try await test.span(named: "GET")
        #expect(span.attributes["http.response.body.size"] == .int(1 << 30))
    }

    @Test func `the system's measurements become attributes`() {
        let start = Date(timeIntervalSince1970: 1_000)
        func after(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }
        var timings = RequestTimings(
            lookup: (start, after(0.25)), connect: (after(0.25), after(1)), handshake: (after(0.5), after(1)),
            firstByte: (after(1), after(1.5)), protocolName: "h2", peerAddress: "10.1.2.80", peerPort: 443,
        )
        #expect(
            timings.attributes == [
                "astrolabe.http.connection.is_reused": false, "astrolabe.http.lookup.duration": 0.25,
                "astrolabe.http.connect.duration": 0.75, "astrolabe.http.handshake.duration": 0.5,
                "astrolabe.http.first_byte.duration": 0.5, "network.protocol.version": "2",
                "network.peer.address": "10.1.2.80", "network.peer.port": 443,
            ])
        timings = RequestTimings(
            lookup: (nil, nil), connect: (nil, nil), handshake: (nil, nil), firstByte: (start, nil),
            protocolName: "http/1.1", isReused: true)
        #expect(
            timings.attributes == [
                "astrolabe.http.connection.is_reused": true, "network.protocol.version": "1.1",
            ])
    }
}

/// Counts the bytes of a response and notes the process's memory while they arrive.
private final class MemoryDelegate: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
    private let state = Locked<(size: Int, calls: Int, peak: Int)>((0, 0, 0))
    private let (sizes, finished) = AsyncStream<Int>.makeStream()

    /// Bytes of the process in memory.
    static var resident: Int? {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return pages.flatMap { Int($0[1]) }.map { $0 * 4_096 }
    }

    var peak: Int { state.withLock { $0.peak } }

    /// Returns the size of the response when the task is complete.
    func size() async -> Int {
        for await size in sizes { return size }
        return 0
    }

    private func note(_ count: Int) {
        let calls = state.withLock { state in
            state.size += count
            state.calls += 1
            return state.calls
        }
        guard calls % 1_000 == 0, let resident = Self.resident else { return }
        state.withLock { $0.peak = max($0.peak, resident) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        note(data.count)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64,
    ) {
        note(Int(bytesWritten))
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL,
    ) {
        let size = (try? FileManager.default.attributesOfItem(atPath: location.path)[.size] as? Int) ?? 0
        state.withLock { $0.size = size }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        finished.yield(state.withLock { $0.size })
    }
}
