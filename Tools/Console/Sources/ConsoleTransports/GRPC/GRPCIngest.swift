package import GRPCCore
import HTTPTypes
import NIOCore
package import TelemetryConsole

/// Receives OTLP over gRPC: the `Export` methods, which pass the message of a ``GRPCCall`` to the
/// ``IngestReceiver``.
struct GRPCIngest: RegistrableRPCService {
    let receiver: IngestReceiver
    let calls: GRPCCalls

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
        for signal in Signal.allCases {
            router.registerHandler(
                forMethod: signal.exportMethod, deserializer: EmptyMessage(), serializer: ByteSerializer(),
            ) { request, _ in
                do throws(IngestFailure) {
                    return StreamingServerResponse(single: ServerResponse(message: try await export(request, signal)))
                } catch {
                    receiver.logRejection(of: signal, error)
                    throw error.rpcError
                }
            }
        }
    }

    private func export(
        _ request: StreamingServerRequest<Void>, _ signal: Signal,
    ) async throws(IngestFailure) -> [UInt8] {
        guard let number = request.metadata[stringValues: GRPCCalls.header].first(where: { _ in true }),
            let call = calls[number]
        else { throw .malformed("the call has ended") }
        let sender = try receiver.sender(HTTPFields(request.metadata), peer: call.peer)
        do {
            for try await _ in request.messages {}
        } catch {
            throw .malformed("the request ended before its message was complete")
        }
        let message = try call.takeMessage()
        if let deadline = call.deadline, deadline <= .now() { throw .late }
        return try await receiver.take(
            message.body, call.hold, compression: message.compression, signal: signal, encoding: .protobuf,
            from: sender,
        ).protobuf
    }
}

extension Signal {
    /// The method of OTLP's collector services that exports the signal.
    package var exportMethod: MethodDescriptor {
        let service =
            switch self {
            case .traces: "trace.v1.TraceService"
            case .logs: "logs.v1.LogsService"
            case .metrics: "metrics.v1.MetricsService"
            case .profiles: "profiles.v1development.ProfilesService"
            }
        return MethodDescriptor(
            fullyQualifiedService: "opentelemetry.proto.collector.\(service)", method: "Export", type: .unary)
    }
}

extension HTTPFields {
    /// The metadata of a gRPC call, without what is not text.
    fileprivate init(_ metadata: Metadata) {
        self.init()
        for case (let key, .string(let value)) in metadata {
            guard let name = HTTPField.Name(key) else { continue }
            append(HTTPField(name: name, value: value))
        }
    }
}

/// The message that ``GRPCCallHandler`` passes to the transport in place of the sender's.
private struct EmptyMessage: MessageDeserializer {
    func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) {}
}

private struct ByteSerializer: MessageSerializer {
    func serialize<Bytes: GRPCContiguousBytes>(_ message: [UInt8]) -> Bytes { Bytes(message) }
}
