import Foundation
import NIOCore
import NIOPosix
import Platform

/// One of the app's ways out: a port of this machine that leads to another, over a network that is as good as it is set
/// to be. Where there is no network, connections under way are reset and new ones refused, as by a system without one.
actor NetworkRelay {
    /// The port that the app is told of; it is the relay's until the end, network or not.
    nonisolated let port: Int

    private let target: ServerAddress
    private let reservation: PortReservation
    private let quality: Guarded<NetworkQuality>
    private var listening: Task<Void, Never>?

    /// - Throws: `IOError` where this machine has no port left.
    init(to target: ServerAddress) throws {
        self.target = target
        reservation = try PortReservation()
        port = reservation.port
        quality = Guarded(NetworkQuality())
    }

    /// - Parameter quality: nil where there is no network.
    /// - Throws: What keeps the port from being listened on.
    func apply(_ quality: NetworkQuality?) async throws {
        guard let quality else {
            await stop()
            return
        }
        self.quality.withLock { $0 = quality }
        guard listening == nil else { return }
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(ChannelOptions.socket(SocketOptionLevel(SOL_SOCKET), SO_REUSEPORT), value: 1)
            .serverChannelOption(.backlog, value: 64)
            .bind(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture { try RelayConnection.wrap(channel) }
            }
        listening = Task { [quality = self.quality, target] in
            try? await listener.executeThenClose { connections in
                try await withThrowingDiscardingTaskGroup { group in
                    for try await connection in connections {
                        group.addTask { await RelayConnection(near: connection, quality: quality).run(to: target) }
                    }
                }
            }
        }
    }

    /// Returns when nothing listens and nothing is connected any more.
    func stop() async {
        listening?.cancel()
        await listening?.value
        listening = nil
    }
}

/// Where a server listens.
package struct ServerAddress: Hashable, Sendable {
    package var host: String
    package var port: Int

    package init(host: String = "127.0.0.1", port: Int) {
        self.host = host
        self.port = port
    }
}

/// A port that stays this process's own while nobody listens on it: a socket that is bound and no more.
private final class PortReservation: Sendable {
    let port: Int
    private let descriptor: CInt

    init() throws {
        #if canImport(Glibc)
        let stream = CInt(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
        var one: CInt = 1
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let failure = withUnsafeMutablePointer(to: &address) { address -> CInt? in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard
                    setsockopt(
                        descriptor, SOL_SOCKET, SO_REUSEPORT, &one, socklen_t(MemoryLayout<CInt>.size), ) == 0,
                    bind(descriptor, address, length) == 0, getsockname(descriptor, address, &length) == 0
                else { return errno }
                return nil
            }
        }
        if let failure {
            close(descriptor)
            throw IOError(errnoCode: failure, reason: "reserving a port")
        }
        self.descriptor = descriptor
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(descriptor) }
}
