import GRPCNIOTransportHTTP2Posix
import NIOCore
import NIOHPACK
import NIOHTTP2
import ServerSupport
import TelemetryConsole

/// Receives the message of a call in place of the transport, which would collect and inflate it without counting what
/// all calls occupy.
///
/// The handler is the first of a call's channel. It passes the headers on with the number of the ``GRPCCall``, and an
/// empty message when the request is complete or rejected. The transport does the rest of gRPC.
final class GRPCCallHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload
    typealias OutboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let connection: CallConnectionGuard
    private let calls: GRPCCalls
    private let receiver: IngestReceiver

    private var call: GRPCCall?
    private var number = ""
    private var reader: GRPCMessageReader
    private var watch: CallGuard?
    private var timeout: Scheduled<Void>?
    /// True if the transport has got the end of the request.
    private var isForwarded = false

    init(connection: CallConnectionGuard, calls: GRPCCalls, receiver: IngestReceiver) {
        self.connection = connection
        self.calls = calls
        self.receiver = receiver
        reader = GRPCMessageReader(limit: receiver.limits.bodyBytes)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(let frame) where call == nil: begin(frame, context)
        case .data(let frame): receive(frame, context)
        default: context.fireChannelRead(data)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        leave()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .headers(var frame) = unwrapOutboundIn(data) else {
            context.write(data, promise: promise)
            return
        }
        // The transport names what it accepts itself.
        if frame.headers.contains(name: "grpc-accept-encoding") {
            frame.headers.replaceOrAdd(name: "grpc-accept-encoding", value: Self.acceptedEncodings)
        }
        context.write(wrapOutboundOut(.headers(frame)), promise: promise)
        if frame.endStream {
            calls.end(number)
            watch?.responseEnded()
        }
    }

    private static let acceptedEncodings = BodyCompression.allCases.map(\.rawValue).joined(separator: ",")

    private func begin(_ frame: HTTP2Frame.FramePayload.Headers, _ context: ChannelHandlerContext) {
        var frame = frame
        let now = context.eventLoop.now
        let deadline = frame.headers.first(name: "grpc-timeout").flatMap { TimeAmount(grpcTimeout: $0) }.map {
            now + $0
        }
        let call = GRPCCall(
            hold: receiver.hold(), peer: context.channel.parent?.remoteAddress?.ipAddress, deadline: deadline)
        self.call = call
        number = calls.begin(call)
        frame.headers.replaceOrAdd(name: GRPCCalls.header, value: number)
        // The transport knows nothing of compression, for which it would allocate 300 KB for each call. It rejects the
        // encodings that the console does not know.
        let encodings = frame.headers["grpc-encoding"]
        let compression = encodings.count == 1 ? BodyCompression(encodings[0]) : nil
        if compression != nil { frame.headers.remove(name: "grpc-encoding") }
        frame.headers.remove(name: "grpc-accept-encoding")
        reader = GRPCMessageReader(limit: receiver.limits.bodyBytes, compression: compression ?? .identity)
        watch = CallGuard(connection, eventLoop: context.eventLoop) { [weak self] in self?.overdue(context) }
        timeout = deadline.map { deadline in
            context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [weak self] in
                self?.reject(.late, context)
            }
        }
        if frame.endStream {
            isForwarded = true
            watch?.requestEnded()
        }
        context.fireChannelRead(wrapInboundOut(.headers(frame)))
    }

    private func receive(_ frame: HTTP2Frame.FramePayload.Data, _ context: ChannelHandlerContext) {
        guard let call, case .byteBuffer(let part) = frame.data else { return }
        if watch?.receive(part.readableBytes) == true {
            context.close(promise: nil)
            return
        }
        if !isForwarded {
            do throws(IngestFailure) {
                guard call.hold.grow(by: part.readableBytes) else { throw .memorySpent }
                try reader.receive(part)
                if frame.endStream { forward(.success(try reader.end()), context) }
            } catch {
                forward(.failure(error), context)
            }
        }
        if frame.endStream { watch?.requestEnded() }
    }

    private func forward(_ result: Result<GRPCMessage, IngestFailure>, _ context: ChannelHandlerContext) {
        isForwarded = true
        timeout?.cancel()
        reader = GRPCMessageReader(limit: 0)
        call?.finish(result)
        let empty = HTTP2Frame.FramePayload.Data(
            data: .byteBuffer(ByteBuffer(repeating: 0, count: 5)), endStream: true)
        context.fireChannelRead(wrapInboundOut(.data(empty)))
    }

    /// Rejects a request that is still arriving.
    private func reject(_ failure: IngestFailure, _ context: ChannelHandlerContext) {
        guard !isForwarded else { return }
        forward(.failure(failure), context)
        context.fireChannelReadComplete()
    }

    private func overdue(_ context: ChannelHandlerContext) {
        if isForwarded { context.close(promise: nil) } else { reject(.late, context) }
    }

    private func leave() {
        timeout?.cancel()
        calls.end(number)
        watch?.end()
        watch = nil
    }
}

extension TimeAmount {
    /// Parses the metadata `grpc-timeout`: a number and a unit, one of `H`, `M`, `S`, `m`, `u` and `n`.
    init?(grpcTimeout text: String) {
        let units: [Character: Int64] = [
            "H": 3_600_000_000_000, "M": 60_000_000_000, "S": 1_000_000_000, "m": 1_000_000, "u": 1_000, "n": 1,
        ]
        guard let unit = text.last.flatMap({ units[$0] }), let count = UInt32(text.dropLast()) else { return nil }
        // A century is as good as more.
        self = .nanoseconds(min(Int64(count), 3_155_760_000_000_000_000 / unit) * unit)
    }
}
