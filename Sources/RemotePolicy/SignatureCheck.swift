import AstrolabePlatform

#if canImport(CryptoKit)
import CryptoKit
import Foundation
#endif

extension RemotePolicyConfiguration {
    /// Returns true if a signature is the app's key's over exactly these bytes.
    func verifies(_ signature: [UInt8], _ document: [UInt8]) -> Bool {
        if let isValidSignature {
            LockRule.checkCall("calling isValidSignature")
            return isValidSignature(signature, document, publicKey)
        }
        #if canImport(CryptoKit)
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: Data(publicKey)) else { return false }
        return key.isValidSignature(Data(signature), for: Data(document))
        #else
        return false
        #endif
    }
}
