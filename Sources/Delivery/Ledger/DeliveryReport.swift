import AstrolabePlatform
package import AstrolabeTelemetryModel
public import Foundation

/// The fate of the records, and the reason why some are pending.
public struct DeliveryReport: Equatable, Sendable {
    /// The ledger since the app was installed.
    public var ledger = RecordLedger()
    /// The number of records in the queue, by priority.
    package var queued: [Priority: Int] = [:]
    /// The number of times that a thread that recorded had to prepare room in the journal itself, in this process.
    package var segmentsPreparedWhileRecording = 0
    /// The state of the flight recorder; `nil` if there is none.
    package var recorder: RecorderReport?
    /// The number of records in the queue, by kind: `span`, `event` or `metric`.
    public var queuedByKind: [String: Int] = [:]
    /// The time of the oldest record in the queue; `nil` if it is empty.
    public var oldestQueued: Date?
    /// The number of requests that this process sent, including retries.
    public var requests = 0
    /// Bytes of the request bodies, as sent.
    public var bytesSent = 0
    /// The last time that the server accepted records from this process, in seconds since 1970; `nil` if it never has.
    public var lastUpload: Date?
    /// Why the last attempt failed; `nil` after a success.
    public var lastFailure: String?
    /// Why pending records were not sent; empty if none are pending.
    public var blockers: [DeliveryBlocker] = []

    package init() {}
}

/// A reason why records are pending.
public enum DeliveryBlocker: Equatable, Sendable {
    /// There is no network path, or the app is suspended.
    case noPath
    /// The user's consent is pending.
    case waitingForConsent
    /// The policy waits for an unmetered network.
    case waitingForWifi
    /// The policy keeps records on the device, for the reasons in its decision.
    case heldByPolicy
    /// The server was unreachable or requested a retry; the next attempt follows after `seconds`.
    case backingOff(delay: Duration, reason: String)
    /// The configuration has no endpoint.
    case noEndpoint
    /// Delivery is shut down.
    case shutDown
    /// The records were made after the last flush and wait for the next one.
    case notFlushedYet
}

extension DeliveryBlocker: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noPath: "no network, or the app is suspended"
        case .waitingForConsent: "waiting for the user's consent"
        case .waitingForWifi: "waiting for an unmetered network"
        case .heldByPolicy: "the policy keeps records on the device"
        case .backingOff(let delay, let reason): "\(reason); next attempt in \((delay.seconds * 10).rounded() / 10) s"
        case .noEndpoint: "no endpoint is configured"
        case .shutDown: "delivery is shut down"
        case .notFlushedYet: "waiting for the next flush"
        }
    }
}
