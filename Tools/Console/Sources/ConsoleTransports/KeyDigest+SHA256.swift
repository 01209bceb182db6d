package import ConsoleAccess
import Crypto

extension KeyDigest {
    /// SHA-256 of swift-crypto.
    package static let sha256 = KeyDigest { Array(SHA256.hash(data: $0)) }
}
