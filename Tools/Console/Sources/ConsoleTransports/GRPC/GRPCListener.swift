import AstrolabePlatform
import GRPCNIOTransportHTTP2Posix
import HummingbirdCore
import NIOCore
import NIOPosix
import ServerSupport
import TelemetryConsole

/// Listens for connections of gRPC, whose number and pace are limited.
struct GRPCListener: HTTP2ServerTransport.ListenerFactory {
    let settings: GRPCSettings
    let connections: ConnectionTable
    /// Why it cannot listen.
    let failure = Locked((any Error)?.none)

    var eventLoopGroup: any EventLoopGroup { MultiThreadedEventLoopGroup.singleton }

    /// - Throws: `ListeningError`.
    func makeListeningChannel(
        listenerConfigurator: HTTP2ServerTransport.ListenerConfigurator,
        connectionConfigurator: HTTP2ServerTransport.ConnectionConfigurator,
    ) async throws -> NIOAsyncChannel<HTTP2ServerTransport.ConnectionConfigurator.ConnectionChannel, Never> {
        do {
            return try await ServerBootstrap(group: eventLoopGroup)
                .serverChannelOption(.backlog, value: 256)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .serverChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(
                            AvailableConnectionsChannelHandler(maxConnections: connections.limits.acceptLimit))
                    }.flatMap { listenerConfigurator.configure(channel: channel) }
                }
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .bind(host: settings.host, port: settings.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(CallConnectionGuard(connections))
                        try settings.tls?.start(channel, .http2)
                    }.flatMap {
                        connectionConfigurator.configure(
                            channel: channel, tls: settings.tls == nil ? .none : .configured(requireALPN: false))
                    }
                }
        } catch {
            let error = ListeningError(error, host: settings.host, port: settings.port) ?? error
            failure.withLock { $0 = error }
            throw error
        }
    }
}
