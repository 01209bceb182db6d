import AstrolabeWire
import GRPCCore
import TelemetryConsole

extension IngestFailure {
    /// A call without a message.
    static var noMessage: IngestFailure { .malformed("expected one message, found none") }

    /// The failure as a gRPC status. The metadata `grpc-status-details-bin` has a `google.rpc.Status`, with a
    /// `google.rpc.RetryInfo` if a retry may succeed.
    var rpcError: RPCError {
        var status = rpcStatus
        if let retryAfter {
            var delay = WireMessage()
            delay.varint(DurationField.seconds, UInt64(retryAfter))
            var info = WireMessage()
            info.bytes(RetryInfoField.retryDelay, delay.bytes)
            var detail = WireMessage()
            detail.text(AnyField.typeURL, "type.googleapis.com/google.rpc.RetryInfo")
            detail.bytes(AnyField.value, info.bytes)
            status.bytes(RPCStatusField.details, detail.bytes)
        }
        return RPCError(
            code: Status.Code(rawValue: code).flatMap { RPCError.Code($0) } ?? .unknown, message: message,
            metadata: ["grpc-status-details-bin": .binary(status.bytes)])
    }
}
