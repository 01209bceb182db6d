import AstrolabeDelivery
import AstrolabePlatform
import DeviceLink
import Foundation
import Testing

@testable import DeviceSimulator

@Suite(.timeLimit(.minutes(2))) struct `The server before the collector` {
    @Test func `stops while connections arrive, and the process goes on`() async throws {
        for _ in 0..<5 {
            let gate = CollectorGate(
                to: ServerAddress(host: "127.0.0.1", port: 1), uptime: { 0 }, kill: { _ in true })
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

    /// A crash can leave a request on its way, which may arrive while the next process runs.
    @Test func `kills the app at its own next request, and not at one of an ended process`() async throws {
        let kills = Locked<[Int?]>([])
        let gate = CollectorGate(
            to: ServerAddress(host: "127.0.0.1", port: 1), uptime: { 0 },
            kill: { process in
                kills.withLock { $0.append(process) }
                return process == 2
            })
        let url = try #require(URL(string: "http://127.0.0.1:\(try await gate.start())/v1/logs"))
        defer { gate.stop() }
        gate.set(.kills(isTaken: false))
        let client = URLSessionTransport()
        for process in [1, 2, 2] {
            _ = await client.send(
                OTLPRequest(
                    url: url, headers: [AppHello.processHeader: "\(process)"], body: [], timeout: .seconds(30)))
        }
        #expect(kills.withLock { $0 } == [1, 2])
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
