package import Foundation

/// The reasons to refuse a request, in words that a sender's log may have.
package enum AccessRefusal: Error, Hashable, Sendable {
    case noKey(KeyUse)
    case unknownKey
    case revokedKey(id: String)
    case expiredKey(id: String, at: Date)
    case wrongUse(id: String, found: KeyUse, expected: KeyUse)
    /// The records, or the device, name a service that the key is not for.
    case wrongService(id: String, found: String?)
    /// Too many unknown keys came from this network. The number is in seconds.
    case tooManyAttempts(retryAfter: Int)
    case tooManyRequests(id: String, retryAfter: Int)
    /// The file of keys cannot be read, so no request is admitted.
    case keysUnreadable

    package var status: Int {
        switch self {
        case .noKey, .unknownKey, .revokedKey, .expiredKey: 401
        case .wrongUse, .wrongService: 403
        case .tooManyAttempts, .tooManyRequests: 429
        case .keysUnreadable: 503
        }
    }

    /// The seconds to wait before a retry; `nil` if a retry cannot succeed.
    package var retryAfter: Int? {
        switch self {
        case .tooManyAttempts(let seconds), .tooManyRequests(_, let seconds): seconds
        case .keysUnreadable: 10
        default: nil
        }
    }

    package var message: String {
        switch self {
        case .noKey(.view): "expected a viewer's key: sign in at /sign-in, or send the header Authorization: Bearer KEY"
        case .noKey(let use):
            "expected a key for \(use.rawValue) in the header Authorization: Bearer KEY, or x-honeycomb-team"
        case .unknownKey: "this key is not known; `astrolabe keys create` makes keys"
        case .revokedKey(let id): "key \(id) was revoked"
        case .expiredKey(let id, let time):
            "key \(id) expired at \(time.formatted(.iso8601)); `astrolabe keys create` makes keys"
        case .wrongUse(let id, let found, let expected):
            "key \(id) is for \(found.rawValue); expected one for \(expected.rawValue)"
        case .wrongService(let id, let found):
            "key \(id) is for other services; found \(found.map { "service.name \($0.prefix(100))" } ?? "no service.name")"
        case .tooManyAttempts: "this key is not known, and too many unknown keys came from this network; retry later"
        case .tooManyRequests(let id, _): "key \(id) sent too many requests; retry later"
        case .keysUnreadable: "the console cannot read its keys; its log says why"
        }
    }

    /// The name of the reason in the audit log, and the key where it is known.
    var audited: (reason: String, key: String?) {
        switch self {
        case .noKey: ("no-key", nil)
        case .unknownKey: ("unknown-key", nil)
        case .revokedKey(let id): ("revoked-key", id)
        case .expiredKey(let id, _): ("expired-key", id)
        case .wrongUse(let id, _, _): ("wrong-use", id)
        case .wrongService(let id, _): ("wrong-service", id)
        case .tooManyAttempts: ("too-many-attempts", nil)
        case .tooManyRequests(let id, _): ("too-many-requests", id)
        case .keysUnreadable: ("keys-unreadable", nil)
        }
    }
}
