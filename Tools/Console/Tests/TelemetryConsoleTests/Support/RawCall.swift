import ConsoleTransports
import GRPCCore
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix

@testable import TelemetryConsole

/// One call of gRPC, frame by frame, for senders that no library imitates.
struct RawCall {
    typealias Payload = HTTP2Frame.FramePayload

    private var frames: NIOAsyncChannelInboundStream<Payload>.AsyncIterator
    private let writer: NIOAsyncChannelOutboundWriter<Payload>

    /// The end of a call.
    struct Ending: Equatable {
        /// The gRPC status; `nil` if the console reset the call.
        var status: Int?
        var message = ""
    }

    /// Opens a connection and a call, and sends the call's headers.
    static func run<Value: Sendable>(
        port: Int?, path: String = "/" + Signal.logs.exportMethod.fullyQualifiedMethod, headers: HPACKHeaders = [:],
        _ body: (inout RawCall) async throws -> Value,
    ) async throws -> Value {
        let multiplexer = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port ?? 0) { channel in
                channel.configureAsyncHTTP2Pipeline(mode: .client) { $0.eventLoop.makeSucceededVoidFuture() }
                    .map { (channel, $0) }
            }
        let stream = try await multiplexer.1.openStream { channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<Payload, Payload>(wrappingChannelSynchronously: channel)
            }
        }
        let value = try await stream.executeThenClose { frames, writer in
            var call = RawCall(frames: frames.makeAsyncIterator(), writer: writer)
            try await call.begin(path: path, headers: headers)
            return try await body(&call)
        }
        try? await multiplexer.0.close()
        return value
    }

    private func begin(path: String, headers: HPACKHeaders) async throws {
        var all: HPACKHeaders = [
            ":method": "POST", ":scheme": "http", ":path": path, ":authority": "localhost",
            "content-type": "application/grpc", "te": "trailers",
        ]
        all.add(contentsOf: headers)
        try await writer.write(.headers(.init(headers: all)))
    }

    func send(_ bytes: [UInt8], isEnd: Bool = false) async throws {
        try await writer.write(.data(.init(data: .byteBuffer(ByteBuffer(bytes: bytes)), endStream: isEnd)))
    }

    /// Reads until the response is complete, or the console resets the call or its connection.
    mutating func ending() async throws -> Ending {
        do {
            while let payload = try await frames.next() {
                guard case .headers(let frame) = payload, frame.endStream else { continue }
                return Ending(
                    status: frame.headers.first(name: "grpc-status").flatMap { Int($0) },
                    message: frame.headers.first(name: "grpc-message") ?? "")
            }
        } catch is NIOHTTP2Errors.StreamClosed {
        } catch is ChannelError {
        } catch is IOError {}
        return Ending()
    }

    /// A message with its prefix.
    static func frame(_ message: [UInt8], flag: UInt8 = 0, length: Int? = nil) -> [UInt8] {
        let length = UInt32(length ?? message.count)
        return [flag] + withUnsafeBytes(of: length.bigEndian) { Array($0) } + message
    }
}
