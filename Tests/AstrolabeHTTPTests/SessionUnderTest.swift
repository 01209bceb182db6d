import Astrolabe
import AstrolabeExtras
import AstrolabePlatform
import AstrolabeTesting
import Foundation
import Testing

@testable import AstrolabeHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A traced session with a collector, for one test.
struct SessionUnderTest {
    let collector = TelemetryCollector()
    let telemetry: Telemetry
    let session: TracedURLSession

    /// - Parameter hosts: "127.0.0.1" is allowed by default, "localhost" is not.
    init(_ hosts: AllowedHosts = ["127.0.0.1"], delegate: (any URLSessionDelegate)? = nil) {
        var configured = TelemetryConfiguration(serviceName: "app")
        configured.propagator = CompositePropagator([
            TraceContextPropagator(), BaggagePropagator(), B3Propagator(.multipleHeaders),
        ])
        telemetry = collector.start(configured)
        var tracing = HTTPTracing(telemetry, allowedHosts: hosts)
        tracing.identity = HTTPIdentity(telemetry)
        let configuration = URLSessionConfiguration.ephemeral
        // A busy machine must not exceed it.
        configuration.timeoutIntervalForRequest = 240
        session = TracedURLSession(tracing, configuration: configuration, delegate: delegate)
    }

    /// The only span of a request.
    func span(named name: String) async throws -> Collected<SpanData> {
        await telemetry.flush()
        let spans = collector.spans(named: name)
        #expect(spans.count == 1)
        return try #require(spans.first)
    }

    /// The number of requests in the histogram of durations.
    func measured() async -> Int {
        await telemetry.flush()
        guard case .histogram(let points, _)? = collector.metrics(named: "http.client.request.duration").first?.data
        else { return 0 }
        return Int(points.map(\.count).reduce(0, +))
    }

    func get(_ url: URL) -> URLRequest { URLRequest(url: url) }
}

/// A delegate of an app, which notes what it is called with.
final class AppDelegateLog: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate, URLSessionWebSocketDelegate {
    private let state = Locked<(names: [String], bytes: Int, waiter: CheckedContinuation<Void, Never>?, isOver: Bool)>(
        ([], 0, nil, false))

    /// The callbacks in order, repetitions left out.
    var names: [String] { state.withLock { $0.names } }
    var bytes: Int { state.withLock { $0.bytes } }

    /// Returns when a task is complete.
    func completion() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.waiter = continuation }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
    }

    private func note(_ name: String, bytes: Int = 0, isOver: Bool = false) {
        state.withLock { state in
            if state.names.last != name { state.names.append(name) }
            state.bytes += bytes
            guard isOver else { return nil as CheckedContinuation<Void, Never>? }
            defer { state.waiter = nil }
            state.isOver = true
            return state.waiter
        }?.resume()
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void,
    ) {
        note("redirect")
        completionHandler(request)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void,
    ) {
        note("response")
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        note("data", bytes: data.count)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL,
    ) {
        let size = (try? FileManager.default.attributesOfItem(atPath: location.path)[.size] as? Int) ?? 0
        note("file", bytes: size)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64,
    ) {
        note("progress")
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64,
    ) {
        note("sent")
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void,
    ) {
        note("stream")
        completionHandler(InputStream(data: Data("comet".utf8)))
    }

    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol name: String?,
    ) {
        note("open")
    }

    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?,
    ) {
        note("close")
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        note("complete", isOver: true)
    }
}
