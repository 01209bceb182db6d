import AstrolabePlatform
import Foundation
import NIOCore
import NIOPosix

/// A port of this machine that relays connections to a server over a simulated network. Without a network it resets
/// open connections and refuses new ones, as an operating system does.
actor NetworkRelay {
    /// The port that the app connects to. The relay keeps it until the end, with or without a network.
    nonisolated let port: Int

    private let target: ServerAddress
    private let reservation: PortReservation
    private let quality: Locked<NetworkQuality>
    private var listening: (task: Task<Void, Never>, calls: RelayCalls)?
    private var change: Task<Void, any Error>?

    /// - Throws: `IOError` if no port is free.
    init(to target: ServerAddress) throws {
        self.target = target
        reservation = try PortReservation()
        port = reservation.port
        quality = Locked(NetworkQuality())
    }

    /// Changes the network. Changes apply in order, each after the one before is complete.
    ///
    /// - Parameter quality: `nil` for no network.
    /// - Throws: An error of listening on the port.
    func apply(_ quality: NetworkQuality?) async throws {
        let before = change
        let next = Task {
            _ = await before?.result
            try await carry(quality)
        }
        change = next
        try await next.value
    }

    /// Waits until the port is closed and no connection is open.
    func stop() async {
        try? await apply(nil)
    }

    private func carry(_ quality: NetworkQuality?) async throws {
        guard let quality else {
            guard let (listening, calls) = listening else { return }
            self.listening = nil
            listening.cancel()
            await listening.value
            await calls.end()
            return
        }
        self.quality.withLock { $0 = quality }
        guard listening == nil else { return }
        let calls = RelayCalls()
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(ChannelOptions.socket(SocketOptionLevel(SOL_SOCKET), SO_REUSEPORT), value: 1)
            .serverChannelOption(.backlog, value: 64)
            .bind(host: "127.0.0.1", port: port) { [quality = self.quality, target] channel in
                channel.eventLoop.makeCompletedFuture {
                    let connection = RelayConnection(near: try RelayConnection.wrap(channel), quality: quality)
                    calls.begin { await connection.run(to: target) }
                }
            }
        let listening = Task<Void, Never> {
            try? await listener.executeThenClose { accepted in for try await _ in accepted {} }
        }
        self.listening = (listening, calls)
    }
}

/// The open connections. Each has its task from the start, because a connection without one could not be closed.
private final class RelayCalls: Sendable {
    private let state = Locked(State())

    private struct State {
        var tasks: [Int: Task<Void, Never>] = [:]
        var last = 0
        var isOver = false
    }

    func begin(_ serve: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            state.last += 1
            let number = state.last
            let task = Task {
                await serve()
                self.state.withLock { _ = $0.tasks.removeValue(forKey: number) }
            }
            if state.isOver { task.cancel() } else { state.tasks[number] = task }
        }
    }

    /// Closes all connections and waits until they are closed. Later connections close at once.
    func end() async {
        let tasks = state.withLock { state in
            state.isOver = true
            return state.tasks.values.map(\.self)
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}

/// The address of a server.
package struct ServerAddress: Hashable, Sendable {
    package var host: String
    package var port: Int

    package init(host: String = "127.0.0.1", port: Int) {
        self.host = host
        self.port = port
    }
}

/// A reserved port: a socket that is bound but does not listen.
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
                        descriptor, SOL_SOCKET, SO_REUSEPORT, &one, socklen_t(MemoryLayout<CInt>.size)) == 0,
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
