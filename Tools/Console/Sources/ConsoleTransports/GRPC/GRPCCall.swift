import AstrolabePlatform
import NIOCore
import ServerSupport
import TelemetryConsole

/// One call of OTLP over gRPC, which its channel receives and a task responds to.
final class GRPCCall: Sendable {
    /// The memory that the message occupies.
    let hold: MemoryAllowance.Hold
    /// The peer's IP address.
    let peer: String?
    /// When the sender stops waiting for the response.
    let deadline: NIODeadline?

    private let request = Locked<Result<GRPCMessage, IngestFailure>?>(nil)

    init(hold: MemoryAllowance.Hold, peer: String?, deadline: NIODeadline?) {
        self.hold = hold
        self.peer = peer
        self.deadline = deadline
    }

    /// Notes the message, or why there is none.
    func finish(_ result: Result<GRPCMessage, IngestFailure>) {
        request.withLock { $0 = result }
    }

    /// Returns the message. The call no longer has it.
    func takeMessage() throws(IngestFailure) -> GRPCMessage {
        guard let result = request.exchange(nil) else { throw .noMessage }
        return try result.get()
    }
}

/// The calls of a server, by the number that its channel passes to the task.
final class GRPCCalls: Sendable {
    /// The name of the metadata that holds the number. A value that the sender sets is replaced.
    static let header = "astrolabe-call"

    private struct State {
        var last = 0
        var calls: [String: GRPCCall] = [:]
    }

    private let state = Locked(State())

    func begin(_ call: GRPCCall) -> String {
        state.withLock { state in
            state.last += 1
            let number = String(state.last)
            state.calls[number] = call
            return number
        }
    }

    func end(_ number: String) {
        state.withLock { $0.calls[number] = nil }
    }

    subscript(number: String) -> GRPCCall? { state.withLock { $0.calls[number] } }
}
