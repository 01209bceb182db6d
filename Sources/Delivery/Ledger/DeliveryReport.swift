public import AstrolabeTelemetryModel

/// What has become of the records, and why some wait.
public struct DeliveryReport: Hashable, Sendable {
    /// The account since the app was installed.
    public var ledger = RecordLedger()
    /// Those in the queue, by their priority.
    public var queued: [Priority: Int] = [:]
    /// Requests that this process sent, retries included.
    public var requests = 0
    /// Bytes of their bodies, as sent.
    public var bytesSent = 0
    /// When the server last took something from this process, in seconds since 1970; `nil` before the first time.
    public var lastUpload: Double?
    /// Why the last try failed; `nil` after a success.
    public var lastFailure: String?
    /// Why what waits was not sent; empty where nothing waits.
    public var blockers: [DeliveryBlocker] = []

    public init() {}
}

/// A reason for which records wait.
public enum DeliveryBlocker: Hashable, Sendable {
    /// There is no path to any network, or the app is suspended.
    case noPath
    /// The policy waits for a path that costs nothing.
    case waitingForWifi
    /// The policy keeps records on the device, for the reasons given.
    case heldByPolicy
    /// The server could not be reached or said "later"; the next try comes after so many seconds.
    case backingOff(seconds: Double, reason: String)
    /// The configuration names no endpoint.
    case noEndpoint
    /// Delivery was shut down.
    case shutDown
    /// They were made after the last flush, and wait for the next.
    case notFlushedYet
}

extension DeliveryBlocker: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noPath: "there is no network, or the app is suspended"
        case .waitingForWifi: "waiting for a network that costs nothing"
        case .heldByPolicy: "the policy keeps records on the device for now"
        case .backingOff(let seconds, let reason): "\(reason); next try in \((seconds * 10).rounded() / 10) s"
        case .noEndpoint: "no endpoint is configured"
        case .shutDown: "delivery was shut down"
        case .notFlushedYet: "waiting for the next flush"
        }
    }
}
