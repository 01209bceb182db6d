/// An error of ClickHouse, or of the way to it.
package enum ClickHouseError: Error, Hashable, Sendable {
    case invalidAddress(String)
    /// ClickHouse refused a statement. `code` is a number of its table of errors, such as 60 for an unknown table.
    case exception(code: Int, message: String)
    /// No answer in time.
    case timedOut(seconds: Int64)
    /// The connection failed or ended.
    case unreachable(String)
    /// The answer is larger than the reader allows.
    case responseTooLarge(bytes: Int)
    /// The answer is not what the statement asks for.
    case unexpectedResponse(String)
    /// A later version of the console made the tables.
    case newerSchema(found: Int, supported: Int)

    /// True if the same statement may succeed later.
    var isTransient: Bool {
        switch self {
        case .timedOut, .unreachable: true
        case .exception(let code, _): Self.transientCodes.contains(code)
        case .invalidAddress, .responseTooLarge, .unexpectedResponse, .newerSchema: false
        }
    }

    /// Timeouts, too many statements at once, memory, too many parts, a table that is read-only for now, the network,
    /// and the coordination of replicas.
    private static let transientCodes: Set<Int> = [159, 160, 202, 203, 209, 210, 241, 242, 252, 285, 319, 999]
}

extension ClickHouseError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidAddress(let text): text
        case .exception(let code, let message): "ClickHouse error \(code): \(message)"
        case .timedOut(let seconds): "ClickHouse did not answer within \(seconds) s. Ask for less, or try again."
        case .unreachable(let detail): "ClickHouse cannot be reached (\(detail)). Check the address and the server."
        case .responseTooLarge(let bytes): "ClickHouse's answer is larger than \(bytes) bytes. Ask for less."
        case .unexpectedResponse(let detail): "ClickHouse's answer cannot be read: \(detail)."
        case .newerSchema(let found, let supported):
            "The tables have version \(found), but this console supports versions up to \(supported). "
                + "Use a newer console."
        }
    }
}
