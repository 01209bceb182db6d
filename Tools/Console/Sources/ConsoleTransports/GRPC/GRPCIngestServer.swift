import AstrolabePlatform
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import NIOCore
import ServerSupport
import ServiceLifecycle
import TelemetryConsole

/// The server of OTLP over gRPC.
///
/// Browsers cannot send gRPC, so it checks no origin.
struct GRPCIngestServer: GRPCReceiver {
    private let listener: GRPCListener
    private let server: GRPCServer<HTTP2ServerTransport.Custom<GRPCListener>>

    init(_ settings: GRPCSettings, receiver: IngestReceiver) {
        let calls = GRPCCalls()
        listener = GRPCListener(settings: settings, connections: ConnectionTable(receiver.limits.connections))
        server = GRPCServer(
            transport: HTTP2ServerTransport.Custom(
                listenerFactory: listener, config: .ingest(calls: calls, receiver: receiver)),
            services: [GRPCIngest(receiver: receiver, calls: calls)])
    }

    /// The port that the server listens on, when it does.
    ///
    /// - Throws: `ListeningError` if it cannot listen.
    var port: Int {
        get async throws {
            let address = await server.transport.listeningAddress
            guard let port = address?.ipv4?.port ?? address?.ipv6?.port else {
                throw listener.failure.withLock { $0 } ?? CancellationError()
            }
            return port
        }
    }

    /// Runs the server until the service group shuts down. Calls that have begun may finish until the task is
    /// cancelled.
    ///
    /// - Throws: `ListeningError` if the server cannot listen.
    func run() async throws {
        // SwiftNIO traps if a task is cancelled that has not taken up a connection yet. If connections are closed
        // instead, all tasks end by themselves.
        let serving = Task { try await server.serve() }
        do {
            try await withTaskCancellationHandler {
                try await withTaskCancellationOrGracefulShutdownHandler {
                    try await serving.value
                } onCancelOrGracefulShutdown: {
                    server.beginGracefulShutdown()
                }
            } onCancel: {
                listener.connections.closeAll()
            }
        } catch let error as RuntimeError {
            // It was asked to stop before it started.
            if error.code == .serverIsStopped { return }
            throw error.cause ?? error
        }
    }
}

extension HTTP2ServerTransport.Custom.Config {
    /// The time after which a connection without calls is closed, as over HTTP/1.1.
    private static var idleTime: Duration { .seconds(120) }
    /// The number of calls of one connection at the same time. A sender needs few.
    private static var callsAtOnce: Int { 32 }
    /// The bytes that a sender may have on their way: 1 MiB, so that a body of 8 MiB takes few round trips.
    private static var windowBytes: Int { 1 << 20 }

    fileprivate static func ingest(calls: GRPCCalls, receiver: IngestReceiver) -> Self {
        var config = Self.defaults
        config.compression.enabledAlgorithms = .gzip
        config.connection.maxIdleTime = idleTime
        config.connection.keepalive.time = .seconds(60)
        config.connection.keepalive.clientBehavior = .init(
            minPingIntervalWithoutCalls: .seconds(10), allowWithoutCalls: true)
        config.http2.maxConcurrentStreams = callsAtOnce
        config.http2.targetWindowSize = windowBytes
        config.channelDebuggingCallbacks.onAcceptHTTP2Stream = { channel in
            channel.eventLoop.makeCompletedFuture {
                guard let connection = channel.parent else { throw ChannelError.inappropriateOperationForState }
                let handler = GRPCCallHandler(
                    connection: try connection.pipeline.syncOperations.handler(type: CallConnectionGuard.self),
                    calls: calls, receiver: receiver)
                try channel.pipeline.syncOperations.addHandler(handler, position: .first)
            }
        }
        return config
    }
}
