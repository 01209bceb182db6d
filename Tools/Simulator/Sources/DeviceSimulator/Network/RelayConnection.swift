import AstrolabePlatform
import Foundation
import NIOCore
import NIOPosix

/// A connection of the app, and the connection to the server behind it.
struct RelayConnection: Sendable {
    typealias End = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    let near: End
    let quality: Locked<NetworkQuality>

    /// The longest time that data may be in transit before the sender has to wait.
    private static let longestQueue = Duration.seconds(4)

    static func wrap(_ channel: any Channel) throws -> End {
        try NIOAsyncChannel(
            wrappingChannelSynchronously: channel, configuration: .init(inboundType: ByteBuffer.self),
        )
    }

    /// Waits until both ends are closed.
    func run(to target: ServerAddress) async {
        do {
            try await near.executeThenClose { fromNear, toNear in
                do {
                    try await connect(fromNear, toNear, target)
                } catch {
                    try? await reset()
                    throw error
                }
            }
        } catch {
            // The network or the server is gone, or the connection broke: the app gets a connection
            // reset.
        }
    }

    private func connect(
        _ fromNear: NIOAsyncChannelInboundStream<ByteBuffer>, _ toNear: NIOAsyncChannelOutboundWriter<ByteBuffer>,
        _ target: ServerAddress,
    ) async throws {
        try await pause(currentQuality.delay)
        let far = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connectTimeout(.seconds(10))
            .connect(host: target.host, port: target.port) { channel in
                channel.eventLoop.makeCompletedFuture { try Self.wrap(channel) }
            }
        try await far.executeThenClose { fromFar, toFar in
            // The first direction that ends closes the connection, because HTTP does not use half-closed
            // connections.
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await carry(from: fromNear, to: toFar) }
                group.addTask { try await carry(from: fromFar, to: toNear) }
                defer { group.cancelAll() }
                try await group.next()
                try Task.checkCancellation()
            }
        }
    }

    private struct Packet: Sendable {
        let bytes: ByteBuffer
        let arrival: ContinuousClock.Instant
    }

    private struct Cut: Error {}

    private func carry(
        from input: NIOAsyncChannelInboundStream<ByteBuffer>, to output: NIOAsyncChannelOutboundWriter<ByteBuffer>,
    ) async throws {
        let (packets, packet) = AsyncStream.makeStream(of: Packet.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await packet in packets {
                    try await Task.sleep(until: packet.arrival, tolerance: .zero, clock: .continuous)
                    try await output.write(packet.bytes)
                }
                try Task.checkCancellation()
            }
            group.addTask {
                defer { packet.finish() }
                try await schedule(input) { packet.yield($0) }
            }
            try await group.waitForAll()
        }
    }

    private func schedule(
        _ input: NIOAsyncChannelInboundStream<ByteBuffer>, _ send: (Packet) -> Void,
    ) async throws {
        var schedule = PacketSchedule()
        var chance = SystemRandomNumberGenerator()
        let start = ContinuousClock.now
        for try await var bytes in input {
            var last = Duration.zero
            while let piece = bytes.readSlice(length: min(bytes.readableBytes, PacketSchedule.packetSize)),
                piece.readableBytes > 0
            {
                let now = ContinuousClock.now - start
                switch schedule.send(piece.readableBytes, at: now, over: currentQuality, using: &chance) {
                case .cut: throw Cut()
                case .arrives(let time):
                    send(Packet(bytes: piece, arrival: start + time))
                    last = time
                }
            }
            try await pause(last - (ContinuousClock.now - start) - Self.longestQueue)
        }
    }

    private var currentQuality: NetworkQuality { quality.withLock { $0 } }

    private func pause(_ duration: Duration) async throws {
        if duration > .zero { try await Task.sleep(for: duration) }
    }

    /// Resets the app's end, as a router does that has lost the connection.
    private func reset() async throws {
        let immediately = linger(l_onoff: 1, l_linger: 0)
        try await (near.channel as? any SocketOptionProvider)?.setSoLinger(immediately).get()
    }
}
