package import AstrolabePlatform
import Dispatch
import Foundation

/// An HTTP/1.1 server on a real loopback socket that can reset connections and be killed.
///
///     let server = try LoopbackServer { request in .status(request.path == "/v1/traces" ? 200 : 404) }
///     defer { server.kill() }
///
/// One thread per connection, and only bodies with a `Content-Length`: enough for tests of delivery.
package final class LoopbackServer: Sendable {
    package let port: UInt16
    private let state: Locked<State>
    private let threads = DispatchGroup()

    private struct State {
        var isKilled = false
        var connections: Set<Int32> = []
    }

    /// The treatment of a request whose head has arrived.
    package enum Attention: Sendable {
        case readOn
        /// Resets the connection after half of the body.
        case breakOff
    }

    /// The response to a complete request.
    package enum Answer: Sendable {
        case status(Int, headers: [String: String] = [:], body: [UInt8] = [])
        /// A body of 6.5 GB, sent until the peer closes the connection.
        case endless(Int)
        /// Resets the connection without a response.
        case nothing
        /// No response, on a connection that stays open.
        case silence
    }

    /// Starts listening.
    ///
    /// - Parameters:
    ///   - port: 0 for any free port.
    ///   - attend: Called with each request's head.
    ///   - answer: Called with each request, on its connection's thread.
    package init(
        port: UInt16 = 0, attend: @escaping @Sendable (HTTPHead) -> Attention = { _ in .readOn },
        answer: @escaping @Sendable (HTTPRequest) -> Answer,
    ) throws(SystemError) {
        let listener = try LocalSocket.listen(on: port)
        self.port = listener.port
        state = Locked(State())
        let (state, threads) = (state, threads)
        threads.enter()
        Thread.detachNewThread {
            while !state.withLock({ $0.isKilled }) {
                guard let connection = LocalSocket.accept(from: listener.descriptor, within: 10) else { continue }
                guard state.withLock({ $0.isKilled ? false : $0.connections.insert(connection).inserted }) else {
                    LocalSocket.close(connection)
                    break
                }
                threads.enter()
                Thread.detachNewThread {
                    Self.serve(connection, attend: attend, answer: answer)
                    state.withLock { _ = $0.connections.remove(connection) }
                    LocalSocket.close(connection)
                    threads.leave()
                }
            }
            LocalSocket.close(listener.descriptor)
            threads.leave()
        }
    }

    /// Resets all connections and stops listening; afterwards `answer` is not called again.
    package func kill() {
        state.withLock { state in
            state.isKilled = true
            for connection in state.connections { LocalSocket.abort(connection) }
        }
        threads.wait()
    }

    private static func serve(
        _ connection: Int32, attend: (HTTPHead) -> Attention, answer: (HTTPRequest) -> Answer,
    ) {
        var reader = HTTPReader(connection)
        while let head = reader.nextHead() {
            if case .breakOff = attend(head) {
                _ = reader.body(of: head.contentLength / 2)
                return LocalSocket.abort(connection)
            }
            if head.expectsContinue {
                _ = LocalSocket.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), to: connection)
            }
            guard let body = reader.body(of: head.contentLength) else { return }
            switch answer(HTTPRequest(head: head, body: body)) {
            case .status(let status, var headers, let content):
                headers["Content-Length"] = String(content.count)
                let lines = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
                let head = Array("HTTP/1.1 \(status) \r\n\(lines)\r\n".utf8)
                guard LocalSocket.send(head + content, to: connection) else { return }
            case .endless(let status):
                let page = [UInt8](repeating: 0x61, count: 1 << 16)
                var rest = 100_000
                let head = Array("HTTP/1.1 \(status) \r\nContent-Length: \(rest * page.count)\r\n\r\n".utf8)
                guard LocalSocket.send(head, to: connection) else { return }
                while rest > 0, LocalSocket.send(page, to: connection) { rest -= 1 }
                return
            case .nothing: return LocalSocket.abort(connection)
            // Waits for the end of the connection.
            case .silence: while reader.nextHead() != nil {}
            }
        }
    }
}
