/// The fate of a request on a ``SimulatedNetwork``.
public enum NetworkResponse: Hashable, Sendable {
    /// The collector takes all of it: 200.
    case taken
    /// The collector takes all but so many of the records, the last ones, and says so: a partial success.
    case takenBut(rejected: Int, reason: String = "")
    /// The collector takes all of it, and its answer is lost: the SDK sends it again.
    case answerLost
    /// The server refuses it with this status. After 400, 413, 415 and 422 the SDK halves the request until it has
    /// found the record at fault, which it drops after six tries. After all others it keeps the records and tries
    /// again.
    case refused(status: Int, retryAfter: Duration? = nil)
    /// There is no way to the server.
    case unreachable
    /// There is no answer within the request's timeout.
    case timedOut
}
