import AstrolabePlatform
import Foundation
import NIOCore
import NIOPosix

/// One connection of the app's, and the one to the server that stands behind it.
struct RelayConnection: Sendable {
    typealias End = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    let near: End
    let quality: Locked<NetworkQuality>

    /// What is on its way at most, in time: then the sender is kept waiting.
    private static let longestQueue = Duration.seconds(4)

    static func wrap(_ channel: any Channel) throws -> End {
        try NIOAsyncChannel(
            wrappingChannelSynchronously: channel, configuration: .init(inboundType: ByteBuffer.self),
        )
    }

    /// Returns when both ends are closed.
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
            // The network is gone, the server is, or the connection was cut: the app meets a reset.
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
            // Whichever direction ends first ends the connection: HTTP knows no half of one.
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

    /// Has the near end closed as a router does that has lost the connection.
    private func reset() async throws {
        let immediately = linger(l_onoff: 1, l_linger: 0)
        try await (near.channel as? any SocketOptionProvider)?.setSoLinger(immediately).get()
    }
}
