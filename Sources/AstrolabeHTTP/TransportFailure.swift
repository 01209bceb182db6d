import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Why no answer came, or none that could be kept. The raw value is the span's `error.type`.
public enum TransportFailure: String, Error, Hashable, Sendable {
    /// The phone has no network.
    case offline
    /// The host name could not be resolved.
    case nameNotResolved = "name_not_resolved"
    /// The host was found, and nothing listens there or nothing answers.
    case connectionRefused = "connection_refused"
    /// The request timed out.
    case timedOut = "timeout"
    /// The connection ended before the answer did.
    case connectionLost = "connection_lost"
    /// No secure connection could be made.
    case notSecure = "tls"
    /// The answer passed the limit of the transport.
    case responseTooLarge = "answer_too_large"
    /// The response was not HTTP, or the failure has no case of its own.
    case other = "_OTHER"

    /// - Parameter hasBegun: Whether the head of the answer had come. Foundation on Linux has no code of its own for a
    ///   body that is cut short, and calls an answer without a single byte a bad one.
    init(_ error: URLError, hasBegun: Bool) {
        self =
            switch error.code {
            case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive: .offline
            case .cannotFindHost, .dnsLookupFailed: .nameNotResolved
            case .cannotConnectToHost: .connectionRefused
            case .timedOut: .timedOut
            case .networkConnectionLost, .badServerResponse: .connectionLost
            case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
                .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
                .notSecure
            default: hasBegun ? .connectionLost : .other
            }
    }

    /// For developers: "the connection was refused".
    public var summary: String {
        switch self {
        case .offline: "the device has no network"
        case .nameNotResolved: "the host's name was not found"
        case .connectionRefused: "the connection was refused"
        case .timedOut: "no answer came in time"
        case .connectionLost: "the connection ended before the answer did"
        case .notSecure: "no secure connection could be made"
        case .responseTooLarge: "the answer is larger than the client takes"
        case .other: "the connection failed, or the answer was not HTTP"
        }
    }
}
