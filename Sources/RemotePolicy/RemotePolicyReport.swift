public import Foundation

/// The document in force, and what the SDK has done to get it.
public struct RemotePolicyReport: Equatable, Sendable {
    /// The version of the document in force; `nil` if there is none.
    public internal(set) var version: Int?
    /// The resource attribute `astrolabe.policy.version` of a run that begins with this document.
    package internal(set) var hash: String?
    /// The time from which it does not hold.
    public internal(set) var expires: Date?
    /// Requests to the server in this run.
    package internal(set) var requests = 0
    /// Documents refused in this run, by reason: `unsigned`, `wrong_signature`, `expired`, `replayed`, `too_large`,
    /// `invalid`, `other_app` or `beyond_bounds`.
    public internal(set) var refused: [String: Int] = [:]
    /// Why the last document was refused, in a sentence; `nil` if none was.
    public internal(set) var lastRefusal: String?
    /// Why the last request failed, in a sentence; `nil` if it did not.
    public internal(set) var lastFailure: String?
}
