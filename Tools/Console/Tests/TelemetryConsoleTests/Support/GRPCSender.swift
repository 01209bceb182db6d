import ConsoleTransports
import GRPCCore
import GRPCNIOTransportHTTP2Posix

@testable import TelemetryConsole

/// Sends OTLP with a gRPC library's own client.
struct GRPCSender: Sendable {
    typealias Client = GRPCClient<HTTP2ClientTransport.Posix>

    private let client: Client
    private let compression: CompressionAlgorithm?

    static func run<Value: Sendable>(
        _ console: ConsoleUnderTest, compression: CompressionAlgorithm? = nil,
        _ body: (GRPCSender) async throws -> Value,
    ) async throws -> Value {
        var config = HTTP2ClientTransport.Posix.Config.defaults
        config.compression.enabledAlgorithms = [.gzip, .deflate]
        let transport = try HTTP2ClientTransport.Posix(
            target: .ipv4(address: "127.0.0.1", port: console.grpcPort ?? 0), transportSecurity: .plaintext,
            config: config)
        return try await withGRPCClient(transport: transport) { client in
            try await body(GRPCSender(client: client, compression: compression))
        }
    }

    /// Returns the bytes of the response.
    ///
    /// - Throws: `RPCError` if the status is not OK.
    func send(
        _ message: [UInt8], to method: MethodDescriptor, metadata: Metadata = [:], timeout: Duration? = nil,
    ) async throws -> [UInt8] {
        var options = CallOptions.defaults
        options.compression = compression
        options.timeout = timeout
        return try await client.unary(
            request: ClientRequest(message: message, metadata: metadata), descriptor: method,
            serializer: PlainBytes(), deserializer: PlainBytes(), options: options,
        ) { try $0.message }
    }

    func send(_ message: [UInt8], to signal: Signal, metadata: Metadata = [:]) async throws -> [UInt8] {
        try await send(message, to: signal.exportMethod, metadata: metadata)
    }
}

private struct PlainBytes: MessageSerializer, MessageDeserializer {
    func serialize<Bytes: GRPCContiguousBytes>(_ message: [UInt8]) -> Bytes { Bytes(message) }

    func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) -> [UInt8] { bytes.withUnsafeBytes { Array($0) } }
}

extension RPCError {
    /// The bytes of `grpc-status-details-bin`.
    var details: [UInt8] { metadata[binaryValues: "grpc-status-details-bin"].first { _ in true } ?? [] }
}
