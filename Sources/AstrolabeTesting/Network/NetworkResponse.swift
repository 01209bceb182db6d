/// How a request fares on a ``SimulatedNetwork``.
public enum NetworkResponse: Hashable, Sendable {
    /// The collector takes all of it: 200.
    case taken
    /// The collector takes all but so many of the records, the last ones, and says so: a partial success.
    case takenBut(rejected: Int, reason: String = "")
    /// The collector takes all of it, and its answer is lost: the SDK sends it again.
    case answerLost
    /// The server refuses it with this status. The SDK tries again after 429, 502, 503 and 504, halves the request
    /// after 413, and gives up after all others.
    case refused(status: Int, retryAfter: Duration? = nil)
    /// There is no way to the server.
    case unreachable
}
