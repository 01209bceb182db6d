/// What has become of the records that were made since the SDK started.
///
/// `created = delivered + pending + dropped`, at every quiet moment.
public struct DeliveryReport: Hashable, Sendable {
    public var created = 0
    /// Taken by the server.
    public var delivered = 0
    /// Waiting for their turn, or for a retry.
    public var pending: Int { created - delivered - dropped.values.reduce(0, +) }
    /// Given up, by reason.
    public var dropped: [DropReason: Int] = [:]
    /// Requests that were sent, retries included.
    public var requests = 0
    /// Bytes of their bodies, as sent.
    public var bytesSent = 0
    /// Why the last try failed; `nil` after a success.
    public var lastFailure: String?

    public init() {}
}

/// Why a record was given up.
public enum DropReason: String, Hashable, Sendable, CaseIterable {
    /// The buffer was full when it was made.
    case bufferFull = "buffer full"
    /// The server refused it, or said that it took only others of the batch.
    case rejected = "rejected"
    /// The server asked for a retry once too often.
    case retriesSpent = "retries spent"
}
