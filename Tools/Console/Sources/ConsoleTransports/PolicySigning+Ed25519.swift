import Crypto
import Foundation
package import TelemetryConsole

extension PolicySigning {
    /// Ed25519 of swift-crypto.
    package static let ed25519 = PolicySigning(
        makeKey: { Array(Curve25519.Signing.PrivateKey().rawRepresentation) },
        publicKey: { key in
            (try? Curve25519.Signing.PrivateKey(rawRepresentation: key)).map { Array($0.publicKey.rawRepresentation) }
        },
        sign: { bytes, key in
            (try? Curve25519.Signing.PrivateKey(rawRepresentation: key).signature(for: bytes)).map { Array($0) }
        })
}
