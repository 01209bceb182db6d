import AstrolabeDelivery
import AstrolabePlatform
import Foundation
import Testing

@testable import DeviceSimulator

@Suite(.timeLimit(.minutes(2))) struct `The server before the collector` {
    @Test func `stops while connections arrive, and the process goes on`() async throws {
        for _ in 0..<5 {
            let gate = CollectorGate(to: ServerAddress(host: "127.0.0.1", port: 1), uptime: { 0 }, kill: { true })
            let port = try await gate.start()
            let (connections, connection) = AsyncStream.makeStream(of: Bool.self)
            for _ in 0..<2 {
                Thread.detachNewThread {
                    while Self.connects(to: port) { connection.yield(true) }
                    connection.yield(false)
                }
            }
            var refused = 0
            var accepted = 0
            for await isConnected in connections {
                accepted += isConnected ? 1 : 0
                if accepted == 10 { gate.stop() }
                refused += isConnected ? 0 : 1
                if refused == 2 { break }
            }
            #expect(accepted >= 10)
        }
    }

    /// A crash can leave a request on its way.
    @Test func `waits for the next request to kill an app if one of an ended app comes first`() async throws {
        let kills = Locked([false, true])
        let gate = CollectorGate(
            to: ServerAddress(host: "127.0.0.1", port: 1), uptime: { 0 },
            kill: { kills.withLock { $0.removeFirst() } }, )
        let url = try #require(URL(string: "http://127.0.0.1:\(try await gate.start())/v1/logs"))
        defer { gate.stop() }
        gate.set(.kills(isTaken: false))
        let client = URLSessionTransport()
        for left in [1, 0] {
            _ = await client.send(OTLPRequest(url: url, headers: [:], body: [], timeout: .seconds(30)))
            #expect(kills.withLock { $0.count } == left)
        }
    }

    private static func connects(to port: Int) -> Bool {
        #if canImport(Glibc)
        let stream = Int32(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, stream, 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
